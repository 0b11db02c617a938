"""Trees: strategies played out against every secret, built, verified, stored and written."""

from pegwise.trees.build import build as build
from pegwise.trees.build import play as play
from pegwise.trees.formats import load_tree as load_tree
from pegwise.trees.formats import read_tree as read_tree
from pegwise.trees.formats import save_tree as save_tree
from pegwise.trees.tree import Reading as Reading
from pegwise.trees.tree import Tree as Tree
from pegwise.trees.verify import Verification as Verification
from pegwise.trees.verify import verify as verify
