#!/usr/bin/env bash
# Measures the table model and the bidding, for lab/docs/klaverjas/bidding.md and lab/docs/klaverjas/hand-strength.md: bids and plays GAMES hands with four players of the kind PLAYER (policy: 0.2 ms of a core
# each, pimc:8: 0.2 s), and compares what bid said with what happened. With FIT=1 it first plays other games and fits the table model and the policy to them, which a
# new model, hand model or policy needs (about five minutes of one core). Games are kept in data/bidding, so that another run continues them.
set -euo pipefail
cd "$(dirname "$0")/../.."
games=${GAMES:-20000}
player=${PLAYER:-policy}
dir=data/bidding
mkdir -p "$dir"
if [[ ${FIT:-} ]]; then
	bin/roem-lab klaverjas games -player policy -n 400000 -seed 1 -out "$dir/games1.rows"
	bin/roem-lab klaverjas games -player policy -n 30000 -seed 2 -out "$dir/games2.rows"
	bin/roem-lab klaverjas table-eval -held "$dir/games2.rows" -held-seed 2 -seed 1 "$dir/games1.rows"
	bin/roem-lab klaverjas table-fit -seed 1 -out internal/service/klaverjas/handstrength/table.json "$dir/games1.rows"
	make --silent bin/roem-lab
	bin/roem-lab klaverjas bid-fit -hands 6000 -rounds 6 -seed 1 -out internal/service/klaverjas/bidadvice
	make --silent bin/roem-lab
	rm -f "$dir"/bids-*.rows # they were bid by the old policy
fi
touch "$dir/bids-$player.rows"
have=$(wc -l <"$dir/bids-$player.rows")
if ((have < games)); then
	bin/roem-lab klaverjas bid-games -n "$((games - have))" -first "$have" -seed 131 -player "$player" -out "$dir/bids-$player.rows"
fi
bin/roem-lab klaverjas bid-eval "$dir/bids-$player.rows"
bin/roem-lab klaverjas advise-eval -bids "$dir/bids-$player.rows"
