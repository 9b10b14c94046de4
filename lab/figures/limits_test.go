package figures_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"roem/internal/config"
	"roem/internal/engine/klaverjas/advice"
	"roem/lab/figures"
)

// limit is a limit that pages state: a number in a file of code or of the contract, such as "8", "1_000" or "64 << 10".
type limit struct {
	name, file, pattern string
	unit                float64 // the number is divided by it; 0 for 1
}

var limits = []limit{
	{"streams", "internal/handlers/handlers.go", `const DefaultStreams = (.+)`, 0},
	{"heartbeat.seconds", "internal/handlers/handlers.go", `const DefaultHeartbeat = (\d+) \* time\.Second`, 0},
	{"bodies", "internal/handlers/bodies.go", `bodiesOfAll +=( \d+)`, 0},
	{"bodies.client", "internal/handlers/bodies.go", `bodiesOfClient +=( \d+)`, 0},
	{"bodies.seconds", "internal/handlers/bodies.go", `bodiesWait = (\d+) \* time\.Second`, 0},
	{"sending.seconds", "internal/handlers/sending.go", `const sendingWait = (\d+) \* time\.Second`, 0},
	{"token.minutes", "internal/handlers/token.go", `const tokenLife = (\d+) \* time\.Minute`, 0},
	{"causes.seconds", "internal/handlers/observe.go", `const causesEvery = (\d+) \* time\.Second`, 0},
	{"log.ms", "cmd/server/log.go", `const flushEvery = (\d+) \* time\.Millisecond`, 0},
	{"disk.ms", "internal/solvecache/file.go", `flushEvery += (\d+) \* time\.Millisecond`, 0},
	{"pending.MiB", "cmd/server/memory.go", `pendingMemory = (.+)`, 1 << 20},
	{"program.MiB", "cmd/server/memory.go", `programMemory = (.+)`, 1 << 20},
	{"session.KiB", "cmd/server/memory.go", `sessionMemory += (.+)`, 1 << 10},
	{"sessions.included", "cmd/server/memory.go", `includedSessions = (.+)`, 0},
	{"belote.table.MiB", "internal/engine/belote/search/search.go", `const DefaultTableBytes = (.+)`, 1 << 20},
	{"table.MiB", "internal/engine/klaverjas/search/solver.go", `const DefaultTableBytes = (.+)`, 1 << 20},
	{"fields", "internal/service/walk.go", `maxFields = (.+)`, 0},
	{"values", "internal/service/walk.go", `maxTokens = (.+)`, 0},
	{"violations", "internal/service/errors.go", `const maxViolations = (.+)`, 0},
	{"line.bytes", "internal/cli/lines/lines.go", `maxLine = (.+)`, 0},
	{"record.tags", "internal/engine/record/record.go", `MaxFields +=( [\d_]+)`, 0},
	{"record.words", "internal/engine/record/record.go", `MaxWords +=( [\d_]+)`, 0},
	{"record.records", "internal/engine/record/record.go", `MaxRecords =( [\d_]+)`, 0},
	{"evening.records", "api/src/klaverjas-evening.yaml", `maxItems: (\d+)`, 0},
	{"list", "api/src/klaverjas.yaml", `(?s)KlaverjasPositions:.*?maxItems: (\d+)`, 0},
	{"picture.KB", "internal/handlers/picture_test.go", `len\(body\) > (\d+<<10)`, 1 << 10},
	{"mistake.points", "internal/service/klaverjas/review.go", `reviewRule = service\.ReviewRule\{LeastCost: (\d+),`, 0},
	{"puzzle.open", "internal/engine/klaverjas/puzzles/puzzle.go", `OpenMargin +=( \d+)`, 0},
	{"puzzle.hidden", "internal/engine/klaverjas/puzzles/puzzle.go", `HiddenMargin =( \d+)`, 0},
	{"belote.hands", "api/src/belote.yaml", `hands: \{type: integer, minimum: 1, maximum: (\d+), x-go-type`, 0},
	{"tarok.hands", "api/src/tarok-play.yaml", `hands: \{type: integer, minimum: 1, maximum: (\d+), x-go-type`, 0},
	{"session.hands", "internal/engine/length/length.go", `const MaxHands = (\d+)`, 0},
	{"session.target", "internal/engine/length/length.go", `const MaxTarget = (\d+)`, 0},
	{"gin.match.rounds", "internal/engine/ginrummy/players/play.go", `const MaxRounds = (\d+)`, 0},
	{"notice.days", "tools/contract/compare.go", `const noticeDays = (\d+)`, 0},
	{"patience.go", "clients/go/transport.go", `case c\.reached\.Load\(\):\s+return (time\.Minute)`, 0},
	{"patience.python", "clients/python/roem/_transport.py", `else (\d+) if self\._reached`, 0},
	{"patience.typescript", "clients/typescript/src/transport.ts", `this\.reached \? ([\d_]+)`, 1000},
	{"round.worlds", "internal/service/klaverjas/advise_worlds.go", `roundWorlds += (\d+)`, 0},
	{"answer.free.KiB", "internal/handlers/sending.go", `const unboundedAnswer = (.+)`, 1 << 10},
	{"part.KiB", "internal/handlers/respond.go", `sendPart = (.+)`, 1 << 10},
	{"part.seconds", "internal/handlers/respond.go", `sendPartLimit = (\d+) \* time\.Second`, 0},
	{"body.free.KiB", "internal/handlers/request.go", `const smallBody = (.+)`, 1 << 10},
	{"probe.ms", "internal/solvecache/redis.go", `probeEvery = (\d+) \* time\.Millisecond`, 0},
	{"advise.worlds", "internal/service/klaverjas/advise.go", `defaultWorlds += (\d+)`, 0},
}

// limitPlaces are the sentences with limits.
var limitPlaces = []figures.Place{
	{Page: reference + "limits.md", Text: "event streams and waits for jobs: {limit.streams} a server"},
	{
		Page: reference + "limits.md",
		Text: "large bodies in memory: {limit.bodies}, of one client {limit.bodies.client} | waits {limit.bodies.seconds} s",
	},
	{Page: reference + "limits.md", Text: "answers that clients have not read | waits {limit.sending.seconds} s"},
	{Page: reference + "limits.md", Text: "**Lists** have 1 to {limit.list} items."},
	{
		Page: reference + "limits.md",
		Text: "at most {limit.fields} fields in an object and {limit.values} values. Errors list up to {limit.violations} places.",
	},
	{Page: reference + "api.md", Text: "take 1 to {limit.list} items"},
	{Page: reference + "command-line.md", Text: "A line may have {limit.line.bytes} bytes."},
	{Page: reference + "command-line.md", Text: "on a core and with a table of {limit.table.MiB} MiB"},
	{Page: "lab/cmd/roem-lab/dataset.go", Text: "on a core and with a table of {limit.table.MiB} MiB each"},
	{Page: reference + "compatibility.md", Text: "The notice is at least {limit.notice.days} days"},
	{Page: reference + "metrics.md", Text: "at most {limit.log.ms} ms later"},
	{Page: reference + "metrics.md", Text: "one such line of each kind in {limit.causes.seconds} s"},
	{Page: reference + "record-format.md", Text: "A file has up to {limit.record.records}."},
	{Page: reference + "record-format.md", Text: "at most {limit.record.tags} tags, and a tag at most {limit.record.words} words"},
	{Page: reference + "rules/gin-rummy.md", Text: "after {limit.gin.match.rounds} rounds, in a"},
	{Page: reference + "rules/gin-rummy.md", Text: "after {limit.session.hands}."},
	{Page: howTo + "play-against-the-program.md", Text: "and at the latest after {limit.session.hands} hands"},
	{Page: howTo + "play-against-the-program.md", Text: "A session ends {limit.sessions.retention.hours} hours after its last act"},
	{Page: contract + "klaverjas-play.yaml", Text: "{limit.sessions.retention.hours} hours by default"},
	{
		Page: contract + "gin-rummy.yaml",
		Text: "to {limit.session.target}: it is over after the round in which a player reaches them, and at the latest " +
			"after {limit.session.hands}",
	},
	{Page: contract + "common.yaml", Text: "at the latest after {limit.session.hands} hands"},
	{Page: contract + "common.yaml", Text: "from 1 to {limit.session.target}, in place of"},
	{Page: contract + "jobs.yaml", Text: "a comment is sent every {limit.heartbeat.seconds} seconds"},
	{Page: contract + "root.yaml", Text: "has 1 to {limit.list} items, and a body of its own size"},
	{Page: contract + "root.yaml", Text: "least {limit.notice.days} days."},
	{Page: howTo + "embed-a-board.md", Text: "is at most {limit.picture.KB} KB"},
	{Page: howTo + "keys-and-browsers.md", Text: "of this one job for {limit.token.minutes} minutes."},
	{Page: howTo + "keys-and-browsers.md", Text: "remove the old one {limit.token.minutes} minutes later"},
	{Page: howTo + "handle-202-429-503.md", Text: "an error after {limit.patience.typescript} seconds of patience"},
	{Page: "clients/go/README.md", Text: "it has waited {limit.patience.go} seconds in all"},
	{Page: "clients/python/README.md", Text: "it has waited {limit.patience.python} seconds in all"},
	{Page: "clients/typescript/README.md", Text: "it has waited {limit.patience.typescript} seconds in all"},
	{
		Page: howTo + "offer-puzzles.md",
		Text: "costs at least {limit.puzzle.open} points, exactly. In a hidden puzzle it costs more than " +
			"{limit.puzzle.hidden} on average",
	},
	{Page: contract + "klaverjas-puzzles.yaml", Text: "costs at least {limit.puzzle.open} points of outcome"},
	{Page: contract + "klaverjas-puzzles.yaml", Text: "each other card costs more than {limit.puzzle.hidden} points on average"},
	{Page: howTo + "show-mistakes.md", Text: "`evening` reviews up to {limit.evening.records} records"},
	{Page: howTo + "show-mistakes.md", Text: "worse by {limit.mistake.points} points or more"},
	{Page: howTo + "show-mistakes.md", Text: "costs at least {limit.mistake.points} points by two standard errors"},
	{
		Page: howTo + "size-a-deployment.md",
		Text: "(search.table + {limit.belote.table.MiB} MiB) + cache.memory + {limit.pending.MiB} MiB + {limit.program.MiB} MiB",
	},
	{
		Page: howTo + "size-a-deployment.md",
		Text: "Above {limit.sessions.included} sessions without Redis, each further one of `sessions.keep` adds {limit.session.KiB} KiB",
	},
	{Page: howTo + "size-a-deployment.md", Text: "(`cache.disk`, at most {limit.cache.disk.GiB} GiB)"},
	{Page: howTo + "size-a-deployment.md", Text: "the results of the last {limit.disk.ms} ms"},
	{Page: howTo + "size-a-deployment.md", Text: "| `limits.searches` | {limit.limits.searches} requests at a time |"},
	{Page: howTo + "size-a-deployment.md", Text: "Advice with {limit.advise.worlds} worlds takes"},
	{Page: explanation + "exact-and-estimated.md", Text: "The server searches {limit.advise.worlds} possible deals"},
	{Page: contract + "klaverjas-hidden.yaml", Text: "Without `worlds` and `budget_ms`, {limit.advise.worlds} are searched"},
	{Page: contract + "klaverjas-hidden.yaml", Text: "Without `worlds`, {limit.advise.worlds} are"},
	{
		Page: contract + "klaverjas-hidden.yaml",
		Text: "A round weighs {limit.round.candidates} worlds and plays out {limit.round.worlds} of them",
	},
	{Page: lab + "klaverjas/advice.md", Text: "Draw {limit.round.candidates} worlds uniformly without replacement"},
	{Page: lab + "klaverjas/advice.md", Text: "Draw {limit.round.worlds} of them by these weights"},
	{Page: project, Text: "Larger answers than {limit.answer.free.KiB} KiB are written in parts of {limit.part.KiB} KiB"},
	{Page: project, Text: "does not receive a part within {limit.part.seconds} s"},
	{Page: project, Text: "The first {limit.body.free.KiB} KiB of each are free"},
	{Page: project, Text: "a probe asks every {limit.probe.ms} ms"},
	{Page: project, Text: "The {limit.program.MiB} MiB include {limit.sessions.included} sessions"},
	{Page: readme, Text: "and so does a separate program on {limit.vectors} [positions](testdata/vectors)"},
	{Page: lab + "klaverjas/search.md", Text: "a program that shares no code with this one: {limit.vectors} positions"},
	{Page: howTo + "offer-puzzles.md", Text: "The server has {limit.puzzles}, open and hidden"},
	{
		Page: lab + "klaverjas/puzzles.md",
		Text: "The program has {limit.puzzles}: {limit.puzzles.open} with all cards open and {limit.puzzles.hidden} with hidden cards",
	},
	{Page: howTo + "play-against-the-program.md", Text: "`/v1/belote/sessions` deals up to {limit.belote.hands} hands"},
	{Page: howTo + "play-against-the-program.md", Text: "and `program`, up to {limit.tarok.hands} in a session"},
	{Page: tutorials + "a-thousand-positions.md", Text: "A list has at most {limit.list} items."},
}

// root is the root of the repository.
const root = "../../"

// isLimit says whether a name names a limit.
func isLimit(name string) bool { return strings.HasPrefix(name, "limit.") }

// stated returns the figures of the file, and the limits, by name.
func stated(t *testing.T) map[string]float64 {
	t.Helper()
	file, err := figures.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	values := file.Values()
	for _, l := range limits {
		text, err := os.ReadFile(root + l.file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(l.pattern).FindSubmatch(text)
		if found == nil {
			t.Errorf("%s has nothing like %s", l.file, l.pattern)
			continue
		}
		value, err := calculated(string(found[1]))
		if err != nil {
			t.Errorf("%s: %v", l.file, err)
		}
		if l.unit > 0 {
			value /= l.unit
		}
		values["limit."+l.name] = value
	}
	c, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	values["limit.vectors"] = lines(t, "testdata/vectors/[rav]*-*.jsonl", "")
	const puzzles = "internal/engine/klaverjas/puzzles/puzzles.txt"
	values["limit.puzzles"] = lines(t, puzzles, "")
	values["limit.puzzles.open"], values["limit.puzzles.hidden"] = lines(t, puzzles, "open "), lines(t, puzzles, "hidden ")
	values["limit.sessions.retention.hours"] = c.Sessions.Retention.Hours()
	values["limit.cache.disk.GiB"] = float64(c.Cache.Disk) / (1 << 30)
	values["limit.round.candidates"] = advice.CandidatesEach * values["limit.round.worlds"]
	values["limit.limits.searches"] = float64(c.Limits.Searches)
	return values
}

// lines counts the lines of files that begin with a text.
func lines(t *testing.T, pattern, begin string) (n float64) {
	t.Helper()
	names, err := filepath.Glob(root + pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, begin) {
				n++
			}
		}
	}
	return n
}

// calculated returns the value of a constant: a number, or one shifted to the left.
func calculated(text string) (float64, error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "_", "")
	if text == "time.Minute" {
		return time.Minute.Seconds(), nil
	}
	number, shift, _ := strings.Cut(text, "<<")
	value, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64)
	if err != nil || shift == "" {
		return float64(value), err
	}
	by, err := strconv.ParseUint(strings.TrimSpace(shift), 10, 6)
	return float64(value << by), err
}
