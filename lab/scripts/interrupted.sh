#!/usr/bin/env bash
# Learns the weights of the features of interrupted searches, for the model that the program is built with, and writes
# internal/service/klaverjas/hybrid/interrupted.json. The deals are neither those of the training data nor those on which the
# model is measured. They are made in the directory DATA unless they exist. It takes about three minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${DATA:-$(mktemp -d)}
sets=()
for set in class-uniform:501:NS uniform:502:NS class-uniform:503:EW uniform:504:EW; do
	IFS=: read -r sampling seed declarer <<<"$set"
	dir="$data/interrupted-$seed"
	bin/roem-lab klaverjas dataset -out "$dir" -sampling "$sampling" -seed "$seed" -declarer "$declarer" -n 131072 >/dev/null
	sets+=("$dir")
done
bin/roem-lab klaverjas interrupted -out internal/service/klaverjas/hybrid/interrupted.json "${sets[@]}"
