"""What the register says no to, with the sentences that people read. None of them repeats what was asked."""

from libs.kernel.refusals import Refusal

UNKNOWN = Refusal(
    code="person.unknown",
    fr="Personne n'est inscrit ainsi au registre.",
    en="Nobody is in the register like this.",
)
FORGOTTEN = Refusal(
    code="person.forgotten",
    fr="Cette personne a été oubliée : ses données n'existent plus.",
    en="This person has been forgotten: the data no longer exist.",
)
TOO_MANY = Refusal(
    code="person.too_many",
    fr="Le registre est plein : il faut d'abord oublier des personnes dont le délai est passé.",
    en="The register is full: persons whose time is over must be forgotten first.",
)

BAD_NAME = Refusal(
    code="person.name",
    fr="Le nom doit contenir une lettre, et seulement des caractères qui se voient.",
    en="The name must have a letter in it, and only characters that can be seen.",
)
BAD_BIRTH_DATE = Refusal(
    code="person.birth_date",
    fr="La date de naissance doit exister et s'écrire ainsi : 1980-12-31.",
    en="The date of birth must exist and be written like this: 1980-12-31.",
)
BAD_DOCUMENT = Refusal(
    code="person.document",
    fr="Le numéro de la pièce d'identité doit contenir une lettre ou un chiffre, et seulement des caractères visibles.",
    en="The number of the identity document must have a letter or a digit in it, and only characters that can be seen.",
)


def excluded(why: Refusal) -> Refusal:
    """Return the refusal to forget somebody who may not play for the reason given: with him the exclusion would go."""
    return Refusal(
        "person.excluded",
        f"{why.fr} Tant que dure l'exclusion, cette personne n'est oubliée que sur ordre d'une autorité.",
        f"{why.en} While the exclusion lasts, this person is forgotten only by order of an authority.",
    )


KNOWN = "person.known"


def known(player: str, excluded: Refusal | None = None) -> Refusal:
    """Return the refusal of a person who is registered already, with other data than these; and of an excluded one."""
    fr = f"Cette personne est déjà inscrite, avec d'autres indications : c'est {player}."
    en = f"This person is registered already, with other details: {player}."
    return Refusal(KNOWN, *((fr, en) if excluded is None else (f"{fr} {excluded.fr}", f"{en} {excluded.en}")))
