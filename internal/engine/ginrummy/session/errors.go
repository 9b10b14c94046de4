package session

// WrongState is the error for an act of another kind than the session waits for.
type WrongState struct {
	Act   Act
	State State
}

// Error says what the session waits for.
func (e *WrongState) Error() string {
	act := "the next round cannot be dealt"
	if !e.Act.Next {
		act = [6]string{
			Draw: "a card cannot be drawn or passed", Discard: "a card cannot be discarded", Knock: "the decision whether to knock cannot be made",
			Meld: "melds cannot be laid down",
		}[e.Act.Move.waitsFor()]
	}
	return act + ": " + [6]string{
		Draw: "the session waits for a draw", Discard: "the session waits for a discard", Knock: "the session waits for a decision " +
			"whether to knock",
		Meld:      "the opponent has knocked, and the session waits for melds",
		RoundOver: "the round is over, and the session waits for the next one", Over: "the game is over",
	}[e.State%6]
}
