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

// The costliest formulas on the largest model end within the most steps and in bounded memory.
func TestLongChains(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 1))
	var k *worlds.Knowledge
	for k == nil || k.PublicWorlds() < 3000 || k.PublicWorlds() > logic.MaxModel {
		p, played := enginetest.RandomPlay(t, rng, 20)
		k = enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
	}
	for name, one := range map[string]struct{ operators, want string }{
		"common":     {"C ", "C own(N,7C)"},
		"knows":      {"K_N ", "K_N own(N,7C)"},
		"possible":   {"M_N ", "M_N own(N,7C)"},
		"not":        {"not ", ""},
		"everyone":   {"E ", ""},
		"several":    {"C_NE C_ES ", ""},
		"announced":  {"[!true] C ", ""},
		"alternated": {"K_N M_E ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := formula(t, strings.Repeat(one.operators, (logic.MaxFormula-10)/len(one.operators))+"own(N,7C)")
			if one.want != "" && f.String() != one.want {
				t.Errorf("read as %.100s, want %s", f, one.want)
			}
			if took := allocated(func() {
				if _, err := logic.Check(k, f, logic.MaxSteps); err != nil {
					t.Error(err)
				}
			}); took > 8<<20 {
				t.Errorf("%d bytes with %d worlds", took, k.PublicWorlds())
			}
		})
	}
}
