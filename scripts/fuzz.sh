#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other: fuzz.sh [DURATION], 10s each unless told.
#
# Ends with status 1 if any target failed; a failing input is written to testdata/fuzz/ of its package by go test, to be
# committed together with the fix.
set -euo pipefail

duration=${1:-10s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A package that does not compile has no list of targets: it must fail here, not be passed over.
targets=()
for package in $(go list ./...); do
  names=$(go test -list '^Fuzz' "$package") || { echo "$names"; exit 1; }
  while read -r name; do
    [[ $name == Fuzz* ]] && targets+=("$package $name")
  done <<<"$names"
done

if [ ${#targets[@]} -eq 0 ]; then
  echo "there is no fuzz target" >&2
  exit 1
fi

passed=0 failed=0
for target in "${targets[@]}"; do
  read -r package name <<<"$target"
  echo "--- $name ($package), $duration"
  # Making inputs small takes up to a minute each unless bounded, time in which nothing new is tried.
  if go test -run '^$' -fuzz "^$name\$" -fuzztime "$duration" -fuzzminimizetime 10x "$package" 2>&1 | tee "$log"; then
    passed=$((passed + 1))
  # Before Go 1.27 the coordinator can report its own deadline as a failure when the time is up (go.dev/issue/75804).
  # That failure alone, with no failing input, no panic and a clean replay of all inputs, is not one of ours.
  elif [[ $(grep -A2 -- "^--- FAIL: $name " "$log" | sed -n '2s/^ *//p;3s/^/|/p' | tr -d '\n') == "context deadline exceeded|FAIL" ]] &&
    ! grep -q 'Failing input written\|^panic:' "$log" &&
    go test -count=1 -run "^$name\$" "$package"; then
    echo "    (the time ran out inside the coordinator: no failing input, replay clean)"
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done

echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
