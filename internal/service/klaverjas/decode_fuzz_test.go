package klaverjas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/service"
	"roem/internal/service/servicetest"
	"roem/internal/testkit"
)

// asReference decodes a tree that the schema accepts into a type of the contract, and builds the value from it.
func asReference[T, V any](g *Game, tree any, schema string, build func(T) (V, error)) (out V, err error) {
	list := map[string]string{
		"KlaverjasSolveBatchRequest": positionsField, "KlaverjasPredictBatchRequest": positionsField,
		"KlaverjasFeaturesRequest": positionsField, "KlaverjasHybridBatchRequest": positionsField,
		"KlaverjasHandStrengthBatchRequest": handsField,
	}[schema]
	by, err := servicetest.Schema(schema, list)
	if err != nil {
		return out, err
	}
	if err := servicetest.Check(tree, by); err != nil {
		return out, err
	}
	text, err := json.Marshal(servicetest.Rounded(tree))
	if err != nil {
		return out, err
	}
	var in T
	if err := json.Unmarshal(text, &in); err != nil {
		return out, err
	}
	return build(in)
}

// bodyOf converts a position of the contract to the decoder's type, with every card as text.
func bodyOf(in api.KlaverjasPosition) positionBody {
	body := positionBody{Rules: rulesOf(in.Rules), Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Deal: in.Deal}
	if in.Hands != nil {
		hands := handsOf(*in.Hands)
		body.Hands = &hands
	}
	if in.Played != nil {
		body.Played = &cardList{texts: *in.Played}
	}
	return body
}

// rulesOf converts rules of the contract to the decoder's type.
func rulesOf(in *api.KlaverjasRulesInput) (out *rulesBody) {
	text, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

func handsOf(in api.KlaverjasHandsInput) handsBody {
	return handsBody{N: cardList{texts: in.N}, E: cardList{texts: in.E}, S: cardList{texts: in.S}, W: cardList{texts: in.W}}
}

// viewOf is a view of the contract with every card as a text.
func viewOf(in api.KlaverjasKnowledgeRequest) viewBody {
	return viewBody{
		Rules: rulesOf(in.Rules), Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer,
		Seat: in.Seat, Hand: cardList{texts: in.Hand}, Played: textList(in.Played), Known: knownOf(in.Known),
	}
}

func textList(in *[]api.CardInput) *cardList {
	if in == nil {
		return nil
	}
	return &cardList{texts: *in}
}

func knownOf(in *api.KlaverjasKnownInput) *knownBody {
	if in == nil {
		return nil
	}
	return &knownBody{N: textList(in.N), E: textList(in.E), S: textList(in.S), W: textList(in.W)}
}

func (g *Game) referencePosition(tree any) (Position, error) {
	return asReference(g, tree, "KlaverjasPosition", func(in api.KlaverjasPosition) (Position, error) { return newPosition(bodyOf(in)) })
}

// references decode the tree of a body by the schema of each request.
var references = map[string]func(*Game, any) (any, error){
	"Position": func(g *Game, tree any) (any, error) { return g.referencePosition(tree) },
	"Solve": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasSolveRequest", func(in api.KlaverjasSolveRequest) (*SolveQuery, error) {
			goal, err := newGoal(in.Goal, search.Value)
			if err != nil {
				return nil, err
			}
			p, err := newPosition(bodyOf(api.KlaverjasPosition{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
			}))
			if err != nil {
				return nil, err
			}
			return g.newSolveQuery(p, goal)
		})
	},
	"Table": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasTableRequest", func(in api.KlaverjasTableRequest) (*TableQuery, error) {
			rules, leader, hands, err := tableBody{Rules: rulesOf(in.Rules), Leader: in.Leader, Hands: handsOf(in.Hands)}.parse()
			if err != nil {
				return nil, err
			}
			return g.newTableQuery(rules, leader, hands)
		})
	},
	"Hybrid": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasHybridRequest", func(in api.KlaverjasHybridRequest) (q HybridQuery, err error) {
			q.BudgetMs, q.MinConfidence = in.BudgetMs, in.MinConfidence
			q.position, err = newPosition(bodyOf(api.KlaverjasPosition{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
			}))
			return q, err
		})
	},
	"Advise": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasAdviseRequest", func(in api.KlaverjasAdviseRequest) (*AdviseQuery, error) {
			body := adviseBody{
				viewBody: viewBody{
					Rules: rulesOf(in.Rules), Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Seat: in.Seat,
					Hand: cardList{texts: in.Hand},
				},
				Method: in.Method, Worlds: in.Worlds, BudgetMs: in.BudgetMs, Objective: in.Objective, Seed: in.Seed,
			}
			if b := in.Bidding; b != nil {
				body.Bidding = &biddingBody{auctionBody{
					Flow: b.Flow, Dealer: b.Dealer, Calls: b.Calls, Turned: service.Or(b.Turned, nil), Again: b.Again,
				}}
			}
			if in.Played != nil {
				body.Played = &cardList{texts: *in.Played}
			}
			if known := in.Known; known != nil {
				body.Known = &knownBody{}
				for to, from := range map[**cardList]*[]string{
					&body.Known.N: known.N, &body.Known.E: known.E, &body.Known.S: known.S, &body.Known.W: known.W,
				} {
					if from != nil {
						*to = &cardList{texts: *from}
					}
				}
			}
			return g.readAdvise(body)
		})
	},
	"Review": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasReviewRequest", func(in api.KlaverjasReviewRequest) (*ReviewQuery, error) {
			return g.readReview(reviewBody{
				positionBody: bodyOf(api.KlaverjasPosition{
					Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
				}),
				Seat: in.Seat, Worlds: in.Worlds, Seed: in.Seed,
			})
		})
	},
	"Knowledge": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasKnowledgeRequest", func(in api.KlaverjasKnowledgeRequest) (q KnowledgeQuery, err error) {
			q.level = api.KlaverjasKnowledgeLevelRules
			if in.Level != nil {
				q.level = *in.Level
			}
			q.knowledge, err = newKnowledge(viewOf(in))
			return q, err
		})
	},
	"Worlds": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasWorldsRequest", func(in api.KlaverjasWorldsRequest) (q WorldsQuery, err error) {
			q.count, q.method = 1, api.KlaverjasSampleMethodUniform
			if in.Method != nil {
				q.method = *in.Method
			}
			if in.Worlds != nil {
				q.count = *in.Worlds
			}
			if in.Distinct != nil {
				q.distinct = *in.Distinct
			}
			if in.Seed != nil {
				seed, err := service.SeedOf(in.Seed)
				if err != nil {
					return q, service.FromEngineAt("/seed", err)
				}
				q.seed = &seed
			}
			q.knowledge, err = newKnowledge(viewOf(api.KlaverjasKnowledgeRequest{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer,
				Seat: in.Seat, Hand: in.Hand, Played: in.Played, Known: in.Known,
			}))
			if err == nil {
				err = q.check()
			}
			return q, err
		})
	},
	"KnowledgeCheck": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasKnowledgeCheckRequest", func(in api.KlaverjasKnowledgeCheckRequest) (CheckQuery, error) {
			position := bodyOf(api.KlaverjasPosition{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
			})
			return newCheckQuery(knowledgeCheckBody{seenBody: seenBody{
				Rules: rulesOf(in.Rules), Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Played: position.Played,
				Seat: in.Seat, Hand: textList(in.Hand), Known: knownOf(in.Known), Hands: position.Hands, Deal: in.Deal,
			}, Formula: in.Formula})
		})
	},
	"CardModel": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasCardModelRequest", func(in api.KlaverjasCardModelRequest) (CardModelQuery, error) {
			position := bodyOf(api.KlaverjasPosition{
				Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
			})
			return newCardModelQuery(cardModelBody{seenBody: seenBody{
				Rules: rulesOf(in.Rules), Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Played: position.Played,
				Seat: in.Seat, Hand: textList(in.Hand), Known: knownOf(in.Known), Hands: position.Hands, Deal: in.Deal,
			}, Card: in.Card})
		})
	},
	"SolveBatch": func(g *Game, tree any) (any, error) {
		return asReference(g, withoutItems(tree, positionsField), "KlaverjasSolveBatchRequest",
			func(in api.KlaverjasSolveBatchRequest) (*SolveBatchQuery, error) {
				goal, err := newGoal(in.Goal, search.Value)
				return &SolveBatchQuery{game: g, goal: goal, items: g.referenceItems(tree)}, err
			})
	},
	"Match": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasMatchRequest", func(in api.KlaverjasMatchRequest) (*MatchQuery, error) {
			body := matchBody{
				A: in.A, B: in.B, Deals: service.Or(in.Deals, 1000), Seed: service.Or(in.Seed, "0"), Rules: rulesOf(in.Rules),
				Worlds: service.Or(in.Worlds, players.DefaultWorlds), Declarer: in.Declarer,
				Game: in.Game, Bidding: in.Bidding,
			}
			contest, err := body.contest()
			return &MatchQuery{game: g, contest: contest}, err
		})
	},
	"PredictBatch": func(g *Game, tree any) (any, error) {
		return asReference(g, withoutItems(tree, positionsField), "KlaverjasPredictBatchRequest",
			func(in api.KlaverjasPredictBatchRequest) (PredictBatchQuery, error) {
				trees, err := g.treesOf(in.Model)
				return PredictBatchQuery{g.referenceItems(tree), trees}, err
			})
	},
	"Features": func(g *Game, tree any) (any, error) {
		return asReference(g, withoutItems(tree, positionsField), "KlaverjasFeaturesRequest", func(struct{}) (FeaturesQuery, error) {
			return FeaturesQuery{g.referenceItems(tree)}, nil
		})
	},
	"HandStrength": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasHandStrengthRequest", func(in api.KlaverjasHandStrengthRequest) (*HandStrengthQuery, error) {
			return strengthOf(in).query(g)
		})
	},
	"HandStrengthBatch": func(g *Game, tree any) (any, error) {
		return asReference(g, withoutItems(tree, handsField), "KlaverjasHandStrengthBatchRequest",
			func(in api.KlaverjasHandStrengthBatchRequest) (*HandStrengthBatchQuery, error) {
				defaults := strengthOf(api.KlaverjasHandStrengthRequest{
					Rules: in.Rules, Declarer: in.Declarer, Trump: in.Trump, Precision: in.Precision, Method: in.Method, Seed: in.Seed,
				})
				defaults.Hand, defaults.Seat, defaults.Leader = cardList{}, in.Seat, in.Leader
				if _, _, err := defaults.parse(); err != nil {
					return nil, err
				}
				return &HandStrengthBatchQuery{game: g, items: g.referenceHands(tree, defaults)}, nil
			})
	},
	"Bid": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasBidRequest", func(in api.KlaverjasBidRequest) (BidQuery, error) {
			return bidBody{
				auctionBody: auctionBody{
					Flow: in.Flow, Dealer: in.Dealer, Calls: service.Or(in.Calls, nil), Turned: service.Or(in.Turned, nil), Again: in.Again,
				},
				Rules: rulesOf(in.Rules), Seat: in.Seat, Hand: cardList{texts: in.Hand}, Seed: in.Seed,
			}.query(g)
		})
	},
	"Session": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasSessionRequest", func(in api.KlaverjasSessionRequest) (SessionQuery, error) {
			body := sessionBody{
				Seat: in.Seat, Hands: in.Hands, Bidding: in.Bidding, Again: in.Again, Trump: in.Trump, Declarer: in.Declarer,
				Leader: in.Leader, Rules: rulesOf(in.Rules), Seed: in.Seed, Compare: in.Compare,
			}
			if in.Position != nil {
				position := bodyOf(*in.Position)
				body.Position = &position
			}
			if v := in.View; v != nil {
				body.View = &sessionViewBody{viewOf(api.KlaverjasKnowledgeRequest{
					Rules: v.Rules, Trump: v.Trump, Leader: v.Leader, Declarer: v.Declarer,
					Seat: v.Seat, Hand: v.Hand, Played: v.Played, Known: v.Known,
				})}
			}
			if in.Players != nil {
				body.Players = &sessionPlayersBody{Partner: in.Players.Partner, Opponents: in.Players.Opponents}
			}
			return body.query()
		})
	},
	"SessionCall": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasSessionCallRequest", func(in api.KlaverjasSessionCallRequest) (SessionAct, error) {
			return sessionCallBody{Acts: &in.Acts, Call: in.Call}.act()
		})
	},
	"SessionPlay": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasSessionPlayRequest", func(in api.KlaverjasSessionPlayRequest) (SessionAct, error) {
			return sessionPlayBody{Acts: &in.Acts, Card: in.Card}.act()
		})
	},
	"SessionNext": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "SessionNextRequest", func(in api.SessionNextRequest) (SessionAct, error) {
			return sessionNextBody{Acts: &in.Acts}.act()
		})
	},
	"SessionClaim": func(g *Game, tree any) (any, error) {
		return asReference(g, tree, "KlaverjasSessionClaimRequest", func(in api.KlaverjasSessionClaimRequest) (SessionAct, error) {
			return sessionClaimBody{Acts: &in.Acts}.act()
		})
	},
	"HybridBatch": func(g *Game, tree any) (any, error) {
		return asReference(g, withoutItems(tree, positionsField), "KlaverjasHybridBatchRequest",
			func(in hybridBatchBody) (HybridBatchQuery, error) {
				return HybridBatchQuery{items: g.referenceItems(tree), BudgetMs: in.BudgetMs, MinConfidence: in.MinConfidence}, nil
			})
	},
}

// referenceItems decodes the positions of a list whose schema allows any item.
func (g *Game) referenceItems(tree any) positions {
	object, _ := tree.(map[string]any)
	list, _ := object[positionsField].([]any)
	items := make(positions, len(list))
	for i, one := range list {
		items[i].Value, items[i].Err = g.referencePosition(one)
		items[i].Err = inList(items[i].Err, i)
	}
	return items
}

// strengthOf converts a request of the contract to the decoder's type, with every card as text.
func strengthOf(in api.KlaverjasHandStrengthRequest) handStrengthItemBody {
	return handStrengthItemBody{
		Rules: rulesOf(in.Rules), Hand: cardList{texts: in.Hand}, Seat: &in.Seat, Leader: &in.Leader, Declarer: in.Declarer, Trump: in.Trump,
		Precision: in.Precision, Method: in.Method, Seed: in.Seed,
	}
}

// referenceHands decodes the hands of a list whose schema allows any item. A hand is decoded alone first, so that its own errors are the
// errors of its own fields.
func (g *Game) referenceHands(tree any, defaults handStrengthItemBody) service.Items[*HandStrengthQuery] {
	object, _ := tree.(map[string]any)
	list, _ := object[handsField].([]any)
	items := make(service.Items[*HandStrengthQuery], len(list))
	for i, one := range list {
		own, err := asReference(g, one, "KlaverjasHandStrengthItem", func(in api.KlaverjasHandStrengthItem) (handStrengthItemBody, error) {
			body := strengthOf(api.KlaverjasHandStrengthRequest{
				Rules: in.Rules, Hand: in.Hand, Declarer: in.Declarer, Trump: in.Trump, Precision: in.Precision, Method: in.Method, Seed: in.Seed,
			})
			body.Seat, body.Leader = in.Seat, in.Leader
			_, _, err := body.parse()
			return body, err
		})
		if err == nil {
			items[i].Value, err = own.with(defaults).query(g)
		}
		items[i].Err = service.Below(fmt.Sprintf("/%s/%d", handsField, i), err)
	}
	return items
}

// withoutItems returns the tree with an empty object for each item of its list, since errors in items do not affect the list.
func withoutItems(tree any, field string) any {
	object, _ := tree.(map[string]any)
	list, ok := object[field].([]any)
	if !ok {
		return tree
	}
	out := maps.Clone(object)
	items := make([]any, len(list))
	for i := range items {
		items[i] = map[string]any{}
	}
	out[field] = items
	return out
}

// agree compares the decoder with the schema and the domain, for a body as each kind of request. It returns the number of kinds that
// accept it.
func agree(t *testing.T, g *Game, body []byte) (accepted int) {
	t.Helper()
	return agreeOn(t, g, body, slices.Collect(maps.Keys(references)))
}

// agreeOn is agree for the requests with the given names.
func agreeOn(t *testing.T, g *Game, body []byte, names []string) (accepted int) {
	t.Helper()
	tree, parseErr := servicetest.ParseTree(body)
	for _, name := range names {
		reference := references[name]
		got, err := request(g, name, body)
		if err == nil {
			accepted++
		}
		if parseErr != nil {
			if err == nil && !anyItemFails(got) {
				t.Fatalf("%s: accepted, but %v\n%s", name, parseErr, body)
			}
			isList := strings.HasSuffix(name, "Batch") || name == "Features"
			if !isList && !sameError(err, parseErr) {
				t.Fatalf("%s: %v, want %v\n%s", name, err, parseErr, body)
			}
			continue
		}
		want, wantErr := reference(g, tree)
		if wantErr == nil {
			wantErr = allWrong(want)
		}
		if !sameError(err, wantErr) {
			t.Fatalf("%s: %v, want %v\n%s", name, err, wantErr, body)
		}
		if err == nil && !sameRequest(got, want) {
			t.Fatalf("%s: %+v, want %+v\n%s", name, got, want, body)
		}
	}
	return accepted
}

// allWrong returns the error of a list in which every item is wrong.
func allWrong(list any) error {
	switch list := list.(type) {
	case *SolveBatchQuery:
		return list.items.AllWrong()
	case PredictBatchQuery:
		return list.items.AllWrong()
	case FeaturesQuery:
		return list.items.AllWrong()
	case HybridBatchQuery:
		return list.items.AllWrong()
	case *HandStrengthBatchQuery:
		return list.items.AllWrong()
	default:
		return nil
	}
}

func anyItemFails(got any) bool {
	failed := func(item service.Item[Position]) bool { return item.Err != nil }
	switch list := got.(type) {
	case *SolveBatchQuery:
		return slices.ContainsFunc(list.items, failed)
	case PredictBatchQuery:
		return slices.ContainsFunc(list.items, failed)
	case FeaturesQuery:
		return slices.ContainsFunc(list.items, failed)
	case HybridBatchQuery:
		return slices.ContainsFunc(list.items, failed)
	case *HandStrengthBatchQuery:
		return slices.ContainsFunc(list.items, func(item service.Item[*HandStrengthQuery]) bool { return item.Err != nil })
	default:
		return false
	}
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return service.KindOf(a) != service.Internal && reflect.DeepEqual(service.Problem(a, ""), service.Problem(b, ""))
}

// sameRequest compares two requests, except the values of items with an error. The keys of a query determine everything else.
func sameRequest(a, b any) bool {
	sameItems := func(a, b positions) bool {
		return slices.EqualFunc(a, b, func(a, b service.Item[Position]) bool {
			return sameError(a.Err, b.Err) && (a.Err != nil || reflect.DeepEqual(a.Value, b.Value))
		})
	}
	switch list := a.(type) {
	case interface{ Key() []byte }:
		other, ok := b.(interface{ Key() []byte })
		return ok && reflect.TypeOf(a) == reflect.TypeOf(b) && bytes.Equal(list.Key(), other.Key())
	case PredictBatchQuery:
		return sameItems(list.items, b.(PredictBatchQuery).items)
	case FeaturesQuery:
		return sameItems(list.items, b.(FeaturesQuery).items)
	case HybridBatchQuery:
		other := b.(HybridBatchQuery)
		return reflect.DeepEqual(list.BudgetMs, other.BudgetMs) && reflect.DeepEqual(list.MinConfidence, other.MinConfidence) &&
			sameItems(list.items, other.items)
	case SessionQuery:
		return bytes.Equal(setupKey(list), setupKey(b.(SessionQuery)))
	default:
		return reflect.DeepEqual(a, b)
	}
}

// setupKey returns everything that a session begins with, as bytes. Kinds of players hold functions, which cannot be compared.
func setupKey(q SessionQuery) []byte {
	s, err := session.New(q.Setup)
	if err != nil {
		return nil
	}
	text, err := s.Encode()
	if err != nil {
		return nil
	}
	return text
}

// The decoder agrees with the schema and the domain on the positions of the vectors.
func TestDecodeAgreesOnVectors(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	text, err := os.ReadFile("../../../testdata/vectors/rotterdam-positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for line := range strings.Lines(string(text)) {
		var v struct{ Position json.RawMessage }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		accepted += agree(t, g, v.Position)
	}
	if accepted == 0 {
		t.Error("no body is accepted")
	}
}

// oddValues are unusual values for a field.
var oddValues = []string{
	`null`, `true`, `0`, `-0`, `10`, `1e1`, `10.0`, `10.5`, `-10`, `1010`, `1e400`, `1e-400`, `0.5`, `0.75`, `600000`, `9007199254740993`,
	`""`, `"S"`, `"s"`, `"\u0053"`, `"♠"`, `"♠\ufe0f"`, `"null"`, `"` + strings.Repeat("S", 40) + `"`, `"S` + strings.Repeat("\ufe0f", 40) +
		`"`,
	`"win"`, `"WIN"`, `"amsterdam"`, `"free"`, `"all"`, `"NS"`, `"7"`, `"+7"`, `"` + strings.Repeat("0", 21) + `"`, `"klaverjas.solve"`,
	`"paper"`, `"uniform"`, `"exact"`, `"hand_model"`, `"exact"`, `"hand_model"`, `"true and K_S void(W,H)"`, `[]`, `[null]`, `[1]`, `["JH"]`,
	`["jh", "8\u2660"]`, `["JH",  "8S" ]`, `["JH", "JH"]`, `["J\"H"]`, `[["JH"]]`, `[{}]`,
	`{}`, `{"x": 1}`, `{"system": "amsterdam"}`, `{"declarers": 200}`, `{"J": 200}`, `{` + someDeal + `}`, `[{` + someDeal + `}]`, someHands,
}

// The decoder agrees with the schema and the domain on every unusual value of every field.
func TestDecodeAgreesOnOddValues(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	g := newGame(t, service.Options{}, Options{})
	names := slices.DeleteFunc(slices.Collect(maps.Keys(references)), func(name string) bool {
		return strings.HasPrefix(name, "HandStrength") || strings.HasPrefix(name, "Session") || name == "Bid"
	})
	const deal = `{"trump": "S", "leader": "S", "deal": "1"`
	accepted := 0
	for _, around := range []string{
		`{"leader": "S", "deal": "1", "trump": %s}`, `{"trump": "S", "deal": "1", "leader": %s}`, deal + `, "declarer": %s}`,
		`{"trump": "S", "leader": "S", "deal": %s}`, `{"trump": "S", "leader": "S", "hands": %s}`, `{"leader": "S", "hands": %s}`,
		`{"leader": "S", "hands": ` + strings.Replace(someHands, `"N": [`, `"N": %s, "E": [`, 1) + `}`,
		`{"trump": "S", "leader": "S", "hands": ` + strings.Replace(someHands, `"9C"`, `%s`, 1) + `}`,
		`{` + someDeal + `, "played": %s}`, `{` + someDeal + `, "played": ["JH", %s]}`, `{` + someDeal + `, "goal": %s}`,
		`{` + someDeal + `, "budget_ms": %s}`, `{` + someDeal + `, "min_confidence": %s}`, `{` + someDeal + `, "rules": %s}`,
		deal + `, "rules": {"system": %s}}`, deal + `, "rules": {"under_ruff": %s}}`, deal + `, "rules": {"melds": %s}}`,
		deal + `, "rules": {"nat_melds": %s}}`, deal + `, "rules": {"pit": %s}}`, deal + `, "rules": {"pit": {"defenders": %s}}}`,
		deal + `, "rules": {"four_of_a_kind": %s}}`, deal + `, "rules": {"four_of_a_kind": {"10": %s}}}`,
		`{"positions": %s}`, `{"positions": [%s]}`, `{"positions": [{` + someDeal + `}, %s]}`, `{"positions": [` + deal + `, "played": %s}]}`,
		`{"positions": [` + deal + `}], "goal": %s}`, `{"positions": [` + deal + `}], "budget_ms": %s}`, `{"positions": [` + deal +
			`}], "min_confidence": %s}`,
		`{"a": %s, "b": "random"}`, `{"a": "simple", "b": "pimc", "deals": %s}`, `{"a": "simple", "b": "random", "seed": %s}`,
		`{"a": "simple", "b": "random", "declarer": %s, "rules": {}}`, `{"a": "simple", "b": "random", "game": %s}`,
		`{"a": "simple", "b": "random", "bidding": %s}`,
		`{"a": "simple", "b": "pimc", "worlds": %s}`, `{"kind": "klaverjas.match", "request": %s}`,
		`{"kind": %s, "request": ` + deal + `}}`, `{"kind": "klaverjas.solve", "request": %s}`, `{"kind": "klaverjas.analyse", "request": {` +
			someDeal + `, "played": %s}}`,
		`{` + playedView + `, "known": %s}`, `{` + playedView + `, "known": {"W": %s}}`, `{` + playedView + `, "worlds": %s}`, `{` + playedView +
			`, "seed": %s}`,
		`{` + playedView + `, "objective": %s}`, `{` + playedView + `, "budget_ms": %s}`, `{` +
			strings.Replace(playedView, `"seat": "S"`, `"seat": %s`, 1) + `}`,
		`{` + someDeal + `, "played": ["JH", "8S"], "seat": %s}`, `{` + someDeal + `, "seat": "W", "played": ["JH", %s]}`, `{` + someDeal +
			`, "seat": "S", "played": %s}`,
		`{` + someDeal + `, "played": ["JH"], "seat": "S", "worlds": %s}`, `{` + someDeal + `, "played": ["JH"], "seat": "S", "seed": %s}`,
		`{"kind": "klaverjas.review", "request": {` + someDeal + `, "played": ["JH"], "seat": %s}}`,
		`{` + strings.Replace(someView, `"7C"`, `%s`, 1) + `}`, `{"trump": "S", "leader": "S", "seat": "S", "hand": %s}`,
		`{"kind": "klaverjas.advise", "request": {` + playedView + `, "worlds": %s}}`,
		`{"kind": "klaverjas.solve_batch", "request": {"positions": [%s]}}`, `%s`, ` %s `, deal + `, "x": %s}`, deal + `, "trump": %s}`,
		`{` + someView + `, "level": %s}`, `{` + someView + `, "played": %s}`, `{` + someView + `, "played": ["JH", %s]}`, `{` + someView +
			`, "known": %s}`,
		`{` + someView + `, "known": {"N": %s}}`, `{` + strings.Replace(someView, `"7C"`, `%s`, 1) + `}`,
		`{"trump": "S", "leader": "S", "seat": "S", "hand": %s}`,
		`{"trump": "S", "leader": "S", "seat": %s, "hand": []}`, `{` + someView + `, "worlds": %s}`, `{` + someView + `, "method": %s}`,
		`{` + someView + `, "distinct": %s}`, `{` + someView + `, "seed": %s}`, `{` + someView + `, "formula": %s}`, `{` + someDeal +
			`, "formula": %s}`,
		`{` + someDeal + `, "formula": "true", "seat": %s}`, `{` + someView + `, "formula": "true", "deal": %s}`,
		`{"trump": "S", "leader": "S", "formula": %s}`,
	} {
		for _, value := range oddValues {
			accepted += agreeOn(t, g, []byte(strings.Replace(around, "%s", value, 1)), names)
		}
	}
	if accepted == 0 {
		t.Error("no body is accepted")
	}
}

// The same on the values of the fields of bid.
func TestDecodeAgreesOnOddBids(t *testing.T) {
	g := withModels(t)
	const bid, turned = `{"flow": "free", "dealer": "N", ` + handOnly, `{"flow": "turned", "dealer": "N", ` + handOnly
	accepted := 0
	for _, around := range []string{
		`{"dealer": "N", ` + handOnly + `, "flow": %s}`, `{"flow": "free", ` + handOnly + `, "dealer": %s}`,
		`{"flow": "free", "dealer": "N", "hand": %s}`,
		bid + `, "calls": %s}`, bid + `, "calls": ["pass", %s]}`, bid + `, "turned": %s}`, bid + `, "again": %s}`, bid + `, "seat": %s}`, bid +
			`, "seed": %s}`,
		bid + `, "rules": %s}`, turned + `, "turned": %s}`, turned + `, "turned": [%s]}`, turned + `, "turned": ["H"], "again": %s}`, bid +
			`, "x": %s}`,
	} {
		for _, value := range append(oddValues, `["pass"]`, `"pass"`, `["S"]`, `"E"`) {
			accepted += agreeOn(t, g, []byte(strings.Replace(around, "%s", value, 1)), []string{"Bid"})
		}
	}
	if accepted == 0 {
		t.Error("no body is accepted")
	}
}

// The same on the values of the fields of the requests of sessions.
func TestDecodeAgreesOnOddSessions(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	accepted := 0
	for _, around := range []string{
		`%s`, `{"seat": %s}`, `{"players": %s}`, `{"players": {"partner": %s}}`, `{"players": {"partner": "simple", "opponents": %s}}`,
		`{"hands": %s}`,
		`{"bidding": %s}`, `{"bidding": %s, "trump": "H"}`, `{"bidding": %s, "rules": {"melds": false}}`, `{"bidding": "turned", "again": %s}`,
		`{"bidding": "free", "again": %s}`, `{"again": %s}`, `{"trump": %s}`, `{"declarer": %s}`, `{"bidding": "free", "declarer": %s}`,
		`{"leader": %s}`, `{"rules": %s}`, `{"seed": %s}`, `{"seed": "7", "x": %s}`,
		`{"compare": %s}`, `{"position": %s}`, `{"view": %s}`, `{"position": {` + someDeal + `}, "seat": %s}`,
		`{"position": {` + someDeal + `, "played": %s}}`, `{"position": {` + someDeal + `}, "rules": %s}`,
		`{"view": {` + someView + `, "declarer": %s}}`, `{"view": {` + someView + `, "known": %s}}`, `{"view": {` + someView + `}, "seat": %s}`,
		`{"position": {` + someDeal + `}, "hands": %s}`, `{"position": {` + someDeal + `}, "view": {` + someView + `}, "trump": %s}`,
		`{"acts": %s}`, `{"acts": %s, "call": "pass"}`, `{"acts": 0, "call": %s}`, `{"acts": %s, "card": "JH"}`, `{"acts": 0, "card": %s}`,
		`{"call": %s}`,
		`{"acts": 0, "card": "JH", "x": %s}`, `{"acts": 0, "x": %s}`,
	} {
		for _, value := range append(oddValues, `"pass"`, `"PASS"`, `"open"`, `"belief:10"`, `"pimc:41"`, `"playout:101"`, `"playout:100"`,
			`"simple:1"`, `"turned"`, `"none"`,
			`1`, `16`, `1000000`, `1000001`, `"10h"`, `"JH"`, `"`+strings.Repeat("JH", 20)+`"`, `"♥"`) {
			accepted += agreeOn(t, g, []byte(strings.Replace(around, "%s", value, 1)),
				[]string{"Session", "SessionCall", "SessionPlay", "SessionNext", "SessionClaim"})
		}
	}
	if accepted == 0 {
		t.Error("no body is accepted")
	}
}

// The same on the values of the fields of hand-strength, whose decoder does not read positions.
func TestDecodeAgreesOnOddHands(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	accepted := 0
	for _, around := range []string{
		`{` + someHand + `, "precision": %s}`, `{` + someHand + `, "method": %s}`, `{` + someHand + `, "declarer": %s}`, `{` + someHand +
			`, "trump": %s}`,
		`{` + someHand + `, "seed": %s}`, `{` + someHand + `, "rules": %s}`, `{"hand": %s, "seat": "S", "leader": "S"}`,
		`{` + strings.Replace(someHand, `"7C"`, `%s`, 1) + `}`, `{` + strings.Replace(someHand, `"seat": "S"`, `"seat": %s`, 1) + `}`,
		`{"hands": %s, "seat": "S"}`, `{"hands": [{` + someHand + `}, %s]}`, `{"hands": [{` + someHand + `, "trump": %s}]}`, `{"hands": [{` +
			someHand + `, "method": %s}]}`,
		`{"hands": [{` + someHand + `}], "precision": %s}`, `{"hands": [{` + someHand + `}], "seat": %s}`, `{"hands": [{` + someHand +
			`}], "method": %s}`,
		`{"hands": [{` + someHand + `}], "hand": %s}`,
	} {
		for _, value := range oddValues {
			accepted += agreeOn(t, g, []byte(strings.Replace(around, "%s", value, 1)), []string{"HandStrength", "HandStrengthBatch"})
		}
	}
	if accepted == 0 {
		t.Error("no body is accepted")
	}
}

// FuzzDecode searches for a body on which the decoder and the reference (schema and domain) differ: in whether they accept it, in its
// value, or in its errors.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{` + someDeal + `, "played": ["JH", "8S"]}`,
		`{` + someDeal + `, "budget_ms": 5e-1, "min_confidence": 1}`,
		`{` + someDeal + `, "played": ["JH", "8\u2660"], "goal": "win", "rules": {"system": "amsterdam", ` +
			`"pit": {"declarers": 1e2, "defenders": 0}}}`,
		`{"trump": "D", "leader": "n", "deal": "99561092450390999", "declarer": "ew", "goal": "moves"}`,
		`{"trump": "♠️", "leader": "S", "deal": "1", "rules": {"under_ruff": "free", "nat_melds": "all", "melds": false, "four_of_a_kind": ` +
			`{"10": 200}}, "played": []}`,
		`{"trump": "S", "leader": "S", "rules": {}, "hands": {"N": [], "E": [], "S": [], "W": []}}`,
		`{"leader": "S", "rules": null, "hands": ` + strings.Replace(someHands, "9C", "9c", 1) + `}`,
		`{"positions": [{` + someDeal + `}, {"trump": 1}, {"a": 1, "a": 2}], "goal": "value"}`,
		`{"positions": [{"trump": "C", "leader": "N", "deal": "0"}, {` + someDeal +
			`, "played": ["AC"]}], "budget_ms": 1, "min_confidence": 0.5}`,
		`{"kind": "klaverjas.solve_batch", "request": {"positions": [{` + someDeal + `}, {"trump": "X"}]}}`,
		`{"kind": "klaverjas.analyse", "request": {` + someDeal + `, "played": ["JH"]}}`,
		`{"a":` + strings.Repeat(" ", 58) + `ȭ`, // a decoder that reads 64 bytes at a time has half of the letter
		`{` + playedView + `, "known": {"W": ["7d"], "N": []}, "worlds": 3, "objective": "win", "seed": "7", "budget_ms": 1}`,
		`{"kind": "klaverjas.review", "request": {` + someDeal + `, "played": ["JH", "8S"], "seat": "w", "worlds": 3, "seed": "7"}}`,
		`{"kind": "klaverjas.match", "request": {"a": "simple", "b": "pimc:20", "deals": 3, "seed": "7", "declarer": "best", "game": "1500"}}`,
		`{"a": "simple", "b": "pimc:20", "bidding": "turned", "declarer": "best"}`, `{"flow": "free", "dealer": "n", "calls": ["pass"], ` +
			handOnly + `}`,
		`{"flow": "turned", "dealer": "W", "turned": ["H", "c"], "again": true, "calls": ["pass", "pass", "pass", "pass"], "seat": "N", ` +
			handOnly + `}`,
		`{` + someHand + `, "trump": "H", "declarer": "ew", "precision": 0.5, "method": "exact", "seed": "7", "rules": {"melds": false}}`,
		`{"hands": [{` + someHand + `}, {"hand": ["JH"]}, {` + someHand +
			`, "leader": "n"}], "seat": "W", "leader": "E", "trump": "S", "precision": 3}`,
		`{"kind": "klaverjas.hand_strength_batch", "request": {"hands": [{` + someHand + `, "method": "network"}, {}], "seed": "1"}}`,
		`{"seat": "w", "players": {"partner": "simple", "opponents": "pimc:4"}, "hands": 16, "bidding": ` +
			`"turned", "again": true, "leader": "N", "seed": "7"}`,
		`{"trump": "H", "declarer": "ew", "rules": {"melds": false}}`, `{"acts": 1, "call": "pass"}`, `{"acts": 1, "card": "10h"}`, `{"acts": 1}`,
		`{"kind": "klaverjas.table", "request": {"leader": "S", "hands": ` + someHands + `}}`,
		`{"kind": "klaverjas.solve", "request": {` + someDeal + `, "goal": "win"}, "x": 1}`,
		`{"trump": "S", "leader": "S", "deal": "1", "played": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}`,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {"pit": {"declarers": 1e999}}}`,
		`{` + someView + `, "played": ["JH", "8S"], "known": {"N": ["as"]}, "level": "paper"}`,
		`{` + someView + `, "worlds": 2, "seed": "1", "distinct": true, "method": "uniform"}`,
		`{` + someView + `, "formula": "K_S void(W,H)"}`,
		`{` + someDeal + `, "formula": "[!own(E,AH)] C own(E,AH)"}`,
	} {
		f.Add([]byte(seed))
	}
	g := newGame(f, service.Options{}, Options{})
	f.Fuzz(func(t *testing.T, body []byte) { agree(t, g, body) })
}
