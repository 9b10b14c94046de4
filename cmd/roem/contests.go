package main

import (
	"strings"
	"time"

	"roem/internal/cli"
)

// parseSides reads the flags -a and -b of a match, which name players. names are all players, for a flag that is missing.
func parseSides[K any](texts [2]string, names []string, parse func(string) (K, error)) (kinds [2]K, err error) {
	for i, flag := range []string{"a", "b"} {
		if texts[i] == "" {
			return kinds, cli.Usagef("-%s is missing: expected one of %s", flag, strings.Join(names, ", "))
		}
		if kinds[i], err = parse(texts[i]); err != nil {
			return kinds, cli.Usagef("-%s %v", flag, err)
		}
	}
	return kinds, nil
}

// playContest plays a match of n units, such as deals, and writes its result as JSON. It shows the progress on standard error if that is a
// terminal. run calls done after each unit; result is what is written, with the time that the match took.
func playContest[R any](std cli.Stdio, units string, n int, run func(done func()) (R, error), result func(R, time.Duration) any) error {
	progress := cli.TerminalProgress(std, units, n)
	defer progress.Stop()
	began := time.Now()
	r, err := run(func() { progress.Add(1) })
	if err != nil {
		return err
	}
	line, err := cli.Encode(result(r, time.Since(began)))
	if err == nil {
		_, err = std.Out.Write(line)
	}
	return cli.Writing(err)
}
