#!/usr/bin/env bash
# Measures the beliefs for lab/docs/klaverjas/hidden-cards.md, and writes the tables there and the plots to lab/docs/klaverjas/belief. TRAIN=1 learns the weights first. Hands are
# played into the directory DATA unless they exist, which takes most of the time: 11,000 hands, some 35 minutes of a core. The rest takes ten.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${DATA:-data/belief}
mkdir -p "$data" lab/docs/klaverjas/belief

# hands SEED NUMBER plays hands unless they exist.
hands() {
	test -s "$data/$1.rows" || bin/roem-lab klaverjas games -out "$data/$1.rows" -player pimc:8 -seed "$1" -n "$2"
}

# block NAME replaces a block of the page by standard input.
block() {
	awk -v begin="<!-- $1: begin -->" -v end="<!-- $1: end -->" '
		NR == FNR { table = table $0 "\n"; next }
		$0 == end { within = 0 }
		!within { print }
		$0 == begin { printf "%s", table; within = 1 }' - lab/docs/klaverjas/hidden-cards.md >"$data/page"
	cp "$data/page" lab/docs/klaverjas/hidden-cards.md
}

hands 1 4431
hands 4 3597
hands 2 1000
hands 3 1500
if [ "${TRAIN:-}" = 1 ]; then
	bin/roem-lab klaverjas belief-train -out internal/model/klaverjas/belief/weights/klaverjas.belief -steps 5000 "$data/1.rows" "$data/4.rows"
	make bin/roem-lab
fi
bin/roem-lab klaverjas belief-eval -plots lab/docs/klaverjas/belief "$data/2.rows" "$data/3.rows" | block belief-eval
bin/roem-lab klaverjas belief-compare -held "$data/2.rows,$data/3.rows" -csv lab/docs/klaverjas/belief/compare.csv "$data/1.rows" "$data/4.rows" | block belief-compare
