"""Days and months in words, in a language."""

from __future__ import annotations

from datetime import date

from pegwise.i18n import speaking, tr


def long_date(day: date, language: str) -> str:
    """A day such as `November 29, 2026`."""
    with speaking(language):
        return tr("{month} {day}, {year}", month=_month(day), day=str(day.day), year=str(day.year))


def short_date(day: date, language: str) -> str:
    """A day such as `Nov 29, 2026`."""
    with speaking(language):
        month = _short_month(day)
        return tr("{month} {day}, {year}", month=month, day=str(day.day), year=str(day.year))


def day_and_month(day: date, language: str) -> str:
    """A day without its year, such as `29 Nov`."""
    with speaking(language):
        return f"{day.day} {_short_month(day)}"


def month_and_year(day: date, language: str) -> str:
    """The month of a day, such as `November 2026`."""
    with speaking(language):
        return f"{_month(day)} {day.year}"


def weekdays(language: str) -> list[str]:
    """The days of the week in short, Monday first."""
    with speaking(language):
        return tr("Mon Tue Wed Thu Fri Sat Sun").split()


def _month(day: date) -> str:
    months = tr(
        "January February March April May June July August September October November December"
    )
    return months.split()[day.month - 1]


def _short_month(day: date) -> str:
    return tr("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec").split()[day.month - 1]
