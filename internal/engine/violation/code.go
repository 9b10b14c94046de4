package violation

import "slices"

// Code names what is wrong. The contract lists the codes (ErrorCode).
type Code string

// What is found by comparing a request with the contract, without knowing the game. The answer is 400.
const (
	NotJSON          Code = "not_json"
	GivenTwice       Code = "given_twice"
	TooComplex       Code = "too_complex"
	UnknownField     Code = "unknown_field"
	UnknownParameter Code = "unknown_parameter"
	Missing          Code = "missing"
	OnlyOneOf        Code = "only_one_of"
	WrongType        Code = "wrong_type"
	WrongForm        Code = "wrong_form"
	NotOneOf         Code = "not_one_of"
	NotACard         Code = "not_a_card"
	NotASuit         Code = "not_a_suit"
	NotASeat         Code = "not_a_seat"
	NotAFormula      Code = "not_a_formula"
	TooSmall         Code = "too_small"
	TooLarge         Code = "too_large"
	NotAMultiple     Code = "not_a_multiple"
	TooFew           Code = "too_few"
	TooMany          Code = "too_many"
	TooLong          Code = "too_long"
	ListedTwice      Code = "listed_twice"
)

// What the rules of a game refuse in a request that is as the contract describes it, and what contradicts another part of it. The answer
// is 422.
const (
	CardTwice        Code = "card_twice"
	WrongCount       Code = "wrong_count"
	NotHeld          Code = "not_held"
	NotOnTurn        Code = "not_on_turn"
	MustFollowSuit   Code = "must_follow_suit"
	MustRuff         Code = "must_ruff"
	MustOvertrump    Code = "must_overtrump"
	MustBeat         Code = "must_beat"
	MustNotUnderRuff Code = "must_not_under_ruff"
	NotLegal         Code = "not_legal"
	Over             Code = "over"
	CannotBe         Code = "cannot_be"
	Contradicts      Code = "contradicts"
	Needed           Code = "needed"
	NotUsed          Code = "not_used"
	NotInDeal        Code = "not_in_deal"
	TooMuch          Code = "too_much"
	NoModel          Code = "no_model"
)

// What is wrong with a request before its body is read. The kind has the status: 404, 405 or 415.
const (
	UnknownPath    Code = "unknown_path"
	WrongMethod    Code = "wrong_method"
	WrongMediaType Code = "wrong_media_type"
)

// contract, game and before are the codes, in the order of the contract.
var (
	contract = []Code{
		NotJSON, GivenTwice, TooComplex, UnknownField, UnknownParameter, Missing, OnlyOneOf, WrongType, WrongForm, NotOneOf, NotACard, NotASuit,
		NotASeat, NotAFormula, TooSmall, TooLarge, NotAMultiple, TooFew, TooMany, TooLong, ListedTwice,
	}
	game = []Code{
		CardTwice, WrongCount, NotHeld, NotOnTurn, MustFollowSuit, MustRuff, MustOvertrump, MustBeat, MustNotUnderRuff, NotLegal, Over, CannotBe,
		Contradicts, Needed, NotUsed, NotInDeal, TooMuch, NoModel,
	}
	before = []Code{UnknownPath, WrongMethod, WrongMediaType}
)

// Codes returns all codes.
func Codes() []Code { return slices.Concat(contract, game, before) }

// OfContract reports whether the contract is what the value does not meet, and not the rules of the game.
func (c Code) OfContract() bool { return slices.Contains(contract, c) }
