"""Programs and Python files of other people: started, asked, timed, loaded."""

from pegwise.programs.engine import HOST_ENVIRONMENT as HOST_ENVIRONMENT
from pegwise.programs.engine import Engine as Engine
from pegwise.programs.engine import Limits as Limits
from pegwise.programs.engine import NoAnswerError as NoAnswerError
