#!/usr/bin/env bash
# Learns what a search that was stopped tells of the answer, for the model that the program is built with, and writes
# internal/hybrid/evidence.json. The deals are neither those that the model was trained on nor those that it is measured on; they are made anew
# in DATA unless they are there: some three minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${DATA:-$(mktemp -d)}
sets=()
for set in class-uniform:501:NS uniform:502:NS class-uniform:503:EW uniform:504:EW; do
	IFS=: read -r sampling seed declarer <<<"$set"
	dir="$data/evidence-$seed"
	bin/roem-lab dataset -out "$dir" -sampling "$sampling" -seed "$seed" -declarer "$declarer" -n 131072 >/dev/null
	sets+=("$dir")
done
bin/roem-lab evidence -out internal/hybrid/evidence.json "${sets[@]}"
