package service

import (
	"slices"

	"roem/internal/engine/violation"
)

// CodeInfo explains a code on the page of errors. The sentences show how a site can tell an error to its users: it puts the fields of the
// error in place of {pointer} (or the parameter), {value} and the fields of expected. It leaves out what is in square brackets if a field
// in it is absent.
type CodeInfo struct {
	Code    violation.Code
	Help    string // what it means
	English string
	Dutch   string // with the words of the board
}

// Codes returns every code, in the order of the contract.
func Codes() []CodeInfo {
	all := slices.Concat(codesOfContract, codesOfGame, codesBefore)
	for _, one := range codesOfServer {
		all = append(all, one.CodeInfo)
	}
	return all
}

var codesOfContract = []CodeInfo{
	{
		violation.NotJSON, "The body is not one JSON object in UTF-8. The detail has the byte.",
		"The request cannot be read.", "Het verzoek is niet leesbaar.",
	},
	{violation.GivenTwice, "A field or a parameter is given more than once.", "{pointer} is given twice.", "{pointer} staat er twee keer."},
	{
		violation.TooComplex, "The body has more values, or nests deeper, than any request needs.",
		"The request is too large.", "Het verzoek is te groot.",
	},
	{
		violation.UnknownField, "The object has no field of this name. The name is value, and expected has the fields.",
		"“{value}” is unknown[. Possible are {one_of}].", "“{value}” is onbekend[. Het kan zijn: {one_of}].",
	},
	{
		violation.UnknownParameter, "The operation has no parameter of this name. The name is value, and expected has the parameters.",
		"“{value}” is unknown[. Possible are {one_of}].", "“{value}” is onbekend[. Het kan zijn: {one_of}].",
	},
	{
		violation.Missing, "A required field or parameter is missing.",
		"{pointer} is missing[. Choose {one_of}].", "{pointer} ontbreekt[. Kies {one_of}].",
	},
	{
		violation.OnlyOneOf, "Of two fields only one may be given.",
		"Give {pointer} or the other, not both.", "Geef {pointer} of het andere, niet allebei.",
	},
	{
		violation.WrongType, "The value has another type of JSON, or a required field or an item of a list is null.",
		"{pointer} has the wrong type[: it must be {one_of}].", "{pointer} heeft het verkeerde type[: het moet {one_of} zijn].",
	},
	{
		violation.WrongForm, "The text has another form: a seed is not a number, for example.",
		"“{value}” is not written correctly.", "[“{value}” is ]niet goed geschreven.",
	},
	{
		violation.NotOneOf, "The value is not one of the words or numbers in expected.",
		"“{value}” is not possible[. Choose {one_of}].", "[“{value}”: ]dit kan niet[. Kies {one_of}].",
	},
	{
		violation.NotACard, "The text is not a card of the game. If expected is present, it has the card that was probably meant.",
		"“{value}” is not a card.[ Did you mean {one_of}?]", "“{value}” is geen kaart.[ Bedoel je {one_of}?]",
	},
	{
		violation.NotASuit, "The text is not a suit.",
		"“{value}” is not a suit[. Choose {one_of}].", "“{value}” is geen kleur[. Kies {one_of}].",
	},
	{
		violation.NotASeat, "The text is not a seat, or not a team, of the game.",
		"“{value}” is not a seat[. Choose {one_of}].", "“{value}” is geen plaats[. Kies {one_of}].",
	},
	{
		violation.NotAFormula, "The formula about knowledge cannot be read. The detail has the column.",
		"The formula “{value}” cannot be read.", "De formule [“{value}” ]is niet leesbaar.",
	},
	{
		violation.TooSmall, "The number is below its range.",
		"{value} is too small[: at least {least}].", "[{value} is ]te klein[: ten minste {least}].",
	},
	{
		violation.TooLarge, "The number is above its range, or the body is larger than the server reads.",
		"[{value} is ]too large[: at most {most}].", "[{value} is ]te groot[: ten hoogste {most}].",
	},
	{
		violation.NotAMultiple, "The number is not a multiple of another.",
		"{value} is not a multiple of {multiple_of}.", "{value} is geen veelvoud van {multiple_of}.",
	},
	{
		violation.TooFew, "The list is too short. Its length is value.",
		"There are {value}[: at least {least}].", "Het zijn er [{value}, ]te weinig[: ten minste {least}].",
	},
	{
		violation.TooMany, "The list is too long, or the query has too many parameters. The number is value.",
		"There are {value}[: at most {most}].", "Het zijn er [{value}, ]te veel[: ten hoogste {most}].",
	},
	{
		violation.TooLong, "The text has too many characters.",
		"“{value}” is too long[: at most {most} characters].", "[“{value}” is ]te lang[: ten hoogste {most} tekens].",
	},
	{violation.ListedTwice, "An item occurs twice in a list.", "[{value} ]occurs twice.", "[{value} ]staat er twee keer."},
}

var codesOfGame = []CodeInfo{
	{
		violation.CardTwice, "A card is in two places. The pointer is the second one; the detail ends with the first.",
		"{value} occurs twice.", "[{value} ]staat er twee keer.",
	},
	{
		violation.WrongCount, "A hand, a stack or a discard has another number of cards. The number is value.",
		"There are {value} cards[, and {most} are needed].", "Het aantal klopt niet[: het zijn er {value}][, en het moeten er {most} zijn].",
	},
	{
		violation.NotHeld, "The player does not have the card, or cannot play it while another covers it.",
		"{value} is not in the hand[. Play {one_of}].", "{value} zit niet in de hand[. Speel {one_of}].",
	},
	{
		violation.NotOnTurn, "It is the turn of another player.",
		"It is another player's turn[. Possible are {one_of}].", "Een ander is aan de beurt[. Het kan zijn: {one_of}].",
	},
	{
		violation.MustFollowSuit, "The card is not of the suit led, and the player has that suit. Expected has the legal cards.",
		"{value} is not legal: the player must follow suit[. Play {one_of}].",
		"{value} mag niet: de speler moet kleur bekennen[. Speel {one_of}].",
	},
	{
		violation.MustRuff, "The player cannot follow suit and has a trump, in tarok a tarok. Expected has the legal cards.",
		"{value} is not legal: the player must ruff[. Play {one_of}].", "{value} mag niet: de speler moet introeven[. Speel {one_of}].",
	},
	{
		violation.MustOvertrump, "The player has a trump above the highest of the trick. Expected has the legal cards.",
		"{value} is not legal: the player must follow with a higher trump[. Play {one_of}].",
		"{value} mag niet: de speler moet een hogere troef spelen[. Speel {one_of}].",
	},
	{
		violation.MustBeat, "A card of the player can beat the trick, and the rules ask for it. Expected has the legal cards.",
		"{value} is not legal: the player must beat the trick[. Play {one_of}].",
		"{value} mag niet: de speler moet de slag overnemen[. Speel {one_of}].",
	},
	{
		violation.MustNotUnderRuff, "The player has another card than a trump below the highest of the trick. Expected has the legal cards.",
		"{value} is not legal: the player may not under-ruff[. Play {one_of}].",
		"{value} mag niet: de speler mag niet ondertroeven[. Speel {one_of}].",
	},
	{
		violation.NotLegal, "The rules do not allow the card, the call or the action, for another reason. The detail says which.",
		"{value} is not legal[. Possible are {one_of}].", "{value} mag niet[. Het kan zijn: {one_of}].",
	},
	{violation.Over, "The hand, the round or the bidding has already ended.", "It is already over.", "Het is al afgelopen."},
	{
		violation.CannotBe, "What was seen is impossible: a card played earlier proves it. The detail says why.",
		"{value} cannot be right.", "[{value}: ]dit kan niet kloppen.",
	},
	{
		violation.Contradicts, "Two parts of the request contradict each other. The detail says which.",
		"{pointer} contradicts the rest.", "{pointer} is in tegenspraak met de rest.",
	},
	{
		violation.Needed, "In this position the field, a card or an event is needed.",
		"{pointer} is needed here.", "{pointer} is hier nodig.",
	},
	{
		violation.NotUsed, "In this position the field has no meaning. Leave it out.",
		"{pointer} is not used here.", "{pointer} hoort hier niet.",
	},
	{
		violation.NotInDeal, "The card or the suit is not part of this deal.",
		"{value} is not part of the deal.", "[{value}: dit ]zit niet in dit spel.",
	},
	{
		violation.TooMuch, "The number is within the range of the field, but not together with the others.",
		"[{value} is ]too much[: at most {most}].", "[{value} is ]te veel[: ten hoogste {most}].",
	},
	{
		violation.NoModel, "No model was trained for these rules, or for this position.",
		"Nothing can be predicted for this.", "Hiervoor is geen voorspelling mogelijk.",
	},
}

var codesBefore = []CodeInfo{
	{
		violation.UnknownPath, "The path does not exist. Expected has the paths that were probably meant.",
		"“{value}” does not exist.[ Did you mean {one_of}?]", "“{value}” bestaat niet.[ Bedoel je {one_of}?]",
	},
	{
		violation.WrongMethod, "The path does not accept the method. Expected has the methods that it accepts.",
		"{value} is not possible here[. Possible are {one_of}].", "{value} kan hier niet[. Het kan zijn: {one_of}].",
	},
	{
		violation.WrongMediaType, "The header field declares another type or encoding of the body.",
		"[“{value}” is not possible. ]Send {one_of}.", "[“{value}” kan niet. ]Stuur {one_of}.",
	},
}
