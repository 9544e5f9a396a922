"""What the RNG refuses, and in which words. Codes are stable; `rng.unhealthy` is in `libs.kernel.contracts.rng`."""

from libs.kernel.refusals import Refusal

BAD_ID = Refusal(
    code="draw.bad_id",
    fr="Cet identifiant de tirage est mal formé.",
    en="This draw id is malformed.",
)
CONFLICT = Refusal(
    code="draw.conflict",
    fr="Cet identifiant de tirage a déjà servi pour une autre demande.",
    en="This draw id was already used for another request.",
)
TOO_OLD = Refusal(
    code="draw.too_old",
    fr="Ce tirage est trop ancien : il ne se lit plus que dans le journal.",
    en="This draw is too old: it can only be read in the log.",
)
TOO_MANY = Refusal(
    code="draw.too_many",
    fr="Trop de tirages sont demandés pour ce coup ou par trop de tables.",
    en="Too many draws are asked for this coup, or by too many tables.",
)

SEED_BAD_ID = Refusal(
    code="seed.bad_id",
    fr="Cet identifiant de graine est mal formé.",
    en="This seed id is malformed.",
)
SEED_UNKNOWN = Refusal(
    code="seed.unknown",
    fr="Aucune graine n'a été engagée pour ce coup.",
    en="No seed was committed to for this coup.",
)
SEED_TOO_LATE = Refusal(
    code="seed.too_late",
    fr="Ce coup a déjà des tirages : on ne peut plus s'engager sur une graine.",
    en="This coup has draws already: it is too late to commit to a seed.",
)
SEED_REVEALED = Refusal(
    code="seed.revealed",
    fr="La graine de ce coup est révélée : aucun tirage n'en est plus fait.",
    en="The seed of this coup has been revealed: no draw is made of it any more.",
)
SEED_GIVEN_UP = Refusal(
    code="seed.given_up",
    fr="La graine de ce coup ne peut plus être ouverte : le tirage est impossible.",
    en="The seed of this coup cannot be opened any more: the draw is impossible.",
)
