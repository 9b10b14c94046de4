#!/usr/bin/env bash
# Measures the verdicts of roem review: review-verdicts.sh [HANDS [WORLDS]]. The defaults are 32 hands and 1500 worlds, with which it writes
# the table of lab/docs/klaverjas/advice.md. With others it prints the table.
#
# It reviews one seat of each of some hands between simple players with four seeds, over 100 worlds and then by default, with 400 worlds
# for close cards, and over WORLDS worlds as the reference. For both it counts choices that were not searched over all worlds. The flagged
# ones have the verdict mistake or lucky, the cleared ones right or unlucky; the others are uncertain. With the defaults it takes about
# ten minutes of one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
hands=${1:-32} worlds=${2:-1500}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/roem" ./cmd/roem

"$out/roem" random -n "$hands" -seed 11 | "$out/roem" play -players simple |
  jq -c '.deal + {rules, deal: .deal.index, played: [.played[].card]} | del(.index, .canonical_index)
         | .seat = (["N", "E", "S", "W"][input_line_number % 4])' >"$out/hands"
for worlds_of in '{worlds: 100}' '{}'; do
  for seed in 1 2 3 4; do
    jq -c ". + {seed: \"$seed\"} + $worlds_of" "$out/hands" | "$out/roem" review -workers 1
  done >"$out/few $worlds_of"
done
jq -c ". + {worlds: $worlds, seed: \"99\"}" "$out/hands" | "$out/roem" review -workers 1 >"$out/reference"

for few in "$out/few {worlds: 100}" "$out/few {}"; do
  jq -n -c --slurpfile few "$few" --slurpfile reference "$out/reference" '
  ($reference | length) as $n
  | [$few | to_entries[] | [.value.cards, $reference[.key % $n].cards] | transpose[] | select(.[0].knowledge)
     | {few: .[0], reference: .[1]}] as $all
  | [$all[] | select(.few.knowledge.worlds.all | not)] as $sampled
  | def flagged: .verdict == "mistake" or .verdict == "lucky";
    def cleared: .verdict == "right" or .verdict == "unlucky";
    def count(f): [$sampled[] | select(f)] | length;
    {choices: ($all | length), sampled: ($sampled | length),
     flagged: count(.few | flagged), flagged_wrongly: count((.few | flagged) and (.reference | cleared)),
     cleared: count(.few | cleared), cleared_wrongly: count((.few | cleared) and (.reference | flagged)),
     uncertain: count(.few.verdict == "uncertain"), reference_uncertain: count(.reference.verdict == "uncertain"),
     reference_flagged: count(.reference | flagged), of_these_found: count((.reference | flagged) and (.few | flagged)),
     same_verdict: ([$all[] | select(.few.verdict == .reference.verdict)] | length)}'
done >"$out/counts"

table() { # the table, from the counts of 100 worlds and those by default
	jq -r -n --slurpfile c "$1" '
	  def row(name; f): "| \(name) | \($c[0] | f) | \($c[1] | f) |";
	  "| | 100 worlds | by default |", "|---|---:|---:|",
	  row("choices that are not searched over all worlds"; .sampled),
	  row("called a mistake, or lucky"; .flagged),
	  row("of these, right or unlucky with 1,500 worlds"; .flagged_wrongly),
	  row("called right, or unlucky"; .cleared),
	  row("of these, a mistake or lucky with 1,500 worlds"; .cleared_wrongly),
	  row("uncertain"; .uncertain),
	  row("uncertain with 1,500 worlds"; .reference_uncertain),
	  "", ($c[1] | "By default, a review has the verdict of 1,500 worlds for \(.same_verdict) of all \(.choices) choices, and for " +
	    "\(.of_these_found) of the \(.reference_flagged) mistakes.")'
}
if [[ $hands-$worlds != 32-1500 ]]; then
	table "$out/counts"
	exit
fi
table "$out/counts" | awk '
	NR == FNR { table = table $0 "\n"; next }
	/^<!-- verdicts: end/ { within = 0 }
	!within { print }
	/^<!-- verdicts: begin/ { printf "%s", table; within = 1 }' - lab/docs/klaverjas/advice.md >"$out/page"
cp "$out/page" lab/docs/klaverjas/advice.md
