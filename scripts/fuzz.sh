#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other: fuzz.sh [DURATION]. The default is 10s per target.
#
# The exit status is 1 if any target failed. go test writes a failing input to testdata/fuzz/ of its package. Commit it together with
# the fix.
set -euo pipefail

duration=${1:-10s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The names are read from the sources: go test -list would build and link the tests of every package.
targets=()
while read -r folder name; do
  targets+=("$folder $name")
done < <(grep -rHoE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' ./internal | sed -E 's|^(.*)/[^/]*:func |\1 |' | sort)

if [ ${#targets[@]} -eq 0 ]; then
  echo "there is no fuzz target" >&2
  exit 1
fi

passed=0 failed=0
for target in "${targets[@]}"; do
  read -r package name <<<"$target"
  echo "--- $name ($package), $duration"
  # Without a limit, minimising an input can take a minute, and no new inputs are tried in that time.
  if go test -run '^$' -fuzz "^$name\$" -fuzztime "$duration" -fuzzminimizetime 10x "$package" 2>&1 | tee "$log"; then
    passed=$((passed + 1))
  # Before Go 1.27 the coordinator can report its own deadline as a failure when the time is up (go.dev/issue/75804). This failure is
  # ignored if there is no other failure, no failing input and no panic, and all inputs pass in a new run.
  elif [[ $(grep -A2 -- "^--- FAIL: $name " "$log" | sed -n '2s/^ *//p;3s/^/|/p' | tr -d '\n') == "context deadline exceeded|FAIL" ]] &&
    ! grep -q 'Failing input written\|^panic:' "$log" &&
    go test -count=1 -run "^$name\$" "$package"; then
    echo "    (the coordinator's deadline passed; there is no failing input, and all inputs pass)"
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done

echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
