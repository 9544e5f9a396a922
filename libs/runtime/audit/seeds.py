"""Compute the chance of every coup again, and compare what the RNG promised with what the tables heard.

A table that does not show a seed proves nothing of its draws: then the RNG's own log is asked for it. Draws whose seed
stands nowhere are counted, and said.
"""

from libs.draws.proof import CoupProof, MadeDraw, judge, recompute
from libs.kernel.contracts.rng import SeedCommitted, SeedGivenUp, SeedRevealed
from libs.kernel.ids import seed_of_draw, split_seed_id, split_stream, stream_name
from libs.kernel.messages import Event
from libs.runtime.audit.report import DrawCounts, Faults
from libs.runtime.proofs import Proofs
from libs.table.messages import DrawReceived, SealedDrawReceived, SessionOpened
from libs.table.seeds import DrawsNotRevealed

GIVEN_UP = "seed.given_up"


class SeedAudit:
    """Reads the tables first, then the RNG."""

    def __init__(self, faults: Faults) -> None:
        self.counts = DrawCounts()
        self._faults = faults
        self._sessions: dict[str, tuple[str, Proofs]] = {}
        """The session of each table that is being read."""
        self._heard: dict[str, tuple[str, str]] = {}
        """Stream and commitment of each seed that a table heard of."""
        self._promised: dict[str, str] = {}
        self._unseeded: set[str] = set()
        """Sessions that say that their draws have no seeds, by stream."""
        self._waiting: dict[str, int] = {}
        """Draws that tables used and that are not computed again yet, by seed."""
        self._computed: set[str] = set()
        """Seeds from which everything was computed again out of a table's log."""
        self._lost: dict[str, tuple[str, int, str]] = {}
        """Seeds that a table says are lost: stream, version and code."""
        self._drawn: dict[str, list[MadeDraw]] = {}
        self._revealed: dict[str, tuple[str, int, str]] = {}
        """What the RNG's log says of seeds that no table has shown: its draws; stream, version and seed."""
        self._given_up: set[str] = set()

    def see(self, stream: str, version: int, event: Event) -> None:
        """Take the next event of a table."""
        table, _ = split_stream(stream)
        before, proofs = self._sessions.get(table, ("", Proofs()))
        if before != stream:
            self._end(before, proofs)
            proofs = Proofs()
            self._sessions[table] = (stream, proofs)
        if isinstance(event, DrawReceived | SealedDrawReceived):
            self._used(stream, event.draw_id)
        for proof in proofs.see(event):
            self._judge(stream, version, proof)
            if isinstance(event, DrawsNotRevealed):
                self._lost[proof.seed_id] = (stream, version, event.code)
        if isinstance(event, SessionOpened) and not event.seeded:
            self._unseeded.add(stream)

    def _used(self, stream: str, draw_id: str) -> None:
        if stream in self._unseeded:
            self.counts.no_seed += 1
        else:
            seed = seed_of_draw(draw_id)
            self._waiting[seed] = self._waiting.get(seed, 0) + 1

    # -- the log of the RNG ---------------------------------------------------------------------------------------
    def promised(self, stream: str, version: int, event: SeedCommitted) -> None:
        """Take a commitment from the log of the RNG."""
        if event.seed_id in self._promised:
            self._faults.add(stream, version, "seed.twice", f"{event.seed_id} was committed to twice")
        self._promised[event.seed_id] = event.commitment
        try:
            place, session, _ = split_seed_id(event.seed_id)
        except ValueError:
            self._faults.add(
                stream, version, "seed.bad_id", f"{event.seed_id} is committed to, and is not the id of a seed"
            )
            return
        of_session = stream_name(place.rpartition("/")[2], session)
        if of_session in self._unseeded:
            what = f"{of_session} says that its draws have no seeds, but {event.seed_id} was committed to"
            self._faults.add(stream, version, "seed.denied", what)

    def drew(self, made: MadeDraw) -> None:
        """Take a draw from the log of the RNG."""
        seed = seed_of_draw(made.draw_id)
        if seed not in self._computed:
            self._drawn.setdefault(seed, []).append(made)

    def ended(self, stream: str, version: int, event: SeedRevealed | SeedGivenUp) -> None:
        """Take from the log of the RNG what became of a seed."""
        if isinstance(event, SeedGivenUp):
            self._given_up.add(event.seed_id)
        elif event.seed_id not in self._computed:
            self._revealed[event.seed_id] = (stream, version, event.seed)

    # -- when all logs were read ----------------------------------------------------------------------------------
    def compare(self) -> None:
        """Compare, when all logs were read."""
        for stream, proofs in self._sessions.values():
            for proof in proofs.rest():
                self._judge(stream, 0, proof)
        self._compare_promises()
        self._compute_unshown()

    def _compare_promises(self) -> None:
        for seed, (stream, commitment) in self._heard.items():
            if seed not in self._promised:
                self._faults.add(stream, 0, "seed.unknown", f"{seed} is committed to, but the RNG never was")
            elif self._promised[seed] != commitment:
                self._faults.add(stream, 0, "seed.differs", f"{seed}: the table heard another commitment")
        for seed, (stream, version, code) in self._lost.items():
            if code == GIVEN_UP and seed not in self._given_up:
                self._faults.add(stream, version, "seed.not_given_up", f"{seed} is lost, but the RNG never gave it up")

    def _compute_unshown(self) -> None:
        """Compute again from the RNG's log what no table has shown, and count the rest."""
        for seed, (stream, version, shown) in self._revealed.items():
            for fault in recompute(seed, self._promised.get(seed, ""), shown, self._drawn.get(seed, ())):
                self._faults.add(stream, version, "draw.unproven", f"{seed}: {fault}")
            self._count(seed)
        for seed, many in self._waiting.items():
            if seed in self._lost:
                self.counts.lost += many
            else:
                self.counts.not_revealed += many

    def _end(self, stream: str, proofs: Proofs) -> None:
        """A session has ended: all its seeds are shown."""
        for proof in proofs.rest():
            self._judge(stream, 0, proof)
            if proof.commitment:
                self._faults.add(stream, 0, "seed.not_shown", f"the seed of coup {proof.coup} was never shown")

    def _judge(self, stream: str, version: int, proof: CoupProof) -> None:
        if proof.commitment:
            self._heard[proof.seed_id] = (stream, proof.commitment)
        for fault in judge(proof).faults:
            self._faults.add(stream, version, "draw.unproven", f"coup {proof.coup}: {fault}")
        if proof.seed:
            self._computed.add(proof.seed_id)
            self._count(proof.seed_id)

    def _count(self, seed: str) -> None:
        """The draws of a seed are computed again; a value that is not the seed's is a fault of its own."""
        self.counts.computed += self._waiting.pop(seed, 0)
