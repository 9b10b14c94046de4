package logic_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/testkit"
)

// allocated returns how many bytes a function allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A decision within few steps takes little memory, whatever the formula and however many worlds there are. It is refused, or it is the
// decision within the most steps.
func TestFewStepsTakeLittle(t *testing.T) {
	const most = 128 << 10
	rng := rand.New(rand.NewPCG(28, 1))
	refused := 0
	times := testkit.Times(100, 400, 10_000, 100_000)
	for range times {
		p, played := enginetest.RandomPlay(t, rng, rng.IntN(31))
		k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.Seat(rng.IntN(4))))
		text := randomTree(rng, rng.IntN(5), nil, true).String()
		for range rng.IntN(4) {
			operators := []string{"C ", "E ", "not ", "K_N ", "M_S ", "C_NE E ", "K_N M_W ", "[!true] "}
			if chain := strings.Repeat(operators[rng.IntN(len(operators))], rng.IntN(100)); len(chain)+len(text) < logic.MaxFormula-2 {
				text = chain + "(" + text + ")"
			}
		}
		if len(text) > logic.MaxFormula {
			continue
		}
		f := formula(t, text)
		var few logic.Answer
		var err error
		if took := allocated(func() { few, err = logic.Check(k, f, logic.FewSteps) }); took > most {
			t.Fatalf("%d bytes for %s with %d worlds", took, f, k.PublicWorlds())
		}
		whole, wholeErr := logic.Check(k, f, logic.MaxSteps)
		switch {
		case errors.Is(err, logic.ErrTooComplex):
			refused++
		case (err == nil) != (wholeErr == nil) || few != whole:
			t.Fatalf("%s: %+v, %v, and with all steps %+v, %v", f, few, err, whole, wholeErr)
		}
	}
	if refused == 0 || refused == times {
		t.Errorf("%d of %d were refused", refused, times)
	}
}

// The costliest formulas on large models end within the most steps and in bounded memory, or are refused.
func TestLongChains(t *testing.T) {
	const most = 16 << 20
	p, played := enginetest.RandomPlay(t, rand.New(rand.NewPCG(27, 1)), 8)
	k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
	largest := 0
	for _, operand := range []string{"own(N,7C)", "(has_suit(N,C) and void(E,D))", "((has_suit(N,C) and void(E,D)) and void(W,H))"} {
		for name, one := range map[string]struct{ operators, collapsed string }{
			"common":     {"C ", "C "},
			"knows":      {"K_N ", "K_N "},
			"possible":   {"M_N ", "M_N "},
			"not":        {"not ", ""},
			"everyone":   {"E ", ""},
			"several":    {"C_NE C_ES ", ""},
			"announced":  {"[!true] C ", ""},
			"alternated": {"K_N M_E ", ""},
			"narrowed":   {"[!M_N own(S,8D)] C_NE ", ""},
		} {
			if strings.Contains(operand, "void(W,H)") && one.collapsed != "C " && name != "narrowed" {
				continue // the largest model, for the costliest operators
			}
			decided := 0
			for length := logic.MaxFormula - len(operand); length > 0; length /= 3 {
				f := formula(t, strings.Repeat(one.operators, length/len(one.operators))+operand)
				if one.collapsed != "" && length > 100 && f.String() != one.collapsed+operand {
					t.Errorf("read as %.100s, want %s", f, one.collapsed+operand)
				}
				var a logic.Answer
				var err error
				if took := allocated(func() { a, err = logic.Check(k, f, logic.MaxSteps) }); took > most {
					t.Errorf("%s: %d bytes with %d worlds", name, took, a.Worlds)
				}
				switch {
				case err == nil:
					decided++
					largest = max(largest, a.Worlds)
				case !errors.Is(err, logic.ErrTooComplex):
					t.Errorf("%s: %v", name, err)
				}
			}
			if decided == 0 {
				t.Errorf("%s %s: nothing was decided", name, operand)
			}
		}
	}
	if largest < 50_000 {
		t.Errorf("the largest model had %d worlds", largest)
	}
}
