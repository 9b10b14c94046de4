#!/usr/bin/env bash
# Measures the effect of each technique of the search: ablation.sh [DEALS [ROUNDS]]. The defaults are 200 deals and 3 rounds.
#
# It builds roem-lab from a copy of the module once for each constant of internal/engine/klaverjas/search/techniques.go, with that
# constant false, and once with all of them false. Each of these searches must solve every test vector correctly and agree with minimax.
# Then all of them solve the same deals in turn, ROUNDS times, and a Markdown table is written to standard output. Only the fastest
# round of a program counts. The machine must nevertheless be quiet.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

deals=${1:-200}
rounds=${2:-3}
GOAMD64=${GOAMD64:-$(scripts/goamd64.sh)} # as in make build
export GOAMD64
file=internal/engine/klaverjas/search/techniques.go
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/module" "$work/reports"
git ls-files -z --cached --others --exclude-standard -- '*.go' go.mod go.sum api configs internal testdata |
  xargs -0 tar --create --ignore-failed-read -- | tar --extract --directory "$work/module"
mapfile -t techniques < <(sed -nE 's/^\t(use[A-Za-z]+) +=.*/\1/p' "$file")

# build NAME PATTERN builds roem-lab with the constants false whose names match the pattern.
build() {
  sed -E "s/^(\t($2) +)= true/\1= false/" "$file" >"$work/module/$file"
  (
    cd "$work/module"
    go build -o "$work/$1" ./lab/cmd/roem-lab
    go test -count=1 -run TestVectorsSolved ./internal/engine/klaverjas/enginetest >"$work/test.log" 2>&1
    go test -count=1 -short -run TestSearchAgainstMinimax ./internal/engine/klaverjas/enginetest >"$work/test.log" 2>&1
  ) || {
    cat "$work/test.log" >&2
    echo "ablation: $1: the build or a test failed" >&2
    exit 1
  }
  echo "built $1" >&2
}

build every none
for technique in "${techniques[@]}"; do
  build "$technique" "$technique"
done
build none 'use[A-Za-z]+'

for round in $(seq "$rounds"); do
  for variant in every "${techniques[@]}" none; do
    # The deals of the documentation, and the hard deals.
    "$work/$variant" bench -json -n "$deals" -goal win,value >"$work/reports/$variant.$round.json" 2>/dev/null
  done
  echo "round $round of $rounds done" >&2
done

go run ./lab/klaverjas/bench/ablation "$file" "$work/reports"
