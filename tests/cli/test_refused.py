"""Input that commands refuse: one sentence that quotes it, status 2, and nothing written."""

import os
import shlex
from pathlib import Path

import pytest

from tests.cli.running import Run, refused

DATA = Path(__file__).parent.parent / "data"
LONG = "x" * 300
PROTOCOL = "race --protocol marechal-rastoix"

REFUSED = [
    # rules
    ("race 4x0", "rules '4x0': colors must be 1 to 26, not 0"),
    ("race -4x6", "-4"),
    ("race 9x9", "9x9 has 387,420,489 secrets, too many to play each (at most 20,000,000)"),
    # jars
    ("play 4x6 --jar A4B2C1", "the jar A4B2C1 has 3 colors, and the board 6"),
    ("play --jar red", "cannot read the jar 'red'"),
    ("play wordle --jar A4B2", "--jar 'A4B2': wordle is not drawn from a jar"),
    ("play 4x2,A1B1 --jar A4B2", "give only one jar, not 'a1b1', 'a4b2'"),
    ("play --jar A4B2 --codemaker evil", "the codemaker cannot be evil"),
    (f"{PROTOCOL} --jar A4B2", "a protocol has its own rules"),
    ("race --jar A4B2 --openings -s entropy", "first guesses are not of few kinds"),
    ("race --jar A4B2 --losses -s knuth", "losses count every code once"),
    ("race 4x6 --jar A4B2C1D1E1F1 --weights w.txt", "w.txt"),
    ("value 2x2,A3B1", "weights"),
    # strategies
    ("race -s knut", "unknown strategy 'knut' (did you mean 'knuth'?); known: first, random, "),
    ("race 3x4 -s greenwell", "greenwell plays 4x6 only, not 3x4"),
    ("race 16x26 --games 5 -s knuth", "knuth: 16x26 has"),
    ("solve 2x16 -s static --secret AB", "static knows no fixed set of guesses for 2x16"),
    ("play 5x7 --codemaker optimal --seed 4", "run 'pegwise value 5x7' first"),
    ("play --codemaker evli", "did you mean 'evil'"),
    ("play --codemaker evil --seed 3", "an evil codemaker draws nothing"),
    # numbers
    ("race --games -1", "--games '-1': give a whole number from 1 to 20,000,000"),
    ("race --seed x", "--seed 'x': give a whole number from 0 to 1"),
    ("static 2x3 --jobs 0", "--jobs '0': give a whole number"),
    ("static 2x3 --size -1", "--size '-1': give a whole number from 0"),
    ("show --depth 0 file", "--depth '0': give a whole number from 1"),
    ("race --memory two", "--memory 'two': write a size such as 512MiB or 2GiB"),
    ("race --game 5", "No such option"),
    # files
    ("candidates 4x6 paper.txt", "'paper.txt' is a file; its turns are read from standard input"),
    ("race 2x2 --chart chart.gif", "'chart.gif': end it in one of .html, .png, .svg"),
    ("race 2x2 --report race.pdf", "a report is an HTML page: end 'race.pdf' in .html"),
    ("race 2x2 --csv no/where.csv", "cannot write 'no/where.csv': there is no folder 'no'"),
    ("race 2x2 --report .", "cannot write '.': it is a folder"),
    (f"race 2x2 --csv {LONG}", "File name too long"),
    (f"race 2x2 --csv {os.devnull}", "it is not a regular file"),
    ("race 2x2 --csv a.csv --turns ./a.csv", "is given for two outputs: give each its own file"),
    ("tree 4x6 -s first -o x.pdf", "cannot tell the format from 'x.pdf'"),
    ("tree 4x6 -s first -o no/x.tree", "there is no folder 'no'"),
    ("tree 4x6 -s first --format tree", "a tree file is not text"),
    ("tree 4x6 -s first --format csv --json", "--json prints one document"),
    ("static 2x2 -o .", "it is a folder"),
    ("value 3x3 -o nowhere/a.value", "no folder"),
    ("optimal 2x2 -o x", "cannot tell the format from 'x': end it in .tree, .txt"),
    ("optimal 2x2 --within 2 --against knuth", "each say what is best: give one of them"),
    ("optimal 2x2 --within 2 --certificate a", "proves totals and worst cases only"),
    ("optimal 2x2 --against a.tree", "3x4"),
    ("optimal 2x2 --utility file", "line 1: "),
    ("optimal 2x2 --certificate a --effort 1", "give no --guesses and --effort"),
    ("optimal 2x2 --format csv", "--format is for -o FILE"),
    ("optimal 2x2 --checkpoint file", "'file' is not a checkpoint of such a search"),
    ("value 2x2 --checkpoint a.tree", "'a.tree' is not a checkpoint of such a search"),
    ("static 2x2 --checkpoint no/c", "cannot write 'no/c': there is no folder 'no'"),
    # games
    ("solve --save file", "is not a record of a game"),
    ("solve --save given-up.txt", "another name"),
    ("solve --save marked.txt", "pegwise solve --resume marked.txt"),
    ("play --save given-up.txt", "holds a game that is over (pegwise review given-up.txt)"),
    ("play --save played.txt", "pegwise play --resume played.txt"),
    ("solve --resume none.txt", "cannot read 'none.txt'"),
    ("solve --resume file", "'file', line 1: 'hello'"),
    ("solve --resume solved.txt", "is over (solved): pegwise review solved.txt"),
    ("solve --resume played.txt", "pegwise play --resume played.txt"),
    ("solve 4x6 --resume marked.txt", "its file"),
    ("play --resume marked.txt", "not begun with play"),
    ("play --resume played.txt --seed 5", "codemaker from its file"),
    (
        "play --resume played.txt --max-guesses 1",
        "--max-guesses 1: this game has come to turn 2 already",
    ),
    ("play --resume edited.txt", "AABB=XXX is not a mark of this codemaker"),
    ("play --resume damaged.txt", "'damaged.txt', line 7: "),
    ("play --resume paper.txt", "its codemaker is person"),
    ("play 4x12 --notation discs", "there are 9 discs, and 4x12 has 12"),
    ("review none.txt", "cannot read 'none.txt'"),
    ("review damaged.txt", "'damaged.txt', line 7: "),
    ("review solved.txt --criterion entropi", "did you mean 'entropy'"),
    ("review solved.txt --guesses some", "write 'all' or 'candidates'"),
    ("review -", "'standard input', line 1"),
    ("puzzle 6x9", "6x9 has 531,441 codes"),
    ("puzzle --date tomorrow", "date 'tomorrow': write year, month and day"),
    ("puzzle --date 2026-11-22 --seed 1", "give a seed or a date, not both"),
    ("puzzle --level 4-1", "--level '4-1': give a whole number from 1 to 5, or two of them: 1-4"),
    ("puzzle --json --format jsonl", "--json, or --format jsonl"),
    ("puzzle --level 6", "--level '6': give a whole number from 1 to 5"),
    ("puzzle 2x2 --level 5 --seed 0", "for 2x2; levels that it has: 1"),
    ("puzzle --date 9999-12-31 --count 2", "--count 2: there is no such day"),
    ("puzzle --play --json", "--play is for one puzzle"),
    ("play 4x6 --also file", "--also 'file': 4x6 has no list"),
    ("play 4x6 --words file", "'4x6' beside --words"),
    # certificates and trees
    ("value --check none.value", "cannot read 'none.value'"),
    ("value --check file", "'file' is damaged, or not a certificate"),
    ("show a.tree --secret ABCD", "3x4"),
    ("verify a.tree --rules 3x3", "a tree of 3x4, not of 3x3"),
    ("verify cut.tree", "'cut.tree' is truncated"),
    ("verify file", "'file' is neither a pegwise tree file nor a printed tree"),
    ("show none.tree --json", "cannot read 'none.tree': No such file or directory"),
    ("show folder", "cannot read 'folder': it is not a file"),
    ("verify a.json", "'a.json': this JSON document is not a tree"),
    ("verify ''", "'' is not the name of a file"),
    ("review ''", "'' is not the name of a file"),
    ("tree 3x3 -s first -o ''", "'' is not the name of a file"),
    ("tree 3x3 -s first --weights long", f"'{'x' * 39}...{'x' * 39}': write a code"),
    # what stands where rules do
    ("candidates 4 6", "'4 6'; did you mean 'pegwise candidates 4x6'?"),
    ("candidates AABBC", "did you mean 'pegwise candidates AABBC=XO'?"),
    ("candidates crane", "did you mean 'pegwise candidates wordle crane=GY---'?"),
    ("tree wordle*2", "the commands play, solve, candidates, race and review"),
    ("solve wordel*2", "unknown rules 'wordel'"),
    ("solve wordle*2 --secrets 3", "leave out --secrets"),
    ("solve 1123", "did you mean 'pegwise solve 4x6 --secret 1123'?"),
    ("solve --secret crane", "(1) CRANE on wordle; give wordle, or (2) the colors"),
    # what does not go together
    ("race --protocol marechal", "'marechal' (did you mean 'marechal-rastoix'?)"),
    ("race 5x8 --protocol marechal-rastoix", "leave out '5x8'"),
    (f"{PROTOCOL} --dry-run", "--dry-run plans whole trees"),
    ("race --dry-run --games 9", "--dry-run plans whole trees"),
    (
        "race --dry-run --cluster tcp://nobody:1 --csv a.csv --chart a.svg",
        "--dry-run plays nothing: leave out --cluster, --csv, --chart",
    ),
    ("race 13x13 --dry-run", "would have more nodes than can be numbered (2,147,483,647)"),
    ("show a.tree --secret ABC -o a.csv", "leave out"),
    ("static --check file --size 3", "--check goes without"),
    ("static --check file --certificate a", "--check goes without"),
    ("value --check file --stored", "--check reads"),
    ("records -o a.optimum", "--prove"),
    ("records --verify --prove 3x3", "one of them"),
    ("optimal 4x6 --effort 1 --objective worst", "--max-guesses"),
    # what is wrong here is told before a cluster is looked for
    ("optimal 4x6 --effort often --cluster tcp://127.0.0.1:9", "forever"),
    ("tree 4x6", "--strategy"),
    ("verify", "FILE"),
    # too large
    ("tree 13x13 -s first -o x.tree", "13x13"),
    ("optimal 5x8", "5x8 has 32,768 secrets, too many for exact search (at most 25,000); --effort"),
    ("optimal 9x9 --effort 1", "9x9"),
    ("value 5x8 --stored", "no value of 5x8 is stored; 'pegwise value 5x8' finds it"),
    ("records 9x9", "no record of 9x9 comes with pegwise"),
    ("records 4x6 --verify", "leave out --verify and --prove"),
    ("optimal 8x8 --memory 64MiB", "more than this machine has: give a smaller board"),
    ("candidates 8x10 --limit 99999999", "99,999,999 codes of 8x10 are too many to list"),
    # codes and marks
    ("optimal 3x4 --first AAE", "'E' at position 3"),
    ("solve 4x6,distinct-secrets --secret AABC", "twice in a secret"),
    ("candidates ABCD=XXXO", "mark 'XXXO' cannot happen: with 3 of 4 pegs in place"),
    ("candidates ABCD ABCD=X", "unknown rules 'ABCD'"),
    # memory
    ("optimal 4x6 --search --memory 2KB", "of memory, and --memory allows 2 KiB"),
    ("race 7x10 -s knuth --memory 2GiB", "some 3.9 GiB of memory, and --memory allows 2.0 GiB"),
    ("race 5x8 -s first --jobs 3 --memory 512MiB", "some 672 MiB of memory, and --memory allows"),
    ("tree 4x7 -s first --jobs 2 --memory 200M", "allow more, or give fewer --jobs or a smaller"),
    ("optimal 5x8 --effort 2 --memory 1GiB", "some 1.4 GiB of memory, and --memory allows"),
    ("records --prove 4x6 --memory 190MiB", "some 198 MiB of memory, and --memory allows 190 MiB"),
    ("static 4x8 --search --memory 300MiB", "some 343 MiB of memory, and --memory allows 300 MiB"),
    ("value 4x10 --memory 400MiB", ": allow more, or give a smaller board"),
]


def game(*lines: str, result: str = "open", board: str = "4x6") -> bytes:
    return "\n".join(["pegwise game 1", f"rules: {board}", *lines, f"result: {result}"]).encode()


PLAYED = ("codebreaker: person", "codemaker: random", "seed: 4")
SOLVED = ("codebreaker: entropy", "codemaker: given", "secret: ABCD", "1. ABCD = XXXX")
TREE = (DATA / "knuth-3x4.tree").read_bytes()
FILES = {
    "file": b"hello\n",
    "a.json": b'{"a": 1}',
    "long": LONG.encode(),
    "a.tree": TREE,
    "cut.tree": TREE[:100],
    "played.txt": game(*PLAYED, "1. AABB = XX", "2. CCDD = -"),
    "edited.txt": game(*PLAYED, "1. AABB = XXX"),
    "damaged.txt": game(*PLAYED, "1. AABB = XX", result="o"),
    "given-up.txt": game(*PLAYED, "secret: AEEB", "1. AABB = XX", result="given up"),
    "paper.txt": game(),
    "marked.txt": game("codebreaker: entropy", "codemaker: person", "1. ABCD = XO"),
    "solved.txt": game(*SOLVED, result="solved"),
}


@pytest.mark.parametrize(("line", "reason"), REFUSED)
def test_refused(run: Run, line: str, reason: str) -> None:
    Path("folder").mkdir()
    for name, content in FILES.items():
        Path(name).write_bytes(content)
    assert reason in refused(run(*shlex.split(line), typed="nonsense"))
    assert {path.name for path in Path().iterdir()} <= {"folder", "home", *FILES}
    assert all(Path(name).read_bytes() == content for name, content in FILES.items())
    assert not any(path.is_file() for path in Path("home").rglob("*"))
