"""Refusals: the rules said no. Values with a stable code and a human sentence, never exceptions."""

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """The rules said no to a command. It changes no state and is answered to the sender.

    `code` is stable, dotted, lower case (`wager.over_maximum`); `fr` and `en` are whole sentences for people.
    """

    code: str
    fr: str
    en: str
