"""The school practical: what its notebooks check answers with, and the files for pupils."""

from pegwise.practical.answers import NotYet as NotYet
from pegwise.practical.answers import check as check
from pegwise.practical.answers import show as show
from pegwise.practical.answers import todo as todo
from pegwise.practical.gaps import Solved as Solved
from pegwise.practical.gaps import shipped as shipped
