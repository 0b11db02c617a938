#!/bin/sh
# Plays the codes of two pegs in numeric order, whatever the marks: AA, AB, ..., BA, BB, ...
# pegwise race 2x3 -s program:examples/entrants/counting.sh
while read -r word rest; do
  case $word in
    pegwise) board=${rest#* }; colors=${board#*x}; colors=${colors%%,*} ;;
    guess)
      set -- $rest
      letters=ABCDEFGHIJKLMNOPQRSTUVWXYZ
      first=$(printf %s "$letters" | cut -c $(($# / colors + 1)))
      second=$(printf %s "$letters" | cut -c $(($# % colors + 1)))
      echo "$first$second" ;;
    quit) exit ;;
  esac
done
