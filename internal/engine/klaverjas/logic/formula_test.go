package logic_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/logic"
)

func formula(tb testing.TB, text string) *logic.Formula {
	tb.Helper()
	f, err := logic.ParseFormula(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return f
}

// The canonical form shows how a formula was read.
func TestParseFormula(t *testing.T) {
	for text, want := range map[string]string{
		"own(S,7C)":                          "own(S,7C)",
		"own( s , 7♣ )":                      "own(S,7C)",
		"higher(w,th)":                       "higher(W,10H)",
		"void(E,H) and has_suit(W,s)":        "void(E,H) and has_suit(W,S)",
		"true or false and true":             "true or (false and true)",
		"true and false or true":             "(true and false) or true",
		"true implies false implies true":    "true implies (false implies true)",
		"(true implies false) implies true":  "(true implies false) implies true",
		"true or false or true":              "(true or false) or true",
		"not true and false":                 "not true and false",
		"not (true and false)":               "not (true and false)",
		"K_S M_W not void(E,H)":              "K_S M_W not void(E,H)",
		"K_S true and false":                 "K_S true and false",
		"E C E_NS C_wse true":                "E C E_NS C_ESW true",
		"E_NESW true":                        "E true",
		"[!void(E,H)] K_S void(E,H) or true": "[!void(E,H)] K_S void(E,H) or true",
		"[!void(E,H)] (K_S true or true)":    "[!void(E,H)] (K_S true or true)",
		"[![!true]false]true":                "[![!true] false] true",
		"\t true\n":                          "true",
	} {
		t.Run(text, func(t *testing.T) {
			f := formula(t, text)
			if got := f.String(); got != want {
				t.Errorf("read as %s, want %s", got, want)
			}
			if again := formula(t, f.String()); again.String() != f.String() {
				t.Errorf("%s is read as %s", f, again)
			}
		})
	}
}

// Errors give the column and what was expected.
func TestFormulaErrors(t *testing.T) {
	const one = "expected an atom (own, void, has_suit, higher), true, false, not, K_S, M_S, E, C, [! or ("
	for text, want := range map[string]string{
		"":              "column 1: the formula ends here: " + one,
		"own(S,7C":      "column 9: the formula ends here: expected )",
		"own(S,7C) own": `column 11: "own": expected the end, and, or, or implies`,
		"own S,7C)":     `column 5: "S": expected (`,
		"own(X,7C)":     `column 5: "X" is not a seat: expected N, E, S or W`,
		"own(S,1C)": `column 7: "1C" is not a card: expected a face (7 8 9 10 J Q K A) and ` +
			`a suit (C D H S), such as 10H`,
		"void(S,7C)":                         `column 8: "7C" is not a suit: expected C, D, H or S`,
		"own(S;7C)":                          `column 5: "S;7C" is not a seat: expected N, E, S or W`,
		"own(S":                              "column 6: the formula ends here: expected ,",
		"own(":                               "column 5: the formula ends here",
		"K_X true":                           `column 1: "X" is not a seat: expected N, E, S or W`,
		"K true":                             `column 1: "K": ` + one,
		"E_ true":                            "column 1: the group has no seat: expected some of N, E, S, W",
		"C_NX true":                          `column 1: "X" is not a seat: expected N, E, S or W`,
		"true and":                           "column 9: the formula ends here: " + one,
		"(true":                              "column 6: the formula ends here: expected )",
		"[! true K_S true":                   `column 9: "K_S": expected ]`,
		"[true] true":                        `column 1: "[": ` + one,
		"♥ and true":                         `column 1: "♥": ` + one,
		"true and ♥":                         `column 10: "♥": ` + one,
		"own(♥,7C)":                          `column 5: "♥" is not a seat: expected N, E, S or W`,
		"known(S,7C)":                        `column 1: "known": ` + one,
		"TRUE":                               `column 1: "TRUE": ` + one,
		"not not":                            "column 8: the formula ends here: " + one,
		"K_S K_W own(W,AH))":                 `column 18: ")": expected the end, and, or, or implies`,
		strings.Repeat("not ", 250) + "true": "column 1001: the formula has more than 1000 characters",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := logic.ParseFormula(text)
			if _, ok := errors.AsType[*logic.SyntaxError](err); !ok {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(want, err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzFormula reads any text: no panic, a column within the text, and what is read is written so that it is read again as the same.
func FuzzFormula(f *testing.F) {
	for _, seed := range []string{
		"own(S,7C)", "K_S void(E,H) and not M_W own(W,10H)", "[!E_NS higher(W,QD)] C (true implies false)", "own(S,", "[!", "♥", "((((", "E_",
		"K_N\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := logic.ParseFormula(text)
		if err != nil {
			var syntax *logic.SyntaxError
			if !errors.As(err, &syntax) || syntax.Column < 1 || syntax.Column > len([]rune(text))+1 || syntax.Detail == "" {
				t.Fatalf("%q: error %v", text, err)
			}
			return
		}
		written := read.String()
		if len(written) > logic.MaxFormula {
			return // parentheses were added
		}
		again, err := logic.ParseFormula(written)
		if err != nil || again.String() != written {
			t.Fatalf("%q is written %q, which is read as %v (%v)", text, written, again, err)
		}
	})
}

// FuzzCheck decides any formula at any moment of a hand: no panic, only the errors that Check names, and what a seat knows is true.
func FuzzCheck(f *testing.F) {
	for i, seed := range []string{
		"own(S,7C)", "K_S void(E,H) and not M_W own(W,10H)", "[!E_NS higher(W,QD)] C (true implies false)",
		"C (void(N,C) or void(E,D) or void(S,H))",
		"[!K_N own(E,AS)] [!M_E has_suit(S,C)] C_NS not own(W,8D)", "K_N K_E K_S K_W (own(N,7C) or own(N,8C) and own(N,9D) implies false)",
	} {
		f.Add(seed, uint8(5*i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, n uint8, seed uint64) {
		read, err := logic.ParseFormula(text)
		if err != nil {
			return
		}
		p, v := enginetest.RandomView(t, rand.New(rand.NewPCG(seed, 46)), int(n%33))
		k, held := enginetest.Knowledge(t, v), enginetest.Held(p)
		for _, steps := range []int{logic.FewSteps, logic.MaxSteps / 10} {
			seen, seenErr := logic.Check(k, read, steps)
			deal, dealErr := logic.CheckAt(k, read, held, steps)
			card, cardErr := logic.CheckCard(k, read, &held, steps)
			for _, err := range []error{seenErr, dealErr, cardErr} {
				_, many := errors.AsType[*logic.TooManyWorlds](err)
				if err != nil && !many && !errors.Is(err, logic.ErrTooComplex) && !errors.Is(err, logic.ErrManyCards) {
					t.Fatalf("%s: error %v", read, err)
				}
			}
			if seenErr == nil && dealErr == nil && seen.Exact && deal.Exact && seen.Value && !deal.Value {
				t.Fatalf("%s is known and not true: %+v, %+v", read, seen, deal)
			}
			if cardErr == nil && dealErr == nil && card.Exact && deal.Exact && card.Value != deal.Value {
				t.Fatalf("%s: %+v in the model of the card, %+v in the joint model", read, card, deal)
			}
		}
	})
}
