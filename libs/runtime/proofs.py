"""Read the public data of every coup's chance from a table's log."""

from collections.abc import Iterator

from msgspec.structs import replace

from libs.draws.proof import CoupProof, MadeDraw, Result
from libs.kernel.ids import seed_id
from libs.kernel.messages import Event
from libs.table import messages as m
from libs.table.seeds import DrawsCommitted, DrawsNotRevealed, DrawsRevealed, SeedMismatched


class Proofs:
    """Folds the events of one session. `see` yields a coup when nothing more will be said of it."""

    def __init__(self) -> None:
        self.seeded = False
        """True when the session promised seeds."""
        self._session = ("", "", 0)
        self._open: dict[int, CoupProof] = {}
        self._hidden: dict[int, list[MadeDraw]] = {}
        """Draws face down, by coup: public with the seed."""
        self._asked: dict[str, tuple[int, ...]] = {}
        self._coup = 0
        self._closed = False

    def see(self, event: Event) -> Iterator[CoupProof]:
        """Take the next event of the session."""
        match event:
            case m.SessionPrepared():
                self._session = (event.pit, event.table, event.session)
            case m.SessionOpened():
                self.seeded = event.seeded
            case DrawsCommitted():
                self._committed(event)
            case m.BettingOpened():
                self._opened(event)
            case m.SessionClosed():
                self._closed = True
            case m.DrawRequested():
                self._asked[event.draw_id] = event.bounds
            case m.DrawReceived() | m.SealedDrawReceived():
                self._received(event)
            case _:
                yield from self._ends(event)

    def _ends(self, event: Event) -> Iterator[CoupProof]:
        match event:
            case m.CoupSettled(coup=coup) | m.CoupVoided(coup=coup):
                result: Result = "settled" if isinstance(event, m.CoupSettled) else "voided"
                self._open[coup] = replace(self._of(coup), result=result)
                if not self.seeded:
                    yield self._done(coup)
            case DrawsRevealed(coup=coup, seed=seed) | SeedMismatched(coup=coup, seed=seed):
                self._open[coup] = self._shown(coup, seed)
                yield self._done(coup)
            case DrawsNotRevealed(coup=coup, code=code):
                self._open[coup] = replace(self._of(coup), lost=code)
                yield self._done(coup)

    def rest(self, *, over: bool = False) -> Iterator[CoupProof]:
        """Yield the coups of which something is still to come; from a session that is `over` nothing comes any more."""
        ahead: Result = "not_played" if over or self._closed else "not_opened"
        for coup, known in self._open.items():
            proof = replace(known, result=ahead) if coup > self._coup else known
            yield _with(proof, "the seed was never shown") if over and proof.commitment else proof

    def _of(self, coup: int) -> CoupProof:
        pit, table, session = self._session
        known = self._open.get(coup)
        return known or CoupProof(table, session, coup, seed_id(pit, table, session, coup), seeded=self.seeded)

    def _committed(self, event: DrawsCommitted) -> None:
        proof = self._of(event.coup)
        if proof.commitment:
            proof = _with(proof, "there are two commitments")
        elif event.coup <= self._coup:
            proof = _with(proof, "the commitment came after betting had opened")
        self._open[event.coup] = replace(proof, commitment=event.commitment)

    def _opened(self, event: m.BettingOpened) -> None:
        proof = self._of(event.coup)
        if self.seeded and not proof.commitment:
            proof = _with(proof, "betting opened without a commitment")
        self._coup, self._asked = event.coup, {}
        self._open[event.coup] = proof

    def _received(self, event: m.DrawReceived | m.SealedDrawReceived) -> None:
        made = MadeDraw(event.draw_id, self._asked.get(event.draw_id, ()), event.values)
        if event.secret:
            self._hidden.setdefault(event.coup, []).append(made)
        else:
            proof = self._of(event.coup)
            self._open[event.coup] = replace(proof, draws=(*proof.draws, made))

    def _shown(self, coup: int, seed: str) -> CoupProof:
        proof = self._of(coup)
        if coup == self._coup and proof.result == "running":
            proof = _with(proof, "the seed was shown before the coup was over")
        return replace(proof, seed=seed, draws=(*proof.draws, *self._hidden.get(coup, ())))

    def _done(self, coup: int) -> CoupProof:
        self._hidden.pop(coup, None)
        proof = self._open.pop(coup)
        return replace(proof, result="not_played") if coup > self._coup else proof


def _with(proof: CoupProof, what: str) -> CoupProof:
    return replace(proof, irregular=(*proof.irregular, what))
