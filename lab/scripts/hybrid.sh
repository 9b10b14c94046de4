#!/usr/bin/env bash
# Measures the hybrid of model and search on held-out deals, and writes lab/docs/klaverjas/hybrid/ and the tables of lab/docs/klaverjas/hybrid.md. The deals are
# those of lab/docs/klaverjas/model-card.md. They are made in the directory DATA unless they exist, which takes about two minutes. Measure on a quiet
# machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${DATA:-$(mktemp -d)}
for set in class-uniform:9001 uniform:9002; do
	bin/roem-lab klaverjas dataset -out "$data/held-out-${set%:*}" -sampling "${set%:*}" -seed "${set#*:}" -n 200000 >/dev/null
done
bin/roem-lab klaverjas tradeoff -out lab/docs/klaverjas/hybrid "$data/held-out-class-uniform" "$data/held-out-uniform" | awk '
	NR == FNR { table = table $0 "\n"; next }
	/^<!-- tradeoff: end/ { within = 0 }
	!within { print }
	/^<!-- tradeoff: begin/ { printf "\n%s", table; within = 1 }' - lab/docs/klaverjas/hybrid.md >lab/docs/klaverjas/hybrid.md.new
mv lab/docs/klaverjas/hybrid.md.new lab/docs/klaverjas/hybrid.md
