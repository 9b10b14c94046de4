// A bidding assistant: eight cards and the calls before in, a call with its reason out.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	roem "roem/clients/go"
)

func main() {
	dealer := flag.String("dealer", "W", "the seat of the dealer")
	calls := flag.String("calls", "", "the calls before")
	flag.Parse()
	request := roem.KlaverjasBidRequest{
		Flow: roem.KlaverjasFlowFree, Dealer: roem.KlaverjasSeat(*dealer), Calls: strings.Fields(*calls), Seed: "1",
	}
	for _, card := range flag.Args() {
		request.Hand = append(request.Hand, roem.Card(card))
	}
	client := roem.New(cmp.Or(os.Getenv("ROEM"), "http://localhost:8080"), roem.Settings{})
	advice, err := client.Klaverjas.Bid(context.Background(), request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Call %s. %s\n", advice.Call, advice.Why)
	for _, trump := range advice.Trumps {
		fmt.Printf("%s: %+.0f points, won with probability %.0f %%\n", trump.Trump, trump.Value, 100*trump.TableWinProbability)
	}
}
