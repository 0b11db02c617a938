"""The house look: one set of named colors, light and dark, for boards, trees, charts and pages."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from pegwise.errors import InputError, quoted

__all__ = ["FONT", "TONES", "Theme", "Tone", "check_theme", "custom_properties"]

Theme = Literal["auto", "light", "dark", "page"]
"""`auto` follows the reader's system; `page` leaves colors to the stylesheet of the page."""

FONT: Final = (
    "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, "
    "system-ui, sans-serif"
)


class Tone(NamedTuple):
    """One named color in both themes, as `#rrggbb` with an opacity."""

    light: str
    dark: str
    light_opacity: float = 1.0
    dark_opacity: float = 1.0


TONES: Final = {
    "bg": Tone("#f6f5f1", "#121316"),
    "card": Tone("#ffffff", "#1a1b1f"),
    "sunk": Tone("#f0eee9", "#24262b"),
    "line": Tone("#e3e0d8", "#303239"),
    "edge": Tone("#83827d", "#7d7f88"),
    "ink": Tone("#1a1b1f", "#ecebe6"),
    "soft": Tone("#5b5c64", "#a5a6ae"),
    "faint": Tone("#c9c6bd", "#4a4c55"),
    "accent": Tone("#3644a8", "#aab5ff"),
    "wash": Tone("#eceef9", "#232742"),
    # rims of pegs: of most, of those near the light ground, of those near the dark ground
    "rim": Tone("#000000", "#ffffff", 0.16, 0.14),
    "rim-light": Tone("#000000", "#ffffff", 0.48, 0.1),
    "rim-dark": Tone("#000000", "#ffffff", 0.2, 0.42),
}


def check_theme(theme: str) -> None:
    """Refuse a theme that does not exist.

    Raises:
        InputError: names the themes that do.
    """
    if theme not in get_args(Theme):
        raise InputError(
            "unknown theme {theme}; known: {known}",
            theme=quoted(theme),
            known=", ".join(get_args(Theme)),
        )


def custom_properties(dark: bool) -> str:
    """All tones as CSS custom properties, one line each."""
    lines = []
    for name, tone in TONES.items():
        color, opacity = (
            (tone.dark, tone.dark_opacity) if dark else (tone.light, tone.light_opacity)
        )
        red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
        value = color if opacity == 1 else f"rgb({red} {green} {blue} / {opacity})"
        lines.append(f"--{name}: {value};")
    return "\n".join(lines)
