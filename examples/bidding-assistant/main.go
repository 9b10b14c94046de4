// A bidding assistant: eight cards and the calls before in, a call with its reason out.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	server := flag.String("server", "http://localhost:8080", "the address of Roem")
	dealer := flag.String("dealer", "W", "the seat of the dealer")
	calls := flag.String("calls", "", "the calls before")
	flag.Parse()
	request := map[string]any{"flow": "free", "dealer": *dealer, "calls": strings.Fields(*calls), "hand": flag.Args(), "seed": "1"}
	advice, err := bid(*server, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Call %s. %s\n", advice.Call, advice.Why)
	for _, trump := range advice.Trumps {
		fmt.Printf("%s: %+.0f points, won with probability %.0f %%\n", trump.Trump, trump.Value, 100*trump.TableWinProbability)
	}
}

// Advice has the fields of KlaverjasBid, in /openapi.yaml, that the assistant shows.
type Advice struct {
	Call, Why string
	Trumps    []struct {
		Trump               string
		Value               float64
		TableWinProbability float64 `json:"table_win_probability"`
	}
	Errors []struct{ Pointer, Detail string } // of a problem
}

func bid(server string, request any) (advice Advice, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return advice, err
	}
	response, err := http.Post(server+"/v1/klaverjas/bid", "application/json", bytes.NewReader(body))
	if err != nil {
		return advice, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&advice); err != nil || response.StatusCode == http.StatusOK {
		return advice, err
	}
	return advice, fmt.Errorf("%s: %v", response.Status, advice.Errors)
}
