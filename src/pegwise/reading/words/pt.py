"""Portuguese."""

from typing import Final

from pegwise.reading.costs import NAMED
from pegwise.reading.words.language import Language

PORTUGUESE: Final = Language(
    numbers=(
        "zero nenhum nenhuma", "um uma", "dois duas", "tres", "quatro", "cinco", "seis", "sete",
        "oito", "nove", "dez",
    ),
    counts=(
        ("touros-vacas", "touro touros", "vaca vacas", NAMED),
        ("preto-branco", "preto pretos preta pretas", "branco brancos branca brancas", NAMED),
    ),
    nothing="nada;nenhum;nenhuma;nada certo;tudo errado",
    won="ganhou;ganhei;acertou;venceu",
    between="e so pino pinos",
    black=(
        r"(?:bem|corretamente) (?:colocad|posicionad)[oa]s?",
        r"n[oa] (?:lugar cert|posicao cert|lugar corret|posicao corret)[oa]",
    ),
    white=(
        r"mal (?:colocad|posicionad)[oa]s?|fora do lugar",
        r"n[oa] (?:lugar errad|posicao errad|lugar incorret|posicao incorret)[oa]",
    ),
)  # fmt: skip
