package belote

import (
	"strconv"
	"strings"

	brecord "roem/internal/engine/belote/record"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/session"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// scoringTag returns a tag with free text for how a hand is scored, if that is not the usual way. The tags that the game reads have the
// hand only, which is played in the same way.
func scoringTag(r score.Rules) []record.Tag {
	words := []string{"contract=" + r.Contract.String()}
	if r.Litige {
		words = append(words, "litige=yes")
	}
	if !r.Belote {
		words = append(words, "belote=no")
	}
	if r.Melds != score.NoMelds {
		words = append(words, "melds="+r.Melds.String())
	}
	if r.Capot > 0 {
		words = append(words, "capot="+strconv.Itoa(r.Capot))
	}
	if len(words) == 1 && r.Contract != score.Standard {
		return nil
	}
	return []record.Tag{{Name: "Scoring", Value: strings.Join(words, " ")}}
}

// outRecord returns the record of the present hand, which is over.
func outRecord(s session.Session, number int) record.Hand {
	sight := session.See(s)
	return &brecord.Hand{
		Tags: append(service.SessionTags(number, sight.Seat.String()), scoringTag(s.Match().Score)...), Deal: *sight.Revealed,
		Flip: s.Match().Flip, Auction: sight.Calls, Played: sight.View.Played(),
	}
}
