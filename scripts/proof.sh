#!/usr/bin/env bash
# Runs a long proof: proof.sh NAME [FLAG ...]. The flags are those of the test. lab/docs/service.md lists the results.
set -euo pipefail

proofs() {
  cat <<'LIST'
abuse      hostile, broken and slow clients, 10,000 mutations a route, damaged records and formulas, clients that hang up for STORM (10m) twice (some 35 minutes)
crowds     of abuse, only the crowds that attack a server on 384 MiB while others send honest requests
storm      of abuse, only the clients that hang up; with the race detector: PROOFFLAGS=-race-server
faults     requests while Redis is stopped, silent, slow or contains invalid data (five minutes)
cached     cached solves a second, in turns with a bare handler that decodes and encodes the same bodies (two minutes)
soak       every searcher busy and the queue full for SOAK (10m), and cached solves a second
budget     how late the hybrid is within budgets, and batches of a thousand predictions (a minute)
kill       500 jobs, and sessions of every game, while servers or workers are killed twenty times and Redis restarted; poison; cancelling (five minutes)
queues     500 jobs on each queue while workers are killed 20 times, and Redis twice (a minute)
sigterm    SIGTERM under load, and a second one
knowledge  a million random cards: what each seat knows is true, explained by facts, and never less than before (some minutes)
klaverjas  the rules and the search against the second implementation, with all repetitions, and 2,100 deals solved in every way (some minutes)
belote     the search of Belote Découverte against the plain table of all positions, and the contract on 1,000 deals of four suits (some minutes, 1 GB)
board      how long the board takes from loading until the first value
site       how long the first visit of the site takes to its first value, over a line as slow as 4G, and later visits (three minutes)
LIST
}

run() { # PACKAGE TESTS FLAGS ...
  local package=$1 tests=$2
  shift 2
  go test -count=1 -v -timeout 120m "$package" -run "$tests" -args "$@"
}

name=${1:-}
[ $# -eq 0 ] || shift
case $name in
  abuse)
    run ./internal/handlers TestAllocated -full
    run ./internal/engine/klaverjas/logic TestFewStepsTakeLittle -full
    run ./test 'TestAbuse|TestJobsOfOthers|TestKeys|TestOneClientsExcess|TestSessionsOfOthers|TestStorm' -full -storm.duration "$STORM" "$@"
    ;;
  crowds) run ./test TestAbuseByCrowds -full "$@" ;;
  storm) run ./test TestStorm -full -storm.duration "$STORM" "$@" ;;
  faults) run ./test TestRedisFaults -full "$@" ;;
  cached) run ./test TestCachedThroughput -full "$@" ;;
  soak) run ./test 'TestLoad|TestMemoryBound|TestCachedThroughput' -full -soak.duration "$SOAK" "$@" ;;
  budget) run ./test 'TestHybridBudget|TestPredictBatchSpeed' -full "$@" ;;
  kill) run ./test 'TestKill|TestPoison|TestCancel|TestDamageWhileServing|TestFileSizeLimit' -full "$@" ;;
  queues) ROEM_STORM_JOBS=500 ROEM_STORM_KILLS=20 go test -count=1 -v -run TestStorm ./internal/jobs/... ;;
  sigterm) run ./test 'TestSIGTERM|TestSecondSignal' -full "$@" ;;
  knowledge) run ./internal/engine/klaverjas/worlds TestRandomPlies -plies 1000000 "$@" ;;
  klaverjas) run ./internal/engine/klaverjas/enginetest . -full "$@" ;;
  belote) run ./internal/engine/belote/enginetest . -full "$@" ;;
  board) run ./test/board 'TestFirstValue$' -speed "$@" ;;
  site) run ./test/board TestFirstValueOfTheSite -speed "$@" ;;
  record) run ./test 'TestRecord$' "$@" ;;
  *)
    echo "make proof NAME=..., one of:"
    proofs
    [ -z "$name" ]
    ;;
esac
