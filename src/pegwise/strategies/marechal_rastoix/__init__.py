"""The three classical strategies of Maréchal and Rastoix: color by color, by four criteria."""

from pegwise.strategies.marechal_rastoix.method import ColorByColor as ColorByColor
from pegwise.strategies.marechal_rastoix.method import ColorDecision as ColorDecision
from pegwise.strategies.marechal_rastoix.method import MarechalRastoix1 as MarechalRastoix1
from pegwise.strategies.marechal_rastoix.method import MarechalRastoix2 as MarechalRastoix2
from pegwise.strategies.marechal_rastoix.method import MarechalRastoix3 as MarechalRastoix3
