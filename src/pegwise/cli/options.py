"""Options that commands share, JSON documents, files written whole, limits of memory.

Options that are hidden are shown by `--help-all`, the usual ones by `--help` too.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.progress import progress_bar
from pegwise.cli.terminal import completing, read_line, standard_input, tell, to_stderr, written
from pegwise.encoder import encoded
from pegwise.errors import (
    InputError,
    OutputError,
    PegwiseError,
    Phrase,
    RulesError,
    TooLargeError,
    UnknownNameError,
    quoted,
    system_reason,
)
from pegwise.game import NAMED, NAMED_GAMES, Game, WordList, game_of, parse_code
from pegwise.game.codes import NOTATIONS
from pegwise.game.jar import read_jar
from pegwise.game.names import SEVERAL, word_game
from pegwise.game.parallel import MAX_BOARDS
from pegwise.game.rules import FLAGS
from pegwise.game.words import (
    MAX_LETTERS,
    SYSTEM_WORDS,
    file_words,
    installed_words,
    read_words,
    system_words,
    use_words,
    words_of,
)
from pegwise.i18n import size_of, tr, trn
from pegwise.paths import TREE_SUFFIXES, new_beside, replacing

if TYPE_CHECKING:
    from pegwise.compute.backends import Cluster
    from pegwise.game import Game
    from pegwise.strategies import Strategy
_LEAST_SECONDS: Final = 0.01  # a shorter limit ends before anything is done
_MOST_SECONDS: Final = 1_000_000  # twelve days
_BOARDS: Final = ("4x6", "4x7", "4x8", "5x6", "5x8", "6x9", "4x10,distinct")
"""Boards that are proposed; any other can be typed."""


# parameters


def _rules_names(incomplete: str) -> list[str]:
    board, comma, _ = incomplete.rpartition(",")
    if comma:
        return [f"{board},{flag}" for flag in FLAGS if flag not in board.split(",")]
    return [*NAMED, *_BOARDS, *installed_words()]


def _strategy_names(_incomplete: str) -> Iterable[str]:
    from pegwise.strategies import names

    return names()


complete_rules: Final = completing(_rules_names)
complete_strategies: Final = completing(_strategy_names)


def parse_rules(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Game | None:
    """Rules as the callback of a parameter."""
    return None if text is None else game_of(text)


class WholeNumber(click.ParamType):  # type: ignore[type-arg]
    """A whole number in a range as a parameter."""

    name = "n"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            where = f"{'/'.join(param.opts)} " if param else ""
            raise InputError(
                "{where}{value}: give a whole number from {least} to {most}",
                where=where,
                value=quoted(str(value)),
                least=self.least,
                most=self.most,
            )
        return number


class Seconds(click.ParamType):  # type: ignore[type-arg]
    """A number of seconds as a parameter."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:  # noqa: ARG002
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not _LEAST_SECONDS <= seconds <= _MOST_SECONDS:
            raise InputError(
                "{option} {value}: give a number of seconds from {least} to {most}",
                option="/".join(param.opts),
                value=quoted(str(value)),
                least=_LEAST_SECONDS,
                most=_MOST_SECONDS,
            )
        return seconds


class _Size(click.ParamType):  # type: ignore[type-arg]
    """A size of memory as a parameter, in bytes."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002
        match = re.fullmatch(r"(\d{1,18}(?:\.\d+)?) ?([kmgt])(?:i?b)?", str(value).strip(), re.I)
        size = int(float(match[1]) * 1024 ** (" kmgt".index(match[2].lower()))) if match else 0
        if size < 1:
            raise InputError(
                "{option} {value}: write a size such as 512MiB or 2GiB",
                option="/".join(param.opts),
                value=quoted(str(value)),
            )
        return size


def strategy_option(name: str, **more: Any) -> Callable[..., Any]:
    """The option `-s`, under this name."""
    return click.option(
        "-s",
        "--strategy",
        name,
        metavar="ID[:OPTION=VALUE,...]|FILE.py|FOLDER/|program:COMMAND",
        shell_complete=complete_strategies,
        **more,
    )


class _PathOfName(click.Path):
    """A path that is typed; an empty text is none, where `pathlib` would read the folder `.`."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if value == "":
            raise InputError("'' is not the name of a file")
        return super().convert(value, param, ctx)


ANY_PATH: Final = _PathOfName(path_type=Path)
A_FILE: Final = _PathOfName(path_type=Path, dir_okay=False)


def _note(ctx: click.Context, param: click.Parameter, value: object) -> None:
    ctx.meta[f"pegwise.{param.name}"] = value


path_option: Final = partial(click.option, type=ANY_PATH, metavar="FILE")
file_option: Final = partial(click.option, type=A_FILE, metavar="FILE")
force_option: Final = click.option(
    "--force",
    hidden=True,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_note,
    help="Replace existing files without asking.",
)
"""The option that `check_replaced` looks for."""


def _options_of(command: Callable[..., Any]) -> set[str]:
    """The options that a command has so far."""
    return {name for option in vars(command).get("__click_params__", ()) for name in option.opts}


def writable(ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a path that cannot be written before any work; the callback of an option."""
    if path is not None and not ctx.resilient_parsing:
        check_writable(path)
    return path


def _replaceable(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    writable(ctx, param, path)
    if not ctx.resilient_parsing:
        check_output(path)
    return path


def check_output(path: Path | None) -> None:
    """Refuse to replace a file that holds something, as `check_replaced`."""
    if path is not None and path.is_file() and path.stat().st_size:
        check_replaced(repr(str(path)))


def output_option(*names: str, checked: bool = True, **more: Any) -> Callable[..., Any]:
    """An option for a file to write, and `--force`, which says that it may be replaced.

    What cannot be written, or is not to be replaced, is refused before any work. If not `checked`,
    the command calls `check_output` itself, once it knows whether it wrote the file.
    """
    option = path_option(*names, callback=_replaceable if checked else writable, **more)

    def decorate(command: Callable[..., Any]) -> Any:
        forced = "--force" in _options_of(command)
        return option(command if forced else force_option(command))

    return decorate


def length_option(**more: Any) -> Callable[[Any], Any]:
    """The option `--length`, which chooses among words of several lengths."""
    return click.option(
        "--length",
        hidden=True,
        type=WholeNumber(1, MAX_LETTERS),
        help="Use only the words of N letters.",
        **more,
    )


def words_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--words`, `--also` and `--length`, whose list `listed_words` reads."""
    noted: dict[str, Any] = {"is_eager": True, "expose_value": False, "callback": _note}
    words_option = file_option(
        "--words",
        help="Play with the words of this file, - for standard input, or english or french for "
        "those of the system; RULES are then flags, as in placed.",
        **noted,
    )
    more_option = also_option(**noted)
    decorated: Callable[..., Any] = words_option(length_option(**noted)(more_option(command)))
    return decorated


def also_option(**more: Any) -> Callable[[Any], Any]:
    """The option `--also` for a file of more guesses."""
    return file_option(
        "--also",
        hidden=True,
        help="Words that may be guessed, but are never hidden.",
        **more,
    )


def listed_words() -> WordList | None:
    """The list of `--words`, which rules may name from now on; None without the option."""
    meta = click.get_current_context().meta
    if _LISTED not in meta:
        words, length = meta.get("pegwise.words"), meta.get("pegwise.length")
        if words is None and length is not None:
            raise InputError("--length {n}: give --words too", n=length)
        meta[_LISTED] = None
        if words is not None:
            meta[_LISTED] = listed = read_list(words, more_words(), length=length)
            use_words(listed)
    chosen: WordList | None = meta[_LISTED]
    return chosen


jar_option: Final = click.option(
    "--jar",
    metavar="JAR",
    is_eager=True,
    expose_value=False,
    callback=_note,
    help="Draw each peg of the code from a jar, such as A4B2C1: four pegs A, two B and one C.",
)
"""The option `--jar`, which `named_rules` reads."""


_LISTED: Final = "pegwise.list"  # the list of `--words`, once it is read


def read_list(
    source: Path, also: Path | None, name: str = "", *, length: int | None = None
) -> WordList:
    """The list of a file, of standard input (`-`) or of the system; what is left out is told."""
    more = () if also is None else file_words(also)
    if str(source) == "-":
        words = words_of(standard_input().read())
        listed = WordList.of(name or "words", words, more, length=length)
    elif str(source) in SYSTEM_WORDS and not source.exists():
        listed = WordList.of(name or str(source), system_words(str(source)), more, length=length)
    else:
        listed = read_words(source, also, name, length=length)
    if n := listed.doubles:
        to_stderr(
            trn(
                "{n:,} word comes again in the list {name}, and counts once.",
                "{n:,} words come again in the list {name}, and count once.",
                n,
                name=listed.name,
            )
        )
    if n := listed.others:
        to_stderr(
            trn(
                "{n:,} word has another length than {length} and is left out.",
                "{n:,} words have other lengths than {length} and are left out.",
                n,
                length=listed.n_letters,
            )
        )
    return listed


def named_rules(text: str | None) -> Game:
    """The rules of a text, or of its flags on the list of `--words`; 4x6 without either.

    `--also` widens the list of `--words`, or that of the rules: `wordle` where none are named.
    """
    listed, also = listed_words(), more_words()
    if (jar := typed_jar()) is not None:
        if listed is not None or also is not None:
            raise InputError("--jar {jar}: words are not drawn from a jar", jar=quoted(jar))
        return _with_jar(text, jar)
    if listed is None and also is not None:
        click.get_current_context().meta[_TYPED] = typed = "wordle" if text is None else text
        return _widened(game_of(typed), also)
    if listed is None:
        return game_of("4x6" if text is None else text)
    if text is not None and text.startswith(listed.name):
        return game_of(text)
    if text is not None and (game := NAMED_GAMES.get(text.lower())) and game.on_words:
        marks, *hard = game.rules.split(",")[1:]
        return word_game(listed, marks, hard=bool(hard), called=text.lower())
    if text is not None and not set(text.split(",")) <= {"black", "placed", "hard"}:
        raise InputError(
            "{text} beside --words: the file has the words, so RULES can be the flags black, "
            "placed and hard only",
            text=quoted(text),
        )
    return game_of(listed.name if text is None else f"{listed.name},{text}")


def typed_jar() -> str | None:
    """The jar of `--jar`."""
    jar: str | None = click.get_current_context().meta.get("pegwise.jar")
    return jar


def _with_jar(text: str | None, jar: str) -> Game:
    """The board of a text, with a jar; without a text four pegs, and the colors of the jar."""
    if text is None:
        return game_of(f"4x{len(read_jar(jar))},{jar}")
    if (game := game_of(text)).rules is None:
        raise InputError(
            "--jar {jar}: {game} is not drawn from a jar; give the rules of a board, such as 4x6",
            jar=quoted(jar),
            game=game.named,
        )
    return game_of(f"{game.text},{jar}")


def typed_words(rules: Game) -> tuple[str, list[str]]:
    """The text of rules for a command, and the options of words that it needs."""
    meta = click.get_current_context().meta
    values = {name: meta.get(f"pegwise.{name}") for name in ("words", "also", "length")}
    options = [
        word
        for name, value in values.items()
        if value is not None
        for word in (f"--{name}", str(value))
    ]
    widened = values["words"] is None and values["also"] is not None
    return str(meta[_TYPED]) if widened else str(rules), options


_TYPED: Final = "pegwise.typed"  # rules that `--also` widens, as they were typed


def more_words() -> Path | None:
    """The file of `--also`."""
    path: Path | None = click.get_current_context().meta.get("pegwise.also")
    return path


def _widened(rules: Game, also: Path) -> Game:
    """These rules with more words that may be guessed."""
    try:
        words = rules.alphabet.widened(file_words(also))
    except InputError as error:
        raise InputError("--also {path}: {error}", path=quoted(str(also)), error=error) from None
    use_words(words)
    return game_of(",".join([str(words), *rules.text.split(",")[1:]]))


def rules_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument RULES, with the options of `words_options`."""
    argument = click.argument(
        "rules",
        required=False,
        metavar="[RULES]",
        shell_complete=complete_rules,
        callback=_rules_or_example,
    )
    return argument(words_options(command))


def _rules_or_example(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Game:
    try:
        return named_rules(text)
    except (RulesError, UnknownNameError) as error:
        if text is None:
            raise
        raise with_example(error, text) from None


def with_example(error: InputError, text: str) -> InputError:
    """The error that a text is no rules, with the command that was probably meant, if any."""
    if (example := nearest_example(text)) is None:
        return error
    if isinstance(error, UnknownNameError):  # which has its own proposal
        return InputError("unknown rules {text}; {example}", text=quoted(text), example=example)
    return InputError("{error}; {example}", error=error, example=example)


def _board_or_list(code: str) -> Game | None:
    """The game that a code seems to be of: a board, or the words of `wordle`."""
    from pegwise.reading.codes import infer_codes

    words = game_of("wordle")
    with suppress(InputError):
        parse_code(code, words)
        return words
    with suppress(InputError):
        board = infer_codes([code]).rules
        return None if code.isalpha() and board.colors > 10 else board
    return None


_WORDLES: Final = {
    "dordle": 2, "quordle": 4, "octordle": 8, "sedecordle": 16, "duotrigordle": 32
}  # fmt: skip
"""How many words of `wordle` the games of these names hide."""


def _is_turn(text: str) -> bool:
    """Whether a text is a turn on 4x6."""
    from pegwise.reading import HistoryReader

    with suppress(InputError):
        return bool(HistoryReader(game_of("4x6")).read(text).turns)
    return False


def _with_rules(command: str, rules: str) -> str:
    """The command with these rules; "" if they are none."""
    with suppress(InputError):
        game_of(rules)
        return f"{command} {rules}"
    return ""


def nearest_example(text: str) -> Phrase | None:
    """The command that was probably meant by a text that stands where rules do."""
    from pegwise.strategies import names

    context = click.get_current_context()
    command = context.info_name or ""
    own = {name for option in context.command.params for name in option.opts}
    if size := re.fullmatch(r"([0-9]{1,2})(?:[^0-9a-z]+|[a-z]{1,2})([0-9]{1,2})(,.*)?", text, re.I):
        words = _with_rules(command, f"{size[1]}x{size[2]}{size[3] or ''}")
    elif re.fullmatch("[1-9][1-9]", text):
        words = _with_rules(command, f"{text[0]}x{text[1]}")
    elif (several := _WORDLES.get(text.lower())) and "--secrets" in own:
        words = f"{command} wordle --secrets {several}"
    elif (file := Path(f"{text}.py")).is_file():
        a_game = "FiniteGame" in file.read_text("utf-8", errors="replace")
        words = f"{command} {file}"
        if not a_game:
            words = f"{command} 4x6 -s {file}" if "-s" in own else ""
    elif re.search("[=:]", text):
        words = f"candidates 4x6 {text}" if _is_turn(text) else ""
    elif "-s" in own and text.lower() in names():
        words = f"{command} 4x6 -s {text.lower()}"
    else:
        board, turn = _board_or_list(text), f"{text}=XO"
        if board is None or board.pegs < 3:
            return None
        if board.alphabet.are_words:
            turn = f"{board.named} {text}={'GY'.ljust(board.pegs, '-')}"
        if command in ("candidates", "explain", "why"):
            words = f"{command} {turn}"
        else:
            words = f"{command} {board.named} --secret {text}" if "--secret" in own else ""
    return Phrase("did you mean 'pegwise {command}'?", command=words) if words else None


def refuse_strategies(turns: Iterable[str], rules: Game) -> None:
    """InputError: among turns of a board stands the name of a strategy that `-s` takes."""
    own = {name for option in click.get_current_context().command.params for name in option.opts}
    words = (
        [text for text in turns if "=" not in text] if rules.alphabet.named and "-s" in own else []
    )
    if not words:
        return
    from pegwise.strategies import names

    for text in words:
        if text.lower() in names():
            raise InputError(
                "cannot read turn {text}: name a strategy after -s, as in -s {strategy}",
                text=quoted(text),
                strategy=text.lower(),
            )


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
seed_option = click.option(
    "--seed",
    type=WholeNumber(0, 10**18),
    default=0,
    show_default=True,
    help="The seed of random choices.",
)
notation_option = click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    help="How codes are written; as they are typed when not given.",
)
secrets_option = click.option(
    "--secrets",
    "n_secrets",
    type=WholeNumber(1, MAX_BOARDS),
    default=1,
    metavar="N",
    help="Hide N secrets at once: wordle --secrets 4, or wordle*4, is Quordle.",
)


class SecretsCommand(click.Command):
    """A command with `secrets_option`: rules may tell the number of secrets, as in `wordle*4`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take rules with a number of secrets for two arguments."""
        for at, text in enumerate(args):
            several = SEVERAL.fullmatch(text)
            if several is None or "=" in text:
                continue
            if any(other.startswith("--secrets") for other in args):
                raise InputError(
                    "{rules} tells the number of secrets: leave out --secrets", rules=quoted(text)
                )
            args = [*args[:at], several[1], "--secrets", several[2], *args[at + 1 :]]
            break
        return super().parse_args(ctx, args)


cluster_option = click.option(
    "--cluster",
    hidden=True,
    metavar="ADDRESS",
    help="Work on the machines of a Dask scheduler, such as tcp://10.0.0.1:8786.",
)
jobs_option = click.option(
    "--jobs",
    type=WholeNumber(1, 1024),
    help="How much runs at once, which changes no result; by default all cores on large boards.",
)
memory_option = click.option(
    "--memory",
    hidden=True,
    type=_Size(),
    metavar="SIZE",
    help="The most memory to use, such as 512MiB or 2GiB; refused at once if it is not enough.",
)


weights_option = file_option(
    "--weights",
    hidden=True,
    help="How often each code is hidden: lines of a code and a whole number.",
)


def weighted_game(rules: Game, weights: Path | None) -> Game:
    """The game, with the weights of a file if there is one."""
    from pegwise.game import game_of
    from pegwise.game.weights import read_weights

    return game_of(rules, None if weights is None else read_weights(weights, game_of(rules)))


TREE_FORMATS: Final = tuple(dict.fromkeys(TREE_SUFFIXES.values()))
tree_output_option = output_option(
    "-o",
    "--output",
    help="Write the tree here; the suffix chooses the format: .tree, .txt, .viaud, .irving, "
    ".csv, .json, .dot, .gv, .svg.",
)
tree_format_option = click.option(
    "--format",
    "form",
    type=click.Choice(TREE_FORMATS),
    help="Write in this format instead of that of the suffix; to standard output without -o.",
)


def tree_format(output: Path, form: str | None) -> str:
    """The format in which to write a tree."""
    suffix = output.suffix.lower()
    if form is None and suffix not in TREE_SUFFIXES:
        raise InputError(
            "cannot tell the format from {output}: end it in {suffixes}, or give --format "
            "{formats}",
            output=repr(str(output)),
            suffixes=", ".join(TREE_SUFFIXES),
            formats="|".join(TREE_FORMATS),
        )
    return form or TREE_SUFFIXES[suffix]


def gathered(record: type, name: str, *options: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: options whose values a command gets as one dataclass, in a parameter `name`."""
    names = [field.name for field in fields(record)]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_record(*args: Any, **values: Any) -> Any:
            return command(*args, **{name: record(**{k: values.pop(k) for k in names})}, **values)

        for option in reversed(options):
            with_record = option(with_record)
        return with_record

    return decorate


def check_distinct(*paths: Path | None) -> None:
    """Refuse one file for two outputs, by InputError."""
    used: set[Path] = set()
    for path in filter(None, paths):
        if path.absolute() in used:
            raise InputError(
                "{path} is given for two outputs: give each its own file", path=repr(str(path))
            )
        used.add(path.absolute())


@dataclass(frozen=True)
class Resources:
    """Limits of a command, as they were typed; `memory` in bytes."""

    jobs: int | None
    cluster: str | None
    memory: int | None

    def check(
        self, rules: Game, where: object, strategies: Iterable[Strategy], *, listed: bool = True
    ) -> None:
        """Refuse trees that take more memory than allowed on this machine, by TooLargeError."""
        from pegwise.arena.plan import memory_of
        from pegwise.compute.backends import Processes

        threads = all(strategy.compiles for strategy in strategies)
        workers = where.workers if isinstance(where, Processes) and not threads else 0
        needed = memory_of(rules, listed=listed) * (1 + workers)
        check_memory(self.memory, needed, rules, by_jobs=workers > 0)


@dataclass(frozen=True)
class EntrantLimits:
    """Limits of a file or program of others: seconds, and bytes of memory."""

    guess_seconds: float
    start_seconds: float
    entrant_memory: int


resource_options = gathered(Resources, "resources", jobs_option, cluster_option, memory_option)


def cluster_at(address: str | None) -> Cluster | None:
    """The cluster at an address, if one is named; tells the user that it has no workers yet."""
    if address is None:
        return None
    from pegwise.compute.backends import Cluster

    with progress_bar(tr("looking for {address}", address=address)):
        cluster = Cluster(address)
    if cluster.empty:
        tell("No worker has joined {address} yet; work begins when one does.", address=address)
    return cluster


limit_options = gathered(
    EntrantLimits,
    "limits",
    click.option(
        "--guess-seconds",
        hidden=True,
        type=Seconds(),
        default=10.0,
        show_default=True,
        metavar="SECONDS",
        help="The time that a file or program of others has for a guess.",
    ),
    click.option(
        "--start-seconds",
        hidden=True,
        type=Seconds(),
        default=30.0,
        show_default=True,
        metavar="SECONDS",
        help="The time that it has for its first answer.",
    ),
    click.option(
        "--entrant-memory",
        hidden=True,
        type=_Size(),
        default="2GiB",
        show_default=True,
        metavar="SIZE",
        help="The memory that it may take.",
    ),
)


def parse_strategies(names: Iterable[str], seed: int, limits: EntrantLimits) -> list[Strategy]:
    """The strategies as typed, all those of a folder; errors as `parse_strategy`."""
    from pegwise.strategies.entrants import Limits
    from pegwise.strategies.registry import strategies_of

    allowed = Limits(limits.guess_seconds, limits.entrant_memory, limits.start_seconds)
    return [strategy for name in names for strategy in strategies_of(name, seed, allowed)]


def parse_strategy(text: str, seed: int) -> Strategy:
    """The strategy as typed; `seed` is for one that draws and has no seed of its own."""
    from pegwise.strategies import parse_any

    return parse_any(text, seed)


# output


def print_json(document: Any) -> None:
    """One JSON document on standard output, with results as `encoded` writes them."""
    click.echo(json.dumps(encoded(document), ensure_ascii=False))


def check_writable(path: Path) -> None:
    """Refuse now, before long work, a path that cannot be written, by OutputError."""
    with _explained(path):
        new_beside(path).unlink()


def check_replaced(names: str) -> None:
    """Refuse to replace what is there, of these names, unless `--force` or an answer says so.

    Raises:
        OutputError: the answer at the terminal is no; or there is no terminal to ask at.
    """
    confirm(
        tr("This replaces {names}. Go on? (yes or no)", names=names),
        OutputError(
            "this would replace {names}: give --force, or choose another name", names=names
        ),
        OutputError("nothing is replaced: choose another name"),
    )


def confirm(question: str, silent: OutputError, refused: OutputError) -> None:
    """Go on with `--force`, or after a yes at the terminal.

    Raises:
        OutputError: `silent` where there is no terminal to ask at, `refused` after another answer.
    """
    if click.get_current_context().meta.get("pegwise.force"):
        return
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
        raise silent
    answer = read_line(f"{question} ", err=True).strip().lower()
    if answer not in {word for yes in ("yes", tr("yes")) for word in (yes, yes[:1])}:
        raise refused


def write_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file, whole or not at all; OutputError says why it cannot be written."""
    with _explained(path), replacing(path) as beside:
        if isinstance(content, bytes):
            beside.write_bytes(content)
        else:
            with beside.open("wb") as file:
                file.writelines(content)
        beside.chmod(0o644)
    written.append(str(path))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise OutputError that says why no file can be written at a path."""
    name = repr(str(path))
    try:
        if path.is_dir():
            raise OutputError("cannot write {path}: it is a folder", path=name)
        if path.exists() and not path.is_file():
            raise OutputError("cannot write {path}: it is not a regular file", path=name)
        if not path.parent.is_dir():
            raise OutputError(
                "cannot write {path}: there is no folder {parent}",
                path=name,
                parent=repr(str(path.parent)),
            )
        yield
    except PegwiseError:
        raise
    except OSError as error:
        raise OutputError(
            "cannot write {path}: {reason}", path=name, reason=system_reason(error)
        ) from error


# memory


def check_memory(limit: int | None, needed: int, board: object, *, by_jobs: bool = False) -> None:
    """Refuse work that is estimated to take more bytes than allowed, by TooLargeError.

    Where `by_jobs`, fewer jobs take less.
    """
    if limit is not None and needed > limit:
        from pegwise.compute.machine import total_memory

        less = Phrase("fewer --jobs or a smaller board" if by_jobs else "a smaller board")
        values = {"board": board, "needed": size_of(needed), "limit": size_of(limit), "less": less}
        if needed > total_memory():
            raise TooLargeError(
                "{board} takes some {needed} of memory, more than this machine has: give {less}",
                **values,
            )
        raise TooLargeError(
            "{board} takes some {needed} of memory, and --memory allows {limit}: allow more, or "
            "give {less}",
            **values,
        )
