"""The texts that the scripts of the pages Race and Tree say (see `words`)."""

from __future__ import annotations

from gettext import NullTranslations

from pegwise.web.words import Words, board, pairs

__all__ = ["new", "race", "tree"]


def new(t: NullTranslations) -> Words:
    """Texts of the form that begins a race."""
    _ = t.gettext
    return board(t) | {
        "noneChosen": _("Choose at least one strategy."),
    }


def race(t: NullTranslations) -> Words:
    """Texts of a race."""
    _, both = t.gettext, pairs(t)
    return board(t) | {
        "waiting": _("waiting"),
        "running": _("racing"),
        "computing": _("computing"),
        "paused": _("paused"),
        "stopped": _("stopped"),
        "done": _("finished"),
        "failed": _("failed"),
        "leading": _("leading"),
        "first": _("fewest guesses"),
        "secret": _("Secret"),
        "pause": _("Pause"),
        "resume": _("Go on"),
        "doneOf": _("{n} of {all}"),
        "turnsTaken": _("Turns taken"),
        "bar": both(
            "{strategy}: {n} game won in {guesses}; show its secret",
            "{strategy}: {n} games won in {guesses}; show their secrets",
        ),
        "wonIn": both("{strategy}, won with {n} guess", "{strategy}, won with {n} guesses"),
        "secretsOf": both("{n} secret", "{n} secrets"),
        "firstOf": _("The first {shown} of {n} are listed."),
        "notYet": _("not played yet"),
        "gamesOf": _("Games of {code}"),
        "inTurns": both("{n} turn", "{n} turns"),
        "strategy": _("Strategy"),
        "total": _("Total"),
        "mean": _("Mean"),
        "worst": _("Worst"),
        "bestOf": both(
            "{strategy} needs {mean} guesses on average, and {n} at most.",
            "{strategy} needs {mean} guesses on average, and {n} at most.",
        ),
        "pausedSpoken": _("The race is paused."),
        "goesOn": _("The race goes on."),
        "ended": _("The race has ended. {strategy} needs the fewest guesses: {mean} on average."),
        "stoppedSpoken": _("The race is stopped."),
        "lost": _("The line to the server is lost; trying again."),
        "linkCopied": _("Link copied"),
    }


def tree(t: NullTranslations) -> Words:
    """Texts of the page Tree."""
    _, both = t.gettext, pairs(t)
    return board(t) | {
        "solved": _("solved"),
        "codes": both("{n} code", "{n} codes"),
        "open": _("{mark}: {codes}, then guess {code}"),
        "end": _("{mark}: {codes}, solved"),
        "turnsMean": _("{n} more turns on average"),
        "atMost": _("{n} at most"),
        "best": _("as few as possible"),
        "excess": both(
            "{n} guess more in all than possible", "{n} guesses more in all than possible"
        ),
        "loading": _("loading"),
        "turnN": _("Turn {n}"),
        "foundIn": both("{code} is found in {n} turn.", "{code} is found in {n} turns."),
        "linkCopied": _("Link copied"),
        "percent": _("{n} % done"),
    }
