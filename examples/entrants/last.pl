# The last code in numeric order that agrees with all turns, on any board of letters.
# pegwise race 4x6 -s "program:perl examples/entrants/last.pl"
use strict; use warnings;
$| = 1;    # each answer is written at once

my ($pegs, $colors);

sub mark {
    my ($guess, $code) = @_;
    my ($exact, $both, %in_guess, %in_code) = (0, 0);
    for my $i (0 .. $pegs - 1) {
        my ($one, $other) = (substr($guess, $i, 1), substr($code, $i, 1));
        $exact++ if $one eq $other;
        $in_guess{$one}++; $in_code{$other}++;
    }
    for (keys %in_guess) {
        my $n = $in_code{$_} // 0;
        $both += $in_guess{$_} < $n ? $in_guess{$_} : $n;
    }
    return ("X" x $exact . "O" x ($both - $exact)) || "-";
}

while (<STDIN>) {
    my ($word, @turns) = split;
    last if $word eq "quit";
    if ($word eq "pegwise") { ($pegs, $colors) = $turns[1] =~ /^(\d+)x(\d+)/; print "name Last\n"; next }
    NUMBER: for (my $number = $colors**$pegs - 1; $number >= 0; $number--) {
        my ($code, $rest) = ("", $number);
        for (1 .. $pegs) { $code = chr(65 + $rest % $colors) . $code; $rest = int($rest / $colors) }
        for (@turns) {
            my ($guess, $mark) = split /=/;
            next NUMBER if mark($guess, $code) ne $mark;
        }
        print "$code\n";
        last;
    }
}
