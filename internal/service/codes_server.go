package service

import (
	"strings"

	"roem/internal/engine/violation"
)

// Code names what is wrong. Package violation has the codes of violations.
type Code = violation.Code

// The causes of errors whose kind has several, and that have no violations. The code of a limit is codeOfLimit, and the code of any other
// error without violations is the slug of its kind.
const (
	NoKey             Code = "no_key"
	WrongKey          Code = "wrong_key"
	WrongToken        Code = "wrong_token"
	ExpiredToken      Code = "expired_token"
	NoOrigin          Code = "no_origin"
	WrongOrigin       Code = "wrong_origin"
	WrongOperation    Code = "wrong_operation"
	WrongHost         Code = "wrong_host"
	ActTaken          Code = "act_taken"
	ActTooEarly       Code = "act_too_early"
	WrongAct          Code = "wrong_act"
	SessionOver       Code = "session_over"
	NotSettled        Code = "not_settled"
	NoTakeback        Code = "no_takeback"
	NothingToTakeBack Code = "nothing_to_take_back"
	HandNotOver       Code = "hand_not_over"
	BusySearchers     Code = "busy_searchers"
	BusyStreams       Code = "busy_streams"
	BusySending       Code = "busy_sending"
	BusyBodies        Code = "busy_bodies"
)

// codeOfLimit returns the code of an error because of a limit of the client.
func codeOfLimit(limit Limit) Code { return Code("limit_" + limit) }

// code returns what a program reads of an error: its own code, the code of the first violation, or what its kind says alone.
func (e *Error) code() Code {
	switch {
	case e.Code != "":
		return e.Code
	case len(e.Violations) > 0:
		return e.Violations[0].Code
	case e.Kind == Limited:
		return codeOfLimit(e.Limit)
	default:
		return codeOfKind(e.Kind)
	}
}

func codeOfKind(kind Kind) Code { return Code(strings.ReplaceAll(kind.Info().Slug, "-", "_")) }

// KindCodes returns the codes of the problems of a kind that lists no errors, in the order of the contract. For any other kind there is
// none: its problems have the codes of their errors.
func KindCodes(kind Kind) []Code {
	var codes []Code
	for _, one := range codesOfServer {
		if one.kind == kind {
			codes = append(codes, one.Code)
		}
	}
	return codes
}

// codesOfServer are the codes of problems that list no errors.
var codesOfServer = []struct {
	kind Kind
	CodeInfo
}{
	{Unauthorized, CodeInfo{NoKey, "The request has no API key.", "A key is needed.", "Er is een sleutel nodig."}},
	{Unauthorized, CodeInfo{
		WrongKey, "The API key is not valid, or the header cannot be read.",
		"The key is not valid.", "De sleutel is niet geldig.",
	}},
	{Unauthorized, CodeInfo{
		WrongToken, "The token is not for the events of this job.",
		"The token is not valid.", "De toegang is niet geldig.",
	}},
	{Unauthorized, CodeInfo{
		ExpiredToken, "The token is too old. Ask for another one.",
		"The token is too old.", "De toegang is verlopen.",
	}},
	{NotPermitted, CodeInfo{
		NoOrigin, "The API key is publishable, and the request has no header Origin. Programs need a secret key.",
		"This key is for browsers.", "Deze sleutel is voor browsers.",
	}},
	{NotPermitted, CodeInfo{
		WrongOrigin, "The API key is publishable, and for pages of other origins.",
		"This key is not for this site.", "Deze sleutel is niet voor deze site.",
	}},
	{NotPermitted, CodeInfo{
		WrongOperation, "The API key is publishable, and not for this operation.",
		"This key does not allow that.", "Deze sleutel mag dit niet.",
	}},
	{NotPermitted, CodeInfo{
		WrongHost, "The server does not expect the host: a page of another site may have sent the request. The detail names the keys to set.",
		"This is not an address of the server.", "De server heeft deze naam niet.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitSearches), "Too many requests of the client search or wait for a searcher.",
		"You ask for too much at a time.", "Je vraagt te veel tegelijk.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitTime), "The searches of the client have taken too much time.",
		"You have used up your time for searches.", "Je zoektijd is op.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitJobs), "Too many jobs of the client are unfinished.", "You have too many jobs.", "Je hebt te veel taken.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitJobTime), "The waiting jobs of the client would take too much time.",
		"Your jobs take too long together.", "Je taken duren samen te lang.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitStreams), "The client, or its network, has too many event streams and waits for jobs.",
		"You have too many open connections.", "Je hebt te veel verbindingen open.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitSessions), "The client has created too many sessions in a minute.",
		"You begin too many games.", "Je begint te veel potjes.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitRequests), "The client sends too many requests, or a publishable key has too many in a minute.",
		"You ask too often.", "Je vraagt te vaak.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitSending), "The client has not received earlier answers.",
		"Earlier answers are not read.", "Eerdere antwoorden zijn niet gelezen.",
	}},
	{Limited, CodeInfo{
		codeOfLimit(LimitBodies), "Earlier large requests of the client are not answered.",
		"You send too much at a time.", "Je stuurt te veel tegelijk.",
	}},
	{Busy, CodeInfo{BusySearchers, "No searcher is free, and the queue is full.", "The server is busy.", "De server heeft het druk."}},
	{Busy, CodeInfo{
		BusyStreams, "The server has as many event streams and waits for jobs as it can.",
		"Too many people are watching.", "Er kijken te veel mensen mee.",
	}},
	{Busy, CodeInfo{
		BusySending, "Clients have not received earlier answers, and there is no room for more.",
		"The server is busy sending.", "De server is druk met versturen.",
	}},
	{Busy, CodeInfo{
		BusyBodies, "There is no room for another large request, or its body came too slowly for others that wait.",
		"The server is busy reading.", "De server is druk met lezen.",
	}},
	{TooSlow, CodeInfo{codeOfKind(TooSlow), "The search did not finish in time.", "The search took too long.", "Het zoeken duurde te lang."}},
	{Stopping, CodeInfo{codeOfKind(Stopping), "The server is shutting down.", "The server is stopping.", "De server stopt."}},
	{Unhealthy, CodeInfo{
		codeOfKind(Unhealthy), "The last self-check of the server failed.",
		"The server does not work well now.", "De server werkt nu niet goed.",
	}},
	{NoSuchJob, CodeInfo{
		codeOfKind(NoSuchJob), "The client has no job with this id.", "There is no such job.", "Deze taak bestaat niet of niet meer.",
	}},
	{KeyReused, CodeInfo{
		codeOfKind(KeyReused), "The key was used for another request.",
		"This was asked differently before.", "Dit verzoek is al eens anders gedaan.",
	}},
	{JobTooLong, CodeInfo{
		codeOfKind(JobTooLong), "The job alone takes more time than is allowed.",
		"The job takes too long.", "Deze taak kost meer tijd dan mag.",
	}},
	{QueueFull, CodeInfo{codeOfKind(QueueFull), "Too many jobs wait.", "Too many jobs are waiting.", "Er wachten te veel taken."}},
	{JobsUnavailable, CodeInfo{
		codeOfKind(JobsUnavailable), "The store of the jobs cannot be reached.",
		"Jobs cannot be stored now.", "De server kan nu geen taken bewaren.",
	}},
	{NoSuchSession, CodeInfo{
		codeOfKind(NoSuchSession), "The client has no session with this id.", "There is no such game.", "Dit potje bestaat niet meer.",
	}},
	{SessionConflict, CodeInfo{
		ActTaken, "The session has another act with this number: another request was faster.",
		"Something else was played here.", "Hier is al iets anders gespeeld.",
	}},
	{SessionConflict, CodeInfo{
		ActTooEarly, "The number is above the number of the next act: an earlier act has not arrived.",
		"An earlier move is missing.", "Een eerdere zet ontbreekt.",
	}},
	{SessionConflict, CodeInfo{
		WrongAct, "The session waits for another kind of act, such as a call instead of a card.",
		"The game waits for something else.", "Het potje wacht op iets anders.",
	}},
	{SessionConflict, CodeInfo{SessionOver, "All hands of the session are over.", "The game is over.", "Het potje is afgelopen."}},
	{SessionConflict, CodeInfo{
		NotSettled, "The rest cannot be claimed: what is played may still change the result.",
		"The rest is not settled.", "De rest staat nog niet vast.",
	}},
	{SessionConflict, CodeInfo{
		NoTakeback, "The session was created without `takeback`, so that no act can be taken back.",
		"In this game no card can be taken back.", "In dit potje kun je niets terugnemen.",
	}},
	{SessionConflict, CodeInfo{
		NothingToTakeBack, "The session has no act that can be taken back.", "There is nothing to take back.", "Er is niets om terug te nemen.",
	}},
	{SessionConflict, CodeInfo{
		HandNotOver, "The hand that the request reads is not over.", "The hand is not over.", "Het spel is nog niet uit.",
	}},
	{SessionsUnavailable, CodeInfo{
		codeOfKind(SessionsUnavailable), "The store of the sessions cannot be reached.", "Games cannot be stored now.",
		"De server kan nu geen potjes bewaren.",
	}},
	{NoSuchPuzzle, CodeInfo{
		codeOfKind(NoSuchPuzzle), "There is no puzzle with this id.", "There is no such puzzle.", "Deze puzzel bestaat niet.",
	}},
	{Internal, CodeInfo{codeOfKind(Internal), "A fault of the server.", "Something went wrong.", "Er ging iets mis in de server."}},
}
