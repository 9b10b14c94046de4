#!/usr/bin/env bash
# Measures the verdicts of roem review: review-verdicts.sh [HANDS [WORLDS]]. The defaults are 32 hands and 1500 worlds.
#
# It reviews one seat of each of some hands between simple players, over 100 worlds with four seeds, and over WORLDS worlds as the
# reference. It counts choices that were not searched over all worlds. The flagged ones have the verdict mistake or lucky: a clear cost on
# knowledge. With the defaults it takes about ten minutes of one core.
set -euo pipefail
cd "$(dirname "$0")/.."
hands=${1:-32} worlds=${2:-1500}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/roem" ./cmd/roem

"$out/roem" random -n "$hands" -seed 11 | "$out/roem" play -players simple |
  jq -c '.deal + {rules, deal: .deal.index, played: [.played[].card]} | del(.index, .canonical_index)
         | .seat = (["N", "E", "S", "W"][input_line_number % 4])' >"$out/hands"
for seed in 1 2 3 4; do
  jq -c ". + {worlds: 100, seed: \"$seed\"}" "$out/hands" | "$out/roem" review -workers 1
done >"$out/few"
jq -c ". + {worlds: $worlds, seed: \"99\"}" "$out/hands" | "$out/roem" review -workers 1 >"$out/reference"

jq -n -c --slurpfile few "$out/few" --slurpfile reference "$out/reference" '
  ($reference | length) as $n
  | [$few | to_entries[] | [.value.cards, $reference[.key % $n].cards] | transpose[] | select(.[0].knowledge)
     | {few: .[0], reference: .[1]}] as $all
  | [$all[] | select(.few.knowledge.worlds.all | not)] as $sampled
  | def flagged: .verdict == "mistake" or .verdict == "lucky";
    {choices: ($all | length), sampled: ($sampled | length),
     flagged: ([$sampled[] | select(.few | flagged)] | length),
     flagged_wrongly: ([$sampled[] | select(.few | flagged) | select(.reference.knowledge.cost < 1)] | length),
     reference_flagged: ([$sampled[] | select(.reference | flagged)] | length),
     of_these_found: ([$sampled[] | select(.reference | flagged) | select(.few | flagged)] | length),
     same_verdict: ([$all[] | select(.few.verdict == .reference.verdict)] | length)}'
