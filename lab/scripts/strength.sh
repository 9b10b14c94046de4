#!/usr/bin/env bash
# Measures the estimates of hand strength, for lab/docs/klaverjas/hand-strength.md: time and stated error of four trumps for each method, and the error against long
# runs. It takes about twelve minutes on a quiet machine. With FIT=1 it first measures the table of outcomes again, which a new model needs.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [[ ${FIT:-} ]]; then
	bin/roem-lab klaverjas strength-fit -n 30000 -seed 77 -out internal/service/klaverjas/handstrength/outcomes.json
	make --silent bin/roem-lab
fi
run() {
	echo "## $*"
	bin/roem-lab klaverjas strength-eval "$@"
	echo
}
run -method network -precision 1 -hands 200 -seed 1
run -method exact -precision 1 -hands 100 -seed 1
run -method network -precision 1 -reference 0.5 -hands 100 -seed 2
run -method exact -precision 1 -reference 0.5 -hands 50 -seed 3
for system in rotterdam amsterdam; do
	run -method hand_model -reference 0.7 -hands 40 -seed 4 -system "$system"
done
run -method network -precision 0.64 -reference 0.7 -hands 30 -seed 5 -system amsterdam
run -method network -precision 0.64 -reference 0.7 -hands 40 -seed 6 -system amsterdam
run -method exact -precision 1 -hands 30 -seed 1 -system amsterdam
