"""Pages: their language and its texts, Jinja2 templates with filters, links to static files.

The catalogue of a language is `locale/LANGUAGE/LC_MESSAGES/web.mo`. A text that it lacks is looked
up in the catalogue of the program (`pegwise.i18n`). The English texts are the source.
"""

from __future__ import annotations

import gettext
import json
import math
import re
import time
import zlib
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from pegwise._version import __version__
from pegwise.errors import InputError, PegwiseError, Phrase, UnknownNameError
from pegwise.game import NAMED_GAMES, Game
from pegwise.game.codes import Code
from pegwise.game.game import game_title
from pegwise.game.jar import jar_pegs
from pegwise.game.marking import BOARD_MARKINGS, Marking
from pegwise.game.marks import Mark, PartialMark, PlacedMark
from pegwise.i18n import LANGUAGES, SOURCE, figure, speaking, tr, translated, whole
from pegwise.i18n import catalogue as program_catalogue
from pegwise.strategies.registry import cards
from pegwise.telling.blocks import Bars, Share, cell_text
from pegwise.telling.puzzle import question
from pegwise.telling.race import strategy_name
from pegwise.telling.review import guess_verdict
from pegwise.telling.strategies import credit, options_told
from pegwise.telling.words import codes, cost_words, mark_words, rules_parts
from pegwise.web.games_of_folder import offered
from pegwise.web.session import visitor_id

_FOLDER: Final = Path(__file__).parent
STATIC: Final = _FOLDER / "static"

_SILENCE: Final = 15.0  # seconds without news after which a connection says that it is alive
_BILLION: Final = 10**9  # from here on numbers are rounded: 2.48 × 10¹⁸
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_TONE: Final = re.compile(
    r'class="pw-(?:fill|line)-([\w-]+)" (fill|stroke)="[^"]*"(?: \2-opacity="[^"]*")?'
)
_ATTRIBUTES: Final = re.compile(r' (?:style|role|aria-label)="[^"]*"')
_QUOTED: Final = re.compile(r"`([^`]+)`")
_IMPORT: Final = re.compile(r'from "\./(\w+)\.js";')
_WORDS: Final = re.compile(r"<(title|desc)>.*?</\1>", re.DOTALL)


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The texts of a language; none for the source."""
    if language == SOURCE:
        return gettext.NullTranslations()
    translations = gettext.translation("web", _FOLDER / "locale", [language])
    translations.add_fallback(program_catalogue(language))
    return translations


def language_of(request: Request) -> str:
    """The language of a request: `?lang=`, which the session keeps; else the browser's."""
    session = request.session
    chosen = request.query_params.get("lang", "")
    if chosen in LANGUAGES:
        if session.get("lang") != chosen:
            session["lang"] = chosen
        return chosen
    stored = str(session.get("lang", ""))
    if stored in LANGUAGES:
        return stored
    return _accepted(request.headers.get("accept-language", ""))


def _accepted(header: str) -> str:
    """The best language of an Accept-Language header such as `fr-CH, en;q=0.8`."""
    language, best = SOURCE, 0.0
    for part in header.split(",")[:20]:
        tag, _, quality = part.strip().partition(";")
        name = tag.strip().lower().partition("-")[0]
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if name in LANGUAGES and weight > best:
            language, best = name, weight
    return language


@cache
def script_texts(script: str, language: str, *kinds: str) -> dict[str, str | list[str]]:
    """The texts that a script and what it imports show, in a language.

    The English ones are `texts.json`: for each script or subject, and for the board that all have.
    A place for a value is written `{name}`. A text that depends on a number is a list of singular
    and plural. Games of other kinds, `words`, `placed` or `marked`, have some texts of their own,
    as have pages that address children, `familiar`, and those on which a game is played, `hand`.
    """
    texts = json.loads((_FOLDER / "texts.json").read_text(encoding="utf-8"))
    translations = catalogue(language)
    own = script if script in texts else script.partition("_")[0]
    by_hand = ("hand",) if "game" in scripts_of(script) else ()
    sections = [texts[name] for name in ("board", own, *kinds, *by_hand)]
    return {
        key: translations.gettext(text)
        if isinstance(text, str)
        else [translations.ngettext(text[0], text[1], n) for n in (1, 2)]
        for section in sections
        for key, text in section.items()
    }


def render(
    request: Request,
    name: str,
    /,
    *,
    page: str = "",
    error: PegwiseError | None = None,
    data: dict[str, Any] | None = None,
    rules: Game | None = None,
    kinds: Sequence[str] = (),
    **context: Any,
) -> HTMLResponse:
    """A page by the name of its template; a script of that name gets texts, data and the rules.

    It belongs to the page of the navigation with which its name begins, or to another `page`. With
    an error, it says what is wrong as `problem`; without one, the session of the visitor begins.

    The script gets texts of these kinds beside those of the rules (see `script_texts`).

    Beside the context, a template has `_` and `ngettext` (and the `trans` tag), `lang`,
    `languages`, `static` (the address of a static file), `version`, `request`.
    """
    language = language_of(request)
    if not error:
        visitor_id(request)
    if script := (STATIC / f"{name}.js").exists():
        of_rules = _kinds_of_texts(rules) if rules else ()
        context["words"] = script_texts(name, language, *of_rules, *kinds)
    problem = translated(error.phrase.unadvised, language) if error else ""
    if not problem.startswith(str(rules)):
        problem = problem[:1].upper() + problem[1:]
    text = template_of(f"{name}.html.j2", language).render(
        request=request,
        page=page or name.partition("_")[0],
        script=script and name,
        scripts=scripts_of(name) if script else (),
        problem=problem,
        rules=rules,
        data=(_rules_data(rules, language) if rules else {}) | (data or {}),
        lang=language,
        languages=LANGUAGES,
        version=__version__,
        **context,
    )
    status = getattr(error, "status", 422) if error else 200
    headers = {"content-language": language, "vary": "accept-language"}
    headers |= getattr(error, "headers", {})  # a page that waits for kernels asks again by itself
    return HTMLResponse(text, status, headers)


def render_piece(request: Request, name: str, /, **context: Any) -> HTMLResponse:
    """A piece of a page that a script puts into it, by the name of its template."""
    language = language_of(request)
    text = template_of(f"{name}.html.j2", language).render(lang=language, **context)
    return HTMLResponse(text, headers={"content-language": language, "vary": "accept-language"})


async def form_fields(request: Request) -> dict[str, str]:
    """The fields that a form has sent."""
    body = (await request.body()).decode(errors="replace")
    try:
        return dict(await to_thread(parse_qsl, body, max_num_fields=9))
    except ValueError:
        raise InputError("this form has too many fields") from None


def attachment(content: str | bytes, kind: str, name: str) -> Response:
    """A file to download."""
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=disposition)


Look = tuple[str, list[tuple[str, str]]]
"""The state of a thing as JSON; other events of it, by name and data."""


def event_stream(looks: AsyncIterator[Look], seen: str) -> StreamingResponse:
    """An answer of server-sent events: `progress` with each new state, and the other events.

    Where nothing is new, `alive` tells a quiet connection from a dead one. A browser that comes
    again tells the stamp of the last state that it has `seen`.
    """
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_events(looks, seen), media_type="text/event-stream", headers=headers)


async def _events(looks: AsyncIterator[Look], seen: str) -> AsyncIterator[str]:
    yield "retry: 1000\n\n"
    heard = time.monotonic()
    async for state, events in looks:
        stamp = f"{zlib.crc32(state.encode()):08x}"
        news = events if stamp == seen else [("progress", state), *events]
        for name, data in news:
            yield f"event: {name}\nid: {stamp}\ndata: {data}\n\n"
        if news:
            seen, heard = stamp, time.monotonic()
        elif time.monotonic() - heard > _SILENCE:
            yield "event: alive\ndata: {}\n\n"
            heard = time.monotonic()


def _kinds_of_texts(rules: Game) -> Iterator[str]:
    """The kinds of games that have texts of their own to which these rules belong."""
    if rules.alphabet.are_words:
        yield "words"
    if rules.marking.cells:
        yield "placed"
    elif rules.marking.worded or rules.marking.counted == "X":
        yield "marked"


def _rules_data(rules: Game, language: str) -> dict[str, Any]:
    """Rules as scripts read them; the number of codes as text, for it may be long."""
    codes = rules.alphabet
    data: dict[str, Any] = {
        "text": rules.named,
        "pegs": rules.pegs,
        "colors": rules.colors,
        "codes": str(rules.n_secrets),
        "distinct": rules.alphabet.distinct,
        "blank": rules.alphabet.blank,
        "digits": codes.in_digits,
        "typed": codes.typed,
        "marks": _marks_data(rules.marking, language),
    }
    if not codes.named:
        data["letters"] = codes.signs.write()
    return {"rules": data}


def _marks_data(marking: Marking, language: str) -> dict[str, Any]:
    """A marking as scripts read it: how its marks are written and drawn, and which there are."""
    with speaking(language):
        cells = [[cell.sign, cell.look, tr(cell.name)] for cell in marking.cells]
    data: dict[str, Any] = {
        "cells": cells,
        "counted": marking.counted,
        "used_up": marking.used_up,
        "worded": marking.worded,
        "impossible": marking.impossible,
        "example": marking.write(marking.legal[min(2, len(marking.legal) - 1)]),
        "won": str(marking.winning),
    }
    if (words := marking.words) is not None:
        data["words"] = {"black": words.black, "white": words.white, "nothing": words.nothing}
    return data


def strategy_words(label: str, language: str) -> dict[str, str]:
    """A strategy as a page names it, with the options that set it apart; authors and year."""
    for card in cards():
        if card.id == label.partition(":")[0]:
            with speaking(language):
                name = strategy_name(tr(card.name), label)
                return {"strategy": label, "name": name, "who": credit(card)}
    return {"strategy": label, "name": label, "who": ""}  # not installed any more


def check_name(label: str) -> None:
    """Refuse a strategy that is unknown, whatever its options."""
    ids = [card.id for card in cards()]
    if (name := label.partition(":")[0]) not in ids:
        raise UnknownNameError.of("strategy", name, ids)


def template_of(name: str, language: str) -> Template:
    """A template with the texts of a language."""
    return _environment(language).get_template(name)


@cache
def _environment(language: str) -> Environment:
    """The templates of a language; they are read once."""
    environment = Environment(
        loader=FileSystemLoader([_FOLDER / "templates", _FOLDER.parent / "pictures"]),
        autoescape=select_autoescape(disabled_extensions=("txt.j2",), default=True),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # what scripts are sent keeps its accents: escaped they weigh three times as much
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}
    install: Any = environment
    install.install_gettext_translations(catalogue(language), newstyle=True)
    environment.globals["static"] = _static
    environment.globals["markings"] = BOARD_MARKINGS
    environment.globals["named_games"] = NAMED_GAMES
    environment.globals["file_games"] = offered
    environment.filters.update(filters(language))
    environment.tests["a_code"] = lambda value: isinstance(value, Code)
    environment.tests["a_mark"] = lambda value: isinstance(value, Mark | PlacedMark)
    environment.tests["bars"] = lambda value: isinstance(value, Bars)
    environment.tests["share"] = lambda value: isinstance(value, Share)
    return environment


def _stamp() -> str:
    """A text that changes when a static file does."""
    files = sorted(STATIC.iterdir())
    stats = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return f"v{zlib.crc32(repr(stats).encode()):08x}"


STAMPED: Final = f"/static/{_stamp()}"
"""The folder of static files by an address that changes when one of them does.

Scripts import others from their own folder, so that nothing in it has to be asked for again.
"""


def _static(name: str) -> str:
    return f"{STAMPED}/{name}"


@cache
def scripts_of(script: str) -> tuple[str, ...]:
    """A script and those that it imports, directly or not: a browser can load them at once."""
    names = [script]
    for name in names:
        text = (STATIC / f"{name}.js").read_text(encoding="utf-8")
        names += [other for other in _IMPORT.findall(text) if other not in names]
    return tuple(names)


def filters(language: str) -> dict[str, Callable[..., Any]]:
    """The filters of a language.

    `duration` is a time as a clock shows it.
    `number` writes a number with a number of decimals, `signed` the same with its sign, `percent`
    a share. `whole` is a number to choose a plural by. `spoken` sets the letters of a code apart.
    `amount` is what a choice costs, `verdict` the coach's word for it.
    `question` is what a puzzle asks. `options_told` are the options of a strategy as
    blocks, `credit` who described it. `game_title` is what people call a game, `rules_parts` what
    is to be said of them; `mark_words` is a mark in words, `codes` a number of codes, `cell_text`
    the cell of a table; `peg_sign` writes a letter of a code as the game does. `drawn` is a
    sentence whose codes a macro draws. `query` makes the query of an address. `prose` marks up what
    stands in backticks, and `inline_svg` embeds a drawing.
    """

    def number(value: float, digits: int = 0) -> str:
        if value >= _BILLION:
            # of what is rounded: 9.999 billions are 1.00 × 10¹⁰
            exponent = int(f"{value:.2e}".partition("e")[2])
            raised = str(exponent).translate(_RAISED)
            return f"{number(value / 10**exponent, 2)} × 10{raised}"
        with speaking(language):
            return figure(round(value, digits) + 0, f",.{digits}f")  # never -0.00

    def signed(value: float, digits: int = 2) -> str:
        rounded = round(value, digits)
        sign = "+" if rounded > 0 else "\N{MINUS SIGN}" if rounded < 0 else ""
        return sign + number(abs(rounded), digits)

    def spoken(words: Callable[..., Any]) -> Callable[..., Any]:
        def speak(*values: Any) -> Any:
            with speaking(language):
                return words(*values)

        return speak

    def drawn(text: str, draw: Callable[..., Markup], *size: str) -> Markup:
        if not isinstance(text, Phrase):
            return escape(text)
        translate = catalogue(language).gettext
        return text.unadvised.said(  # type: ignore[return-value]
            lambda template: escape(translate(template)),
            lambda template, **values: template.format(**values),
            lambda sign: draw(str(sign), *size),
        )

    return {
        "amount": spoken(cost_words),
        "verdict": spoken(guess_verdict),
        "credit": spoken(credit),
        "options_told": spoken(lambda name: [*options_told(name)]),
        "question": spoken(question),
        "mark_words": spoken(_mark_words),
        "rules_parts": spoken(rules_parts),
        "jar_pegs": lambda rules: str(jar_pegs(rules.jar)) if rules.jar else "",
        "codes": spoken(codes),
        "cell_text": spoken(cell_text),
        "number": number,
        "duration": _duration,
        "signed": signed,
        "percent": lambda share: spoken(figure)(math.floor(round(100 * share, 6)) / 100, ".0%"),
        "whole": lambda value, digits=0: whole(round(value, digits)),
        "spoken": _named,
        "color_name": _color_name,
        "peg_sign": _peg_sign,
        "game_title": game_title,
        "drawn": drawn,
        "query": lambda text: f"?{text}",
        "prose": _prose,
        "inline_svg": _inline_svg,
    }


def _duration(seconds: float) -> str:
    """A time as a clock shows it: 2:31, or 1:02:05 with hours."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _mark_words(text: str, rules: Game) -> str:
    """A mark as it is written, in words."""
    mark = rules.marking.printed.get(text)
    return mark_words(PartialMark.of_printed(text) if mark is None else mark, rules)


def _peg_sign(letter: str, rules: Game | None) -> str:
    """The letter of a peg, or its digit where the codes of the game are digits."""
    return letter if rules is None else rules.alphabet.sign_shown(letter)


def _color_name(letter: str, names: Sequence[Any]) -> Any:
    """The name of a color, by its letter; None where it is called by its letter."""
    place = ord(letter) - ord("A")
    return names[place] if 0 <= place < len(names) else None


def _named(code: str, names: Sequence[Any] = ()) -> str:
    """A code color by color, by letters or by names of one's own."""
    told = [(letter, _color_name(letter, names)) for letter in code]
    return " ".join(letter if name is None else name.name for letter, name in told)


def _prose(text: str) -> Markup:
    """A text of the sources, with commands and names in backticks, as HTML."""
    return Markup(_QUOTED.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704


def _inline_svg(drawing: str) -> Markup:
    """A drawing of `pictures`, which needs no escaping.

    The policy of the page allows no style attribute. The English words of the drawing are left
    out: the page describes it in its own language. Its tones are those of the page.
    """
    drawing = _TONE.sub(r'\2="var(--\1)"', drawing)
    silent = _WORDS.sub("", _ATTRIBUTES.sub("", drawing, count=3))
    return Markup(silent.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704
