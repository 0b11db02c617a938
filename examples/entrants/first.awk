# The first code in numeric order that agrees with all turns, on any board of letters.
# pegwise race 4x6 -s "program:awk -f examples/entrants/first.awk"   (mawk: mawk -W interactive -f)
function mark(guess, code,    i, color, exact, both, in_guess, in_code) {
    split("", in_guess); split("", in_code)
    for (i = 1; i <= pegs; i++) {
        exact += substr(guess, i, 1) == substr(code, i, 1)
        in_guess[substr(guess, i, 1)]++; in_code[substr(code, i, 1)]++
    }
    for (color in in_guess)
        if (color in in_code)
            both += in_guess[color] < in_code[color] ? in_guess[color] : in_code[color]
    return exact + 0 " " both - exact
}
function written(answer,    whites) { whites = gsub(/O/, "", answer); return gsub(/X/, "", answer) " " whites }
function code(number,    i, text) {
    for (i = 1; i <= pegs; i++) {
        text = substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", number % colors + 1, 1) text
        number = int(number / colors)
    }
    return text
}
$1 == "pegwise" { split($3, board, /[x,]/); pegs = board[1]; colors = board[2] }
$1 == "guess" {
    for (number = 0; number < colors ^ pegs; number++) {
        fits = 1
        for (i = 2; fits && i <= NF; i++) {
            split($i, turn, "=")
            fits = mark(turn[1], code(number)) == written(turn[2])
        }
        if (fits) { print code(number); fflush(); break }
    }
}
$1 == "quit" { exit }
