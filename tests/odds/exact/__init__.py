"""The odds of every game by going through all that can happen. Nothing here knows the rules' code.

Figures are copied by hand from the decree and from the rules' specification. Each module is called as its game and has
a function `returns(paytable, wager)`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules

from tests.odds.returns import Returns

EXACT: Mapping[str, Callable[[str, str], Returns]] = {
    module.name: import_module(f"{__name__}.{module.name}").returns for module in iter_modules(__path__)
}
"""By game: the exact returns of a wager under a paytable."""
