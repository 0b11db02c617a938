"""The options of a strategy, each declared once: name, default, values and meaning."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from pegwise.errors import InputError, Phrase, UnknownNameError, quoted

Option = str | int | bool
"""The value of an option."""

_TRUTHS: Final = {
    **dict.fromkeys(("true", "yes", "1"), True),
    **dict.fromkeys(("false", "no", "0"), False),
}


@dataclass(frozen=True, slots=True)
class StrategyOption:
    """An option of a strategy: its meaning, and the values that it takes.

    It stands in the signature of the strategy, which has the name and the default:
    `then: Annotated[str, StrategyOption("what decides ties", values=("none", "size"))] = "none"`.

    Attributes:
        meaning: what the option changes, some words for a reader; "" where nothing is declared.
        values: words that it takes; with a number as default, words that it takes as well.
        least: the least number.
        most: the largest number.
        form: the form of its values, where they are not words of a list nor numbers in a range.
        name: its name, read from the signature.
        default: its default, read from the signature.
    """

    meaning: str = ""
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    form: str = ""
    name: str = ""
    default: Option = ""

    @property
    def kind(self) -> type:
        """The type of its values: bool, int or str."""
        return type(self.default)

    @property
    def written(self) -> str:
        """The default as it is typed: `true`, `all`, `2000`."""
        return str(self.default).lower() if self.kind is bool else str(self.default)

    @property
    def allowed(self) -> Phrase:
        """Its values in words: `all, candidates`, `a whole number from 2 to 100, or all`."""
        if self.form:
            return Phrase(self.form)
        if self.kind is bool:
            return Phrase("true or false")
        words = ", ".join(self.values)
        if self.kind is str:
            return Phrase(words) if words else Phrase("a text")
        return (
            Phrase("{number}, or {words}", number=self._range, words=words)
            if words
            else (self._range)
        )

    @property
    def _range(self) -> Phrase:
        if self.least is None:
            return Phrase("a whole number")
        if self.most is None:
            return Phrase("a whole number from {least}", least=self.least)
        return Phrase("a whole number from {least} to {most}", least=self.least, most=self.most)

    def check(self, value: object) -> None:
        """Refuse a value that the option does not take, by InputError."""
        if self.kind is str and isinstance(value, str):
            if self.values and value not in self.values:
                raise UnknownNameError.of(
                    Phrase("value of option {name}:", name=repr(self.name)), value, self.values
                )
            return
        if self.kind is int and isinstance(value, str) and value in self.values:
            return
        fits = type(value) is self.kind
        if fits and isinstance(value, int) and self.kind is int:
            fits = (self.least is None or value >= self.least) and (
                self.most is None or value <= self.most
            )
        if not fits:
            raise InputError(
                "{name}={value}: give {allowed}",
                name=self.name,
                value=quoted(value),
                allowed=self.allowed,
            )

    def read(self, text: str) -> Option:
        """The value that a text stands for; the text itself where it stands for none."""
        if self.kind is bool:
            return _TRUTHS.get(text.lower(), text)
        if self.kind is int and text not in self.values:
            try:
                return int(text)
            except ValueError:
                return text
        return text

    def document(self) -> dict[str, Any]:
        """The option as JSON: its name, kind, default, values and meaning, in English."""
        return {
            "name": self.name,
            "kind": self.kind.__name__,
            "default": self.default,
            "values": self.values,
            "least": self.least,
            "most": self.most,
            "allowed": self.allowed,
            "meaning": self.meaning,
        }


@cache
def declared_options(factory: Callable[..., Any]) -> Mapping[str, StrategyOption]:
    """The options of a strategy's class, or of what else makes it, by name, from its signature."""
    made = factory.__init__ if isinstance(factory, type) else factory  # type: ignore[misc]
    try:
        hints = get_type_hints(made, include_extras=True)
    except (NameError, TypeError):  # annotations of somebody else that cannot be read
        hints = {}
    options = {}
    for name, parameter in inspect.signature(factory).parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY:
            continue
        hint, declared = hints.get(name), StrategyOption()
        if get_origin(hint) is Annotated:
            told = [extra for extra in get_args(hint) if isinstance(extra, StrategyOption)]
            declared = told[0] if told else declared
        options[name] = replace(declared, name=name, default=parameter.default)
    return options


def check_options(strategy: type, **values: Option) -> dict[str, Option]:
    """The options that differ from the defaults of a strategy's class.

    Raises:
        InputError: an option does not take its value.
    """
    declared = declared_options(strategy)
    for name, value in values.items():
        declared[name].check(value)
    return {name: value for name, value in values.items() if value != declared[name].default}
