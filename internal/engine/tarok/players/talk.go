package players

import (
	"encoding/binary"
	"fmt"
	"strings"

	"roem/internal/engine/tarok"
)

// Words are what a player says in one turn of the announcements. The zero value is silence.
type Words struct {
	Bonuses [4]bool // announced by the player's side
	Kontra  bool    // doubles the game
	Double  [4]bool // doubles an announced bonus
}

// Silent reports whether nothing is said.
func (w Words) Silent() bool { return w == Words{} }

// String lists what is said, such as "announce kings, double the game".
func (w Words) String() string {
	var list []string
	if w.Kontra {
		list = append(list, "double the game")
	}
	for i, b := range tarok.Bonuses() {
		if w.Bonuses[i] {
			list = append(list, "announce "+b.String())
		}
		if w.Double[i] {
			list = append(list, "double "+b.String())
		}
	}
	return strings.Join(list, ", ")
}

// Talk is the announcements under way. The declarer speaks first, then the others in the order of play. Each may announce bonuses in the
// first own turn; a game or bonus is doubled by the other side first, then by the two sides in turn, up to mort. It ends when all others
// have been silent after the last words.
type Talk struct {
	said     tarok.Announcements
	contract tarok.Contract
	declarer tarok.Player
	turn     tarok.Player
	spoken   [3]bool
	silent   int // players in a row who said nothing
	any      bool
	done     bool
}

// NewTalk returns the announcements before the first turn.
func NewTalk(c tarok.Contract, declarer tarok.Player) Talk {
	return Talk{contract: c, declarer: declarer, turn: declarer, done: c == tarok.Klop}
}

// TalkOf returns the announcements after their end, in which this was said.
func TalkOf(c tarok.Contract, declarer tarok.Player, said tarok.Announcements) Talk {
	said.Radli = [3]int{}
	return Talk{said: said, contract: c, declarer: declarer, turn: declarer, done: true}
}

// AppendBinary writes the state of the announcements: talks are equal if their bytes are. It never fails.
func (t *Talk) AppendBinary(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint64(b, uint64(t.said.Kontra))
	for i := range t.said.Bonuses {
		one := &t.said.Bonuses[i]
		b = binary.BigEndian.AppendUint64(append(b, byte(one.By)), uint64(one.Kontra))
	}
	for _, n := range t.said.Radli {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	b = append(b, byte(t.contract), byte(t.declarer), byte(t.turn))
	for _, spoken := range t.spoken {
		b = append(b, flag(spoken))
	}
	return append(binary.BigEndian.AppendUint64(b, uint64(t.silent)), flag(t.any), flag(t.done)), nil
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// Said returns what was said, without radli.
func (t *Talk) Said() tarok.Announcements { return t.said }

// Turn returns who speaks. There is nobody if ok is false.
func (t *Talk) Turn() (p tarok.Player, ok bool) { return t.turn, !t.done }

func (t *Talk) side() tarok.Side {
	if t.turn == t.declarer {
		return tarok.Declarers
	}
	return tarok.Opponents
}

// May returns all that the player to speak may say.
func (t *Talk) May() (w Words) {
	if t.done {
		return w
	}
	side := t.side()
	doubles := func(by tarok.Side, level int) bool {
		if level%2 == 1 {
			by = -by // the other side has doubled last
		}
		return by != side && level < tarok.MaxKontra
	}
	w.Kontra = doubles(tarok.Declarers, t.said.Kontra)
	if t.contract.Exchange() == 0 {
		return w
	}
	for i, said := range t.said.Bonuses {
		if said.By == tarok.NoSide {
			w.Bonuses[i] = !t.spoken[t.turn]
		} else {
			w.Double[i] = doubles(said.By, said.Kontra)
		}
	}
	return w
}

// Refused returns what of the words the player to speak may not say.
func (t *Talk) Refused(w Words) Words {
	may := t.May()
	w.Kontra = w.Kontra && !may.Kontra
	for i := range may.Bonuses {
		w.Bonuses[i] = w.Bonuses[i] && !may.Bonuses[i]
		w.Double[i] = w.Double[i] && !may.Double[i]
	}
	return w
}

// Say returns the announcements after the words of the player to speak. Its error says that some of them are refused: see Refused.
func (t Talk) Say(w Words) (Talk, error) {
	if !t.Refused(w).Silent() {
		return t, fmt.Errorf("%s may not %s", t.turn, t.Refused(w))
	}
	for i := range w.Bonuses {
		switch {
		case w.Bonuses[i]:
			t.said.Bonuses[i].By = t.side()
		case w.Double[i]:
			t.said.Bonuses[i].Kontra++
		}
	}
	if w.Kontra {
		t.said.Kontra++
	}
	t.spoken[t.turn] = true
	t.turn = t.turn.Next()
	if t.silent++; !w.Silent() {
		t.silent, t.any = 0, true
	}
	t.done = t.silent == 3 || t.any && t.silent == 2 && t.spoken == [3]bool{true, true, true}
	return t, nil
}
