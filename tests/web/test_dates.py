"""Days in words, compared with Babel, which the site does without."""

from datetime import date

import pytest
from babel.dates import format_date, get_day_names

from pegwise.i18n import LANGUAGES
from pegwise.web.dates import day_and_month, long_date, month_and_year, short_date, weekdays


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_are_those_of_babel(language: str) -> None:
    for month in range(1, 13):
        day = date(2026, month, 2 * month)
        assert long_date(day, language) == format_date(day, "long", language)
        assert short_date(day, language) == format_date(day, "medium", language)
        assert day_and_month(day, language) == format_date(day, "d MMM", language)
        assert month_and_year(day, language) == format_date(day, "MMMM y", language)
    names = get_day_names("abbreviated", locale=language)
    assert weekdays(language) == [names[k] for k in range(7)]
