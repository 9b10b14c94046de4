#!/usr/bin/env bash
# Measures the beliefs for lab/docs/klaverjas/hidden-cards.md. TRAIN=1 learns the weights first. Hands are played into the directory DATA unless they exist,
# which takes most of the time: 2,500 hands to measure, and 8,028 to learn from; 11,000 take some 35 minutes of a core.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${DATA:-data/belief}
mkdir -p "$data"

# hands SEED NUMBER plays hands unless they exist.
hands() {
	test -s "$data/$1.rows" || bin/roem-lab klaverjas games -out "$data/$1.rows" -player pimc:8 -seed "$1" -n "$2"
}

if [ "${TRAIN:-}" = 1 ]; then
	hands 1 4431
	hands 4 3597
	bin/roem-lab klaverjas belief-train -out internal/model/klaverjas/belief/weights/klaverjas.belief -steps 5000 "$data/1.rows" "$data/4.rows"
	make bin/roem-lab
fi
hands 2 1000
hands 3 1500
bin/roem-lab klaverjas belief-eval "$data/2.rows" "$data/3.rows"
