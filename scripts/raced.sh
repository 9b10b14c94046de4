#!/usr/bin/env bash
# Lists the packages outside test/ that the race detector runs: those whose files start goroutines or share memory between
# them. A package without either has no race of its own. How the others use it at the same time is run with them, and with the servers of
# test/.
set -euo pipefail

go list -f '{{.Dir}} {{.ImportPath}}' ./... | while read -r dir package; do
  [[ $package == roem/test* || $package == roem/api* ]] && continue
  if grep -qE '^\s*go |\.Go\(|errgroup|"sync"|"sync/atomic"|\.Parallel\(\)' "$dir"/*.go; then
    echo "$package"
  fi
done
