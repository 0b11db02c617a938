% The first code in numeric order that agrees with all turns: E. Shapiro's program (1983) asks for a
% code by backtracking, and takes it back where a mark differs.
% pegwise race 4x6 -s "program:swipl -g main -t halt examples/entrants/shapiro.pl"
main :- prompt(_, ''), listen(4, 6).

listen(Pegs, Colors) :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file -> true
    ;   split_string(Line, " ", "", [Word|Rest]), obey(Word, Rest, Pegs, Colors)
    ).

obey("pegwise", [_, Rules|_], _, _) :-
    split_string(Rules, "x,", "", [P, C|_]),
    number_string(Pegs, P), number_string(Colors, C), listen(Pegs, Colors).
obey("guess", Texts, Pegs, Colors) :-
    maplist(turn, Texts, Turns), length(Code, Pegs), Last is 0'A + Colors - 1,
    (   maplist(between(0'A, Last), Code), forall(member(G-M, Turns), mark(G, Code, M))
    ->  format("~s~n", [Code])
    ;   format("error no code agrees~n")
    ), flush_output, listen(Pegs, Colors).
obey("quit", _, _, _).

turn(Text, Guess-(Black/White)) :-
    split_string(Text, "=", "", [Signs, Answer]), string_codes(Signs, Guess),
    string_codes(Answer, Codes),
    count(0'X, Codes, Black), count(0'O, Codes, White).

count(Sign, Signs, N) :- include(==(Sign), Signs, Same), length(Same, N).

mark(Guess, Code, Black/White) :-
    foldl(exact, Guess, Code, 0, Black), common(Guess, Code, Both), White is Both - Black.

exact(Color, Color, N, More) :- !, More is N + 1.
exact(_, _, N, N).

common([], _, 0).
common([C|Guess], Code, N) :- selectchk(C, Code, Rest), !, common(Guess, Rest, M), N is M + 1.
common([_|Guess], Code, N) :- common(Guess, Code, N).
