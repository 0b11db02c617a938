"""Trees: every node, mark and count of a small one; the figures of a large one."""

import itertools
from functools import cache

import pytest

from pegwise.errors import InputError, TooLargeError
from pegwise.game import FiniteGame, board_game
from pegwise.game.rules import Rules
from pegwise.i18n import LANGUAGES, speaking
from pegwise.pictures import tree_summary_svg, tree_svg
from pegwise.strategies import load
from pegwise.trees import Tree, build
from tests.pictures.reading import SVG, pegs_of, read_svg, size_of, texts_of

WORDS = ["crane", "crate", "trace", "slate", "<b>&x", "x" * 40]


@cache
def tree(rules: str, strategy: str = "knuth") -> Tree:
    return build(board_game(Rules.parse(rules)), load(strategy))


@pytest.mark.parametrize("rules", ["1x1", "2x3", "2x4,blank", "3x4,black", "3x4,distinct"])
def test_small_tree_is_drawn_whole(rules: str) -> None:
    whole = tree(rules)
    root = read_svg(tree_svg(whole))
    pegs = whole.game.guess(0)
    drawn = pegs_of(root)
    assert len(drawn) == len(whole) * len(pegs)
    rows = [drawn[k : k + len(pegs)] for k in range(0, len(drawn), len(pegs))]
    words = ["".join(letter for letter, _, _ in row).replace("hole", ".") for row in rows]
    assert words == [str(whole.game.guess(int(g))) for g in whole.nodes.guess]
    edges = [path for path in root.iter(f"{SVG}path") if "C" in path.get("d", "")]
    assert len(edges) == len(whole) - 1
    # nodes of one depth stand in one column, and nowhere do two nodes touch
    places = {(row[0][1], row[0][2]) for row in rows}
    assert len(places) == len(whole)
    columns = {x: sorted(y for edge, y in places if edge == x) for x, _ in places}
    assert len(columns) == whole.worst
    for column in columns.values():
        assert all(below - above >= 33 for above, below in itertools.pairwise(column))
    width, height = size_of(root)
    assert all(12 <= x <= width - 12 and 12 <= y <= height - 12 for _, x, y in drawn)
    # counts on edges are sizes of parts
    numbers = [int(word) for word in texts_of(root) if word.isdigit()]
    assert numbers == naive_sizes(whole)[1:]


def naive_sizes(whole: Tree) -> list[int]:
    """How many secrets are found at each node or below, counted one by one."""
    sizes = [0] * len(whole)
    for node in range(len(whole)):
        above = node if whole.nodes.wins[node] else -1
        while above >= 0:
            sizes[above] += 1
            above = int(whole.nodes.parent[above])
    return sizes


def test_guesses_that_cannot_win_are_dashed() -> None:
    whole = tree("3x4")
    losing = int((~whole.nodes.wins).sum())
    svg = tree_svg(whole)
    assert losing > 0
    assert svg.count("stroke-dasharray") == losing
    assert "Dashed" in svg
    assert "Dashed" not in tree_svg(tree("2x3", "first"))


def test_large_tree_is_refused_with_its_size() -> None:
    large = tree("4x6")
    with pytest.raises(TooLargeError, match=rf"{len(large)} nodes.*at most 400.*tree_summary_svg"):
        tree_svg(large)
    with pytest.raises(TooLargeError, match="at most 5"):
        tree_svg(tree("2x3"), max_nodes=5)
    with pytest.raises(InputError, match="sepia"):
        tree_summary_svg(large, theme="sepia")  # type: ignore[arg-type]


def test_other_games_are_written() -> None:
    game = FiniteGame(WORDS, lambda g, s: "won" if g == s else len({*g} & {*s}), name="words <&>")
    whole = build(game, load("entropy"))
    root = read_svg(tree_svg(whole))
    texts = texts_of(root)
    assert root.get("aria-label") == "Tree of entropy on words <&>"
    assert {"crane", "crate", "trace", "slate", "<b>&x", "x" * 23 + "…"} <= set(texts)
    summary = read_svg(tree_summary_svg(whole))
    assert "words <&>" in " ".join(texts_of(summary))


def test_summary_tells_knuths_figures() -> None:
    root = read_svg(tree_summary_svg(tree("4x6")))
    texts = texts_of(root)
    for figure in ("4.476", "5", "5,801", "13", "256", "694", "533", "62", "6", "1"):
        assert figure in texts
    # the parts of AABB (Knuth 1976), largest first
    sizes = ["256", "256", "256", "208", "114", "96", "36", "32", "20", "16", "4", "1", "1"]
    at = texts.index("Parts of the first guess")
    assert [word for word in texts[at:] if word.isdigit()] == sizes
    assert texts[-1] == "solved"
    assert "1 in 1, 6 in 2, 62 in 3, 533 in 4, 694 in 5" in (root.findtext(f"{SVG}desc") or "")
    assert "First guess A A B B" in (root.findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize("name", LANGUAGES)
def test_bars_of_a_summary_begin_after_the_words(name: str) -> None:
    with speaking(name):
        root = read_svg(tree_summary_svg(tree("4x6")))
    words = [mark for mark in root.iter(f"{SVG}text") if ", " in (mark.text or "")]
    bars = [rect for rect in root.iter(f"{SVG}rect") if rect.get("height") == "8"]
    assert len(words) == len(bars) == 13
    for mark, bar in zip(words, bars, strict=True):
        end = float(mark.get("x", "")) + 0.5 * 13 * len(mark.text or "")
        assert end < float(bar.get("x", ""))


def test_summary_names_what_it_leaves_out() -> None:
    assert "smaller part" not in tree_summary_svg(tree("6x3", "first"))
    wide = tree("5x4", "entropy")
    every = naive_sizes(wide)
    sizes = [every[child] for child in wide.children(0)] + [1] * bool(wide.nodes.wins[0])
    sizes.sort(reverse=True)
    assert len(sizes) > 15
    left_out = f"and {len(sizes) - 14} smaller parts with {sum(sizes[14:])} codes"
    assert left_out in tree_summary_svg(wide)


@pytest.mark.parametrize("rules", ["1x1", "1x26", "2x2", "8x2", "4x6,black", "3x9,distinct"])
def test_summary_of_odd_sizes(rules: str) -> None:
    whole = tree(rules, "first")
    root = read_svg(tree_summary_svg(whole))
    width, height = size_of(root)
    assert all(x <= width and y <= height for _, x, y in pegs_of(root))
    for bar in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(bar.get(key, "0")) for key in ("x", "y", "width", "height"))
        assert min(x, y, w, h) >= 0
        assert x + w <= width
        assert y + h <= height
