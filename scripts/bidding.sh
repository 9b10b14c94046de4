#!/usr/bin/env bash
# Measures the table model and the bidding, for docs/bidding.md and docs/hand-strength.md: bids and plays GAMES hands with four players of the kind PLAYER (pimc:8, 0.2 s of a core
# each), and compares what bid said with what happened. With FIT=1 it first plays other games and fits the table model and the policy to them, which a
# new model or hand model needs (about an hour of one core). Games are kept in data/bidding, so that another run continues them.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${GAMES:-10000}
player=${PLAYER:-pimc:8}
dir=data/bidding
mkdir -p "$dir"
if [[ ${FIT:-} ]]; then
	for seed in 1 2; do
		[[ -s $dir/games$seed.rows ]] || bin/roem-lab games -n 4500 -seed "$seed" -out "$dir/games$seed.rows"
	done
	bin/roem-lab table-eval -held "$dir/games2.rows" -seed 2 "$dir/games1.rows"
	bin/roem-lab table-fit -seed 1 -out internal/handstrength/table.json "$dir/games1.rows" "$dir/games2.rows"
	make --silent bin/roem-lab
	bin/roem-lab bid-fit -hands 1200 -rounds 4 -seed 1 -out internal/bidadvice
	make --silent bin/roem-lab
	rm -f "$dir"/bids-*.rows # they were bid by the old policy
fi
touch "$dir/bids-$player.rows"
have=$(wc -l <"$dir/bids-$player.rows")
if ((have < games)); then
	bin/roem-lab bid-games -n "$((games - have))" -first "$have" -seed 131 -player "$player" -out "$dir/bids-$player.rows"
fi
bin/roem-lab bid-eval "$dir/bids-$player.rows"
