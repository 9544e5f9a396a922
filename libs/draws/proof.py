"""Anybody's check of a coup: the seed fits the commitment, and all values follow from the seed.

Nothing but what is public when the coup is over goes in (docs/chance.md). The page `proof.html` of the display does the
same in a browser.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from libs.draws.mapping import draw
from libs.kernel.ids import split_draw_id, split_seed_id
from libs.kernel.seeds import keeps

Verdict = Literal["agrees", "differs", "not_revealed", "lost", "no_seed"]
"""`agrees`: all of it can be computed again. `differs`: something cannot. `not_revealed`: the coup is not over, or its
seed is on its way. `lost`: the seed cannot be opened any more. `no_seed`: the session is from before there were any."""


Result = Literal["not_opened", "running", "settled", "voided", "not_played"]
"""What became of the coup. One that is committed to ahead is not opened yet; once its session is over, not played."""


class MadeDraw(msgspec.Struct, frozen=True):
    """A draw as it stands in the table's log."""

    draw_id: str
    bounds: tuple[int, ...]
    values: tuple[int, ...]


class CoupProof(msgspec.Struct, frozen=True):
    """The public data of one coup's chance. This is also the file that the page takes."""

    table: str
    session: int
    coup: int
    seed_id: str
    commitment: str = ""
    """64 hex digits; empty when there was none."""
    seed: str = ""
    """64 hex digits; empty until it is revealed."""
    draws: tuple[MadeDraw, ...] = ()
    """In the order of the log; those face down only once the seed is revealed."""
    result: Result = "running"
    seeded: bool = True
    """True when the session promised seeds."""
    lost: str = ""
    """Why the seed cannot be revealed, if so."""
    irregular: tuple[str, ...] = ()
    """What the log's order shows: a commitment after betting opened, a seed shown before the coup was over, …"""


class Judgement(msgspec.Struct, frozen=True):
    """What becomes of a proof, with a sentence for everything that does not fit."""

    verdict: Verdict
    faults: tuple[str, ...] = ()


def judge(proof: CoupProof) -> Judgement:
    """Compute a coup again."""
    faults = [*proof.irregular, *_strangers(proof)]
    if not proof.commitment:
        if proof.seeded and proof.draws:
            faults.append("there are draws, but nothing was committed to")
        return Judgement("differs" if faults else "not_revealed" if proof.seeded else "no_seed", tuple(faults))
    if proof.seed:
        faults += recompute(proof.seed_id, proof.commitment, proof.seed, proof.draws)
    if faults:
        return Judgement("differs", tuple(faults))
    return Judgement("agrees" if proof.seed else "lost" if proof.lost else "not_revealed")


def recompute(seed_id: str, commitment: str, seed_hex: str, draws: Sequence[MadeDraw]) -> list[str]:
    """Return a sentence for everything that does not follow from a revealed seed: its commitment, and its draws."""
    if not keeps(commitment, seed_hex, seed_id):
        return ["the seed does not fit the commitment"]
    seed, faults = bytes.fromhex(seed_hex), []
    for made in draws:
        if min(made.bounds, default=1) < 1:
            # To draw below it would never end.
            faults.append(f"{made.draw_id}: no draw is below {min(made.bounds)}")
            continue
        values = draw(seed, made.draw_id, made.bounds)
        if values != made.values:
            faults.append(f"{made.draw_id}: drawn {_list(made.values)}, the seed gives {_list(values)}")
    return faults


def _strangers(proof: CoupProof) -> list[str]:
    """Name draws of other coups, and draws that stand there twice."""
    try:
        of_coup = split_seed_id(proof.seed_id)
    except ValueError:
        return [f"{proof.seed_id} is not the id of a seed"]
    faults, seen = [], set[str]()
    if of_coup[1:] != (proof.session, proof.coup) or not of_coup[0].endswith(f"/{proof.table}"):
        faults.append(f"{proof.seed_id} is the seed of another coup")
    for made in proof.draws:
        try:
            mine = split_draw_id(made.draw_id)[:3] == of_coup
        except ValueError:
            mine = False
        if not mine:
            faults.append(f"{made.draw_id} is not a draw of this coup")
        if made.draw_id in seen:
            faults.append(f"{made.draw_id} was made twice")
        seen.add(made.draw_id)
    return faults


def _list(values: tuple[int, ...]) -> str:
    return ", ".join(map(str, values))
