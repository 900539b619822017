package demo

import (
	"context"
	"fmt"
	"strings"
)

// The network's products. The last one for workers' compensation is still without clients, to
// show the portal's message for that case.
var products = []struct{ lob, code, name string }{
	{"WC", "PPO", "Primary PPO"}, {"WC", "MPN", "Medical Provider Network"}, {"WC", "OUT", "Outcomes Network"},
	{"AUTO", "APPO", "Auto PPO"}, {"AUTO", "AOUT", "Auto Outcomes"},
}

const withoutClients = "OUT"

var clientKinds = []string{"Mutual Insurance", "Casualty", "Indemnity", "Claims Services", "Employers Fund", "Risk Pool"}

func (w *world) productRows(_ context.Context, row func(...string)) error {
	row("line_of_business", "product_code", "product_name")
	for _, p := range products {
		row(p.lob, p.code, p.name)
	}
	return nil
}

func clientName(n int) string {
	return streets[n%len(streets)] + " " + clientKinds[n/len(streets)%len(clientKinds)]
}

// clientRows creates dozens of clients per state, each with one or several products.
func (w *world) clientRows(_ context.Context, row func(...string)) error {
	row("client_id", "line_of_business", "product_code", "state", "client_name", "affiliated_payor", "electronic_claims_name",
		"electronic_claims_phone", "electronic_claims_payor_id", "billing_attention", "billing_address", "billing_phone")
	for s, state := range w.states() {
		for n := range 45 {
			r := newRandom(aboutClients, s, n)
			at := pick(r, places[state])
			name := clientName(n)
			payor, ecs := payers[n%len(payers)], pick(r, []string{"Bridgeport Clearinghouse", "Meridian EDI", "Direct"})
			address := fmt.Sprintf("PO Box %d, %s, %s %s", 1000+r.IntN(9000), at.city, at.state, at.zip)
			tel, fax := newPhone(r, at), newPhone(r, at)
			for _, p := range products {
				if p.code == withoutClients || (p.lob == "AUTO") != payor.auto && n%5 != 0 || r.IntN(3) == 0 {
					continue
				}
				row(clientID(n), p.lob, p.code, state, name, payor.name, ecs, tel, payor.id, "Bill Review", address, fax)
			}
		}
	}
	return nil
}

func clientID(n int) string { return fmt.Sprintf("C%04d", 100+n) }

// participationRows lets most listed providers participate in their state. Every seventh
// participates in nothing, and every second in no auto product.
func (w *world) participationRows(_ context.Context, row func(...string)) error {
	row("provider_id", "tin", "line_of_business", "product_code", "state", "effective_date", "end_date")
	w.eachListed(func(n int, id string, p *practice) {
		for _, product := range products {
			switch {
			case n%7 == 3, product.lob == "AUTO" && n%2 == 1, product.code == "MPN" && n%3 != 0:
			default:
				row(id, p.ftin, product.lob, product.code, p.place.state, "2020-01-01", "")
				if n%4 == 0 { // in addition to the home state
					row(id, p.ftin, product.lob, product.code, neighbours[p.place.state], "2021-07-01", "")
				}
			}
		}
	})
	return nil
}

var neighbours = map[string]string{"OH": "PA", "PA": "OH", "NY": "PA", "CA": "TX", "TX": "CA", "FL": "GA", "IL": "OH", "GA": "FL"}

// exclusionRows lets some clients exclude a provider.
func (w *world) exclusionRows(_ context.Context, row func(...string)) error {
	row("client_id", "provider_id", "tin")
	w.eachListed(func(n int, id string, p *practice) {
		for c := n % 9; c < 45; c += 9 {
			row(clientID(c), id, strings.Repeat(p.ftin, c%2)) // under one TIN or all of them
		}
	})
	return nil
}

// states lists the distinct states of the groups, in order.
func (w *world) states() []string {
	var list []string
	listed := map[string]bool{}
	for _, g := range w.groups {
		if !listed[g.state] && len(g.practices) > 0 {
			listed[g.state] = true
			list = append(list, g.state)
		}
	}
	return list
}

// eachListed calls fn for each numbered provider in the directory.
func (w *world) eachListed(fn func(n int, id string, p *practice)) {
	n := 0
	for _, g := range w.groups {
		for _, p := range g.practices {
			if !p.listed {
				continue
			}
			fn(n, p.id, p)
			n++
			for _, d := range p.providers {
				fn(n, d.id, p)
				n++
			}
		}
	}
}
