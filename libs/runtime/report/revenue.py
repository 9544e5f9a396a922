"""The gross gaming revenue (*produit brut des jeux*) of a game: what the floor file says it is, from which day on.

A setting, not a legal opinion. Three ways of the French rules, as far as the logs can tell (CGCT L2333-55-1):

- `contrepartie`: what lies in the float at the end, less what was put into it (opening float and fills);
- `electronic`: credits bought less what was paid out and what is still on the meters;
- `cercle`: all that the house takes from pots and for entry.
"""

from collections.abc import Iterable

from libs.runtime.floor import RevenueRule


def category(rules: Iterable[RevenueRule], game: str, day: str) -> str:
    """Return the category of a game on a gaming day: that of the latest rule that has begun; empty without one."""
    begun = [rule for rule in rules if rule.game == game and rule.since <= day]
    return max(begun, key=lambda rule: rule.since).category if begun else ""


def revenue(kind: str, float_gain: int, rake: int, entry_fees: int) -> int:
    """Return the gross gaming revenue in cents; without a category, all that the house has won.

    >>> revenue("contrepartie", 500, 0, 0), revenue("cercle", 0, 70, 30), revenue("electronic", 500, 0, 0)
    (500, 100, 500)
    """
    match kind:
        case "contrepartie":
            return float_gain
        case "cercle":
            return rake + entry_fees
        case _:
            return float_gain + rake + entry_fees
