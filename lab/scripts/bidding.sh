#!/usr/bin/env bash
# Fits the table model and the bidding, which a new model, hand model or policy needs: about five minutes of one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=data/bidding
mkdir -p "$dir"
bin/roem-lab klaverjas games -player policy -n 400000 -seed 1 -out "$dir/games1.rows"
bin/roem-lab klaverjas table-fit -seed 1 -out internal/service/klaverjas/handstrength/table.json "$dir/games1.rows"
make --silent bin/roem-lab
bin/roem-lab klaverjas bid-fit -hands 6000 -rounds 6 -seed 1 -out internal/service/klaverjas/bidadvice
