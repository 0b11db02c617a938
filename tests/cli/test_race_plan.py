"""`pegwise race --dry-run`, as typed."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, refused

NAMES = ["knuth", "irving", "entropy", "parts"]


def test_a_table_of_times(run: Run) -> None:
    status, out, err = run("race", "7x10", "--dry-run")
    assert (status, err) == (0, "")
    first, heads, *rows = out.splitlines()
    assert first == "7x10: 10,000,000 secrets; nothing is played"
    assert heads.split()[:4] == ["strategy", "one", "core", "all"]
    assert heads.endswith("16 workers  64 workers  1024 workers")
    assert [row.split()[0] for row in rows[:4]] == NAMES
    assert "memory: 3.9 GiB, and at most as much for each worker" in rows
    said = " ".join(out.split())
    assert "6x9: measured 14 s, foretold from smaller boards" in said
    assert "every measured board was foretold from smaller ones within a factor of 1." in said
    assert "no board of so many pegs" not in out


def test_one_document(run: Run) -> None:
    status, out, err = run("race", "7x10", "-s", "irving", "--dry-run", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert (document["rules"], document["secrets"]) == ("7x10", 10**7)
    assert document["listed"] is True
    (row,) = document["strategies"]
    assert row["strategy"] == "irving"
    assert row["here"] == pytest.approx(row["seconds"] / document["cores"])
    times = [row["seconds"], *(row["workers"][n] for n in ("16", "64", "1024"))]
    assert times == sorted(times, reverse=True)
    assert document["enough"] == (
        document["free"] is None or document["memory"] <= document["free"]
    )
    checks = {check["rules"]: check for check in document["checks"]}
    assert set(checks) == {"5x12", "6x9", "7x7"}
    for check in checks.values():
        ratio = check["foretold"] / check["seconds"]
        assert 1 / document["within"] <= ratio <= document["within"]


def test_other_memory_and_fewer_jobs(run: Run) -> None:
    out = run("race", "5x8", "-s", "knuth", "--dry-run", "--jobs", "1").out
    assert out.splitlines()[1].split()[3:6] == ["here,", "--jobs", "1"]
    _, one, here = out.splitlines()[2].split("  ")[:3]
    assert one.strip() == here.strip()
    told = json.loads(run("race", "5x8", "--dry-run", "--jobs", "1", "--json").out)
    assert all(row["here"] == row["seconds"] for row in told["strategies"])
    sentence = refused(run("race", "7x10", "--dry-run", "--memory", "2GiB"))
    assert "7x10 takes some 3.9 GiB of memory, and --memory allows 2.0 GiB" in sentence
    assert run("race", "7x10", "-s", "knuth", "--dry-run", "--memory", "4GiB").status == 0


def test_boards_beyond_what_is_listed_and_measured(run: Run) -> None:
    out = " ".join(run("race", "8x9", "-s", "knuth", "--dry-run").out.split())
    assert "boards of more than 20,000,000 codes are not listed: draw games instead" in out
    assert "no board of so many pegs was measured: it may be many times more or less" in out


def test_boards_too_large_for_a_tree_are_refused(run: Run) -> None:
    sentence = refused(run("race", "13x13", "-s", "knuth", "--dry-run"))
    assert sentence == (
        "pegwise: a tree of 13x13 would have more nodes than can be numbered (2,147,483,647): "
        "draw games instead (--games N)"
    )


@pytest.mark.parametrize("name", ["first", "random"])
def test_strategies_whose_time_is_unknown_are_refused(run: Run, name: str) -> None:
    sentence = refused(run("race", "5x8", "-s", "knuth", "-s", name, "--dry-run"))
    assert f"the time of {name} cannot be told beforehand" in sentence
    assert sentence.endswith("knuth, irving, entropy, parts")


@pytest.mark.parametrize("other", [["--games", "9"], ["--protocol", "marechal-rastoix"]])
def test_other_races_are_not_planned(run: Run, other: list[str]) -> None:
    assert "--dry-run plans whole trees" in refused(run("race", "--dry-run", *other))


def test_what_comes_of_playing_is_refused(run: Run) -> None:
    files = ["--csv", "a.csv", "--chart", "a.svg"]
    sentence = refused(run("race", "--dry-run", "--cluster", "tcp://nobody:1", *files))
    assert sentence == "pegwise: --dry-run plays nothing: leave out --cluster, --csv, --chart"
    assert not list(Path().iterdir())


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_lines_fit(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, language: str) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("race", "8x9", "--dry-run", "--lang", language).out.splitlines()
    assert " ".join(lines).startswith("8x9: 43,0" if language == "en" else "8x9 : 43\u202f0")
    assert [line for line in lines if len(line) > columns] == []
    for name in NAMES:
        assert any(line.split()[0] == name for line in lines)


def test_in_french(run: Run) -> None:
    ended = run("race", "8x9", "-s", "knuth", "--dry-run", "--lang", "fr")
    assert ended.status == 0
    said = " ".join(ended.out.split())
    assert "rien n’est joué" in said
    assert "prédit d’après des plateaux plus petits" in said
    assert "chaque plateau mesuré a été prédit d’après de plus petits à un facteur 1," in said
    assert "aucun plateau d’autant de pions n’a été mesuré" in said
