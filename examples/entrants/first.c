/* The first code in numeric order that agrees with all turns, on any board of letters.
   cc -O2 -o first first.c && pegwise race 4x6 -s program:./first */
#include <stdio.h>
#include <string.h>

static int pegs, colors;

static void mark(const char *guess, const char *code, char *answer) {
    int in_guess[26] = {0}, in_code[26] = {0}, exact = 0, both = 0, i;
    for (i = 0; i < pegs; i++) {
        exact += guess[i] == code[i];
        in_guess[guess[i] - 'A']++, in_code[code[i] - 'A']++;
    }
    for (i = 0; i < 26; i++) both += in_guess[i] < in_code[i] ? in_guess[i] : in_code[i];
    if (!both) { strcpy(answer, "-"); return; }
    memset(answer, 'X', exact), memset(answer + exact, 'O', both - exact), answer[both] = 0;
}

int main(void) {
    static char line[1 << 16], code[32], answer[32], guess[32], given[32];
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        if (sscanf(line, "pegwise 1 %dx%d", &pegs, &colors) == 2) continue;
        memset(code, 'A', pegs), code[pegs] = 0;
        for (;;) {
            const char *at = line + 5;
            int used, fits = 1, peg;
            while (fits && sscanf(at, " %31[A-Z]=%31s%n", guess, given, &used) == 2)
                mark(guess, code, answer), fits = !strcmp(answer, given), at += used;
            if (fits) break;
            for (peg = pegs - 1; peg >= 0 && ++code[peg] == 'A' + colors; peg--) code[peg] = 'A';
            if (peg < 0) break;
        }
        puts(code), fflush(stdout);
    }
    return 0;
}
