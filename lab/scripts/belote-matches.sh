#!/usr/bin/env bash
# Plays the duplicate matches of lab/docs/belote/README.md and writes a row of Markdown for each. ROEM is the program, SEED the seed (1), and DEALS the
# number of deals of the matches of each number of suits, from two to four; without a number there is no match.
set -euo pipefail
ROEM=${ROEM:-bin/roem}
SEED=${SEED:-1}
DEALS=${DEALS:-"2000 2000 2000"}

row() { # suits, deals, first, second
	"$ROEM" belote match -suits "$1" -deals "$2" -a "$3" -b "$4" -seed "$SEED" ${WORKERS:+-workers "$WORKERS"} |
		jq -r '"| \(.suits) | \(.deals) | \(.a.player) | \(.b.player) | \(.difference.mean * 10 | round / 10) ± \(.difference.standard_error * 19.6 | round / 10) | \(.points.mean * 10 | round / 10) ± \(.points.standard_error * 19.6 | round / 10) | \(.a.made) | \(.b.made) |"'
}

echo "| suits | deals | a | b | difference | points | a made | b made |"
echo "|---|---|---|---|---|---|---|---|"
suits=1
for deals in $DEALS; do
	suits=$((suits + 1))
	while read -r a b; do
		row "$suits" "$deals" "$a" "$b"
	done <<-PAIRS
		simple random
		sampling:10 simple
		sampling:40 sampling:10
		exact simple
		exact sampling:10
		expectimax:10 sampling:10
	PAIRS
done
