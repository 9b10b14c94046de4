package violation

import "strings"

// translations are words of the contract by words that people write in their place, in Dutch, French, Slovenian or another English, in the
// form of plain. The first that is possible is meant.
var translations = func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(dictionary) {
		words, meant, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for word := range strings.SplitSeq(words, " ") {
			out[word] = strings.Fields(meant)
		}
	}
	return out
}()

const dictionary = `troef troefkleur atout adut trumps trumpsuit trump-suit: trump
handen hand kaarten mains roke cards dealt: hands hand cards
kaart carte karta: card cards
gespeeld gespeelde gespeelde-kaarten jouées jouees play plays moves tricks slagen: played
komt-uit uitkomst uitkomer voorhand starter first entame leading: leader starter
spel gift spelnummer gever-index donne index: deal index
gever deler donneur delivec: dealer
declarant speler spelende-partij preneur nastopajoci bidder maker: declarer
regels spelregels règles regles pravila: rules
systeem variant variante: system
doel but cilj: goal
roem stuk: melds meld
biedingen bod biedverloop enchères encheres licitacija bids: calls bidding
plaats stoel zitplaats place: seat
player opponents spelers joueurs igralci: players seat
werelden mondes samples: worlds
zaad graine: seed
open-kaarten bekend: known open
gedraaid: turned
niveau: level
thema: theme
datum: date day
taal langue: language
partner maat partenaire: partner
links gauche levi: left
rechts droite desni: right
methode méthode: method
spellen delingen donnes games: deals
rounds rondes length: hands
situation: view
situations: views
scores: totals
stapels piles tas: stacks
kleuren couleurs barve: suits
talon-group skupina groep: group
weggelegd weggelegde afgelegd založeno: discards
kontrakt contrat igra: contract
bid: call contract
aankondigingen annonces napovedi: announcements said
drempel seuil prag: threshold
tegenstander adversaire opp: opponent
nemen pak: take
stapel stok pioche: stock
afgooien weggooien discard-card: discard
kloppen klop-af: knock
passen pas passe dalje naprej: pass
winnen gagner: win
punten waarde waardes points: value
kaarten-waarden: moves
waar vrij libre: free
tri trojka: three
dve dvojka: two
ena enka: one
berač berac bettler misère misere: beggar
solo-brez solo solo-without: zero
kralji rois: kings
willekeurig aléatoire aleatoire: random
eenvoudig makkelijk easy: simple beginner casual
`
