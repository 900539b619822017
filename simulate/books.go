package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/x12/x12test"
)

// books are the claims and payments of a simulation, as their files bring them.
type books struct {
	mu     sync.Mutex
	dir    string
	claims []*claim
	files  []*file
	checks int
	sets   []written // those sent so far, to send them again
	plain  *db.DB    // the result of the plain order
}

// claim is a visit with its bill.
type claim struct {
	n                    int
	tin, account, number string // number: of the network
	charge, allowance    int    // dollars
	first, last, day     string
	priced               bool
	payments             []payment
}

// payment is a payment in an 835. Amounts are in dollars.
type payment struct {
	claim  *claim
	status string
	paid   int
	check  string
	day    string // of the check
}

// file is a file that the portal got, or could have.
type file struct {
	name, content string
	certain       bool // confirmed
	id            int64
}

// written is a transaction set and its group's head.
type written struct {
	code, guide, day string
	segments         []string
}

func newBooks(ctx context.Context, dir string) (*books, error) {
	d, err := db.Open(ctx, "sqlite:"+filepath.Join(dir, "plain.db"))
	if err != nil {
		return nil, err
	}
	_, err = migrations.Up(ctx, d)
	return &books{dir: dir, plain: d}, err
}

// surname makes a name of letters, unique for a number.
func surname(n int) string {
	name := ""
	for n++; n > 0; n /= 26 {
		name = string(rune('A'+n%26)) + name
	}
	return "OAK" + name
}

// invent adds a file with new claims, prices, replacements and payments.
func (b *books) invent(seed uint32) *file {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := rand.New(rand.NewPCG(uint64(seed), 3))
	var sets []written
	day := fmt.Sprintf("202602%02d", 1+len(b.files)%27)
	var claims []string
	for range 1 + r.IntN(3) {
		n := len(b.claims)
		c := &claim{n: n, tin: allTINs[r.IntN(len(allTINs))], account: fmt.Sprintf("ACCT%05d", n), number: fmt.Sprintf("77%06d", n),
			charge: 100 + 10*r.IntN(30), first: "ROSA", last: surname(n), day: fmt.Sprintf("202601%02d", 1+n%28)}
		c.allowance = c.charge * 8 / 10
		b.claims = append(b.claims, c)
		claims = append(claims, c.claimSegments(r.IntN(2) == 0)...)
	}
	for _, c := range b.claims {
		if !c.priced && r.IntN(3) == 0 {
			c.priced = true
			claims = append(claims, c.claimSegments(true)...)
		}
	}
	sets = append(sets, written{"837", "005010X222A1", day, append([]string{"BHT*0019*00*1*" + day + "*0800*CH"}, claims...)})
	if paid := b.pay(r, day); paid != nil {
		sets = append(sets, b.remit(r, day, paid))
	}
	if len(b.sets) > 0 && r.IntN(3) == 0 { // sent again, in another file
		again := b.sets[r.IntN(len(b.sets))]
		again.day = fmt.Sprintf("202603%02d", 1+len(b.files)%28)
		sets = append(sets, again)
	}
	b.sets = append(b.sets, sets...)
	return b.store(sets)
}

func (b *books) store(sets []written) *file {
	groups := make([]x12test.Group, len(sets))
	for i, s := range sets {
		kind := map[string]string{"837": "HC", "835": "HP"}[s.code]
		groups[i] = x12test.Group{Code: kind, Guide: s.guide, Date: s.day, Time: "0800",
			Sets: []string{x12test.Set(s.code, s.guide, s.segments...)}}
	}
	f := &file{name: fmt.Sprintf("day-%d.edi", len(b.files)), content: x12test.File(len(b.files)+1, groups...)}
	b.files = append(b.files, f)
	return f
}

// claimSegments writes the claim: as the office sent it, or as the network priced it, with its number.
func (c *claim) claimSegments(priced bool) []string {
	list := []string{
		"HL*1**20*1", "NM1*85*2*CLINIC " + c.tin + "*****XX*1234567893", "N3*1 SHORE RD", "N4*ERIE*PA*16501", "REF*EI*" + c.tin,
		"HL*2*1*22*0", "SBR*P*18*******WC", "NM1*IL*1*" + c.last + "*" + c.first + "****MI*M1", "DMG*D8*19800203*F",
		"NM1*PR*2*STEADY MUTUAL*****PI*P9",
		fmt.Sprintf("CLM*%s*%d***11:B:1*Y*A*Y*Y", c.account, c.charge),
	}
	if priced {
		list = append(list, "REF*9A*"+c.number)
	}
	list = append(list, fmt.Sprintf("REF*D9*D%06d", c.n))
	if priced {
		c.priced = true
		list = append(list, fmt.Sprintf("HCP*03*%d*%d", c.allowance, c.charge-c.allowance))
	}
	return append(list, "LX*1", fmt.Sprintf("SV1*HC:99213*%d*UN*1***1", c.charge), "DTP*472*D8*"+c.day)
}

// pay chooses claims to pay in a check: once, or reversed and paid again. Days repeat, and a reversal
// dated before the payment would wait instead.
func (b *books) pay(r *rand.Rand, day string) (list []payment) {
	b.checks++
	check := fmt.Sprintf("%08d", 40_000_000+b.checks)
	for _, c := range b.claims {
		switch n := len(c.payments); {
		case c.priced && n == 0 && r.IntN(4) == 0:
			list = append(list, payment{c, "1", c.allowance - 10*r.IntN(3), check, day})
		case n == 1 && c.payments[0].day <= day && r.IntN(12) == 0:
			first := c.payments[0]
			list = append(list, payment{c, "22", -first.paid, check, day}, payment{c, "1", c.allowance, check, day})
		default:
			continue
		}
		for i := range list {
			if list[i].claim == c {
				c.payments = append(c.payments, list[i])
			}
		}
	}
	return list
}

// remit writes the 835 of a check. Some payers give only the NPI of the payee, which all clinics
// share.
func (b *books) remit(r *rand.Rand, day string, paid []payment) written {
	total := 0
	for _, p := range paid {
		total += p.paid
	}
	list := []string{fmt.Sprintf("BPR*I*%d*C*CHK************%s", total, day), "TRN*1*" + paid[0].check + "*1999999999",
		"N1*PR*STEADY MUTUAL"}
	byNPI := r.IntN(3) == 0
	tin := ""
	for i, p := range paid {
		switch {
		case byNPI && i == 0:
			list = append(list, "N1*PE*CLINIC*XX*1234567893", "LX*1")
		case !byNPI && p.claim.tin != tin:
			tin = p.claim.tin
			list = append(list, "N1*PE*CLINIC "+tin+"*FI*"+tin, fmt.Sprintf("LX*%d", i+1))
		}
		c, sign := p.claim, 1
		if p.status == "22" {
			sign = -1
		}
		list = append(list, fmt.Sprintf("CLP*%s*%s*%d*%d*0*12*I%s*11*1", c.account, p.status, sign*c.charge, p.paid, c.number),
			fmt.Sprintf("CAS*CO*45*%d", sign*c.charge-p.paid), "NM1*QC*1*"+c.last+"*"+c.first, "DTM*232*"+c.day)
	}
	if byNPI && r.IntN(2) == 0 { // a payment of a bill that no office has: it's under no TIN
		list = append(list, "CLP*GONE"+paid[0].check+"*1*100*0*0*12*IGONE"+paid[0].check+"*11*1", "CAS*CO*45*100", "NM1*QC*1*MOSS*ADA",
			"DTM*232*20260105")
	}
	return written{"835", "005010X221A1", day, list}
}

// pickBill returns the number of a bill under a TIN, and whether it's certainly on file.
func (b *books) pickBill(ftin string, n uint32) (number string, sure bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var of []*claim
	for _, c := range b.claims {
		if c.tin == ftin {
			of = append(of, c)
		}
	}
	c, ok := pickFrom(of, n)
	if !ok {
		return "7700", false
	}
	return c.shownNumber(), b.isCertain(c)
}

// isCertain reports whether a file with the claim under its number was imported.
func (b *books) isCertain(c *claim) bool {
	segment := "REF*D9*"
	if c.priced {
		segment = "REF*9A*"
	}
	for _, f := range b.files {
		if f.certain && f.id == imported && strings.Contains(f.content, segment+c.shownNumber()+"~") {
			return true
		}
	}
	return false
}

// imported marks a file that was imported completely.
const imported = -1

func newUpload(field, name, content string, more ...string) upload {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i+1 < len(more); i += 2 {
		_ = w.WriteField(more[i], more[i+1]) // into memory
	}
	part, err := w.CreateFormFile(field, name)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	if err != nil {
		panic(err) // into memory
	}
	_ = w.Close()
	return upload{body.Bytes(), w.FormDataContentType()}
}

// uploadFile sends a new file of claims and payments.
func uploadFile(ctx context.Context, r *runner) {
	if t := r.staff(ctx); t != nil {
		r.send(ctx, t, r.s.ledger.invent(r.step.N[1]))
	}
}

// uploadAgain sends a file again: one that was sent before, or whose outcome is unknown.
func uploadAgain(ctx context.Context, r *runner) {
	t := r.staff(ctx)
	r.s.ledger.mu.Lock()
	f, ok := pickFrom(r.s.ledger.files, r.step.N[1])
	r.s.ledger.mu.Unlock()
	if t != nil && ok {
		r.send(ctx, t, f)
	}
}

// staff returns the session of an administrator of the network, who signs in for it.
func (r *runner) staff(ctx context.Context) *token {
	t := r.session(isISAD)
	if t == nil {
		isa := r.s.byName["isa"]
		t = r.signInAs(ctx, isa, isa.password)
	}
	return t
}

func (r *runner) send(ctx context.Context, t *token, f *file) {
	var got struct{ ID int64 }
	a := r.call(ctx, t, http.MethodPost, "/desk/feeds/upload", newUpload("file", f.name, f.content))
	r.ended(t, a)
	if !a.into(&got) && !bytes.Contains(a.body, []byte("already imported")) {
		return
	}
	r.s.ledger.mu.Lock()
	f.certain = true
	r.s.ledger.mu.Unlock()
}

// dropFile puts a new file into the watched folder.
func dropFile(_ context.Context, r *runner) {
	f := r.s.ledger.invent(r.step.N[1])
	at := filepath.Join(r.s.fleet.dir, "feeds", f.name)
	if err := os.WriteFile(at+".part", []byte(f.content), 0o600); err != nil {
		r.s.violate("writable", "%v", err)
	}
	old := time.Now().Add(-time.Hour) // it isn't being written anymore
	_ = os.Chtimes(at+".part", old, old)
	if err := os.Rename(at+".part", at); err != nil {
		r.s.violate("writable", "%v", err)
	}
	r.s.ledger.mu.Lock()
	f.certain = true
	r.s.ledger.mu.Unlock()
}

// listShares returns what each check pays under each TIN, in dollars.
func (b *books) listShares() map[[2]string]float64 {
	shares := map[[2]string]float64{}
	for _, c := range b.claims {
		for _, p := range c.payments {
			shares[[2]string{p.check, c.tin}] += float64(p.paid)
		}
	}
	return shares
}

// checkDeposits compares the remittances of the offices' administrators with the model, and matches
// them with a list of their deposits.
func (s *simulation) checkDeposits(ctx context.Context) {
	shares := s.ledger.listShares()
	for _, p := range s.people {
		if !isAdmin(p) || p.ended > 0 {
			continue
		}
		r := &runner{s: s, step: Step{Do: "deposits"}, process: s.fleet.pick(0), together: 1}
		t := r.signInAs(ctx, p, p.password)
		if t == nil {
			continue
		}
		list := r.remittances(ctx, t)
		if len(list) == 100 {
			continue // a page
		}
		want := map[[2]string]float64{}
		for key, share := range shares {
			if p.couldSee(key[1], s.tick(), forever) {
				want[key] = share
			}
		}
		total, days := map[string]float64{}, map[string]string{}
		for _, row := range list {
			key := [2]string{row.Number, row.FTIN}
			if share, is := want[key]; !is || share != row.Amount {
				s.violate("money", "%s sees %.2f of check %s for TIN %s, the files say %.2f", p.Name, row.Amount, row.Number, row.FTIN,
					share)
			}
			delete(want, key)
			total[row.Number] += row.Amount
			days[row.Number] = row.PaidOn
		}
		for key := range want {
			s.violate("money", "%s doesn't see check %s for TIN %s", p.Name, key[0], key[1])
		}
		r.matchDeposits(ctx, t, total, days)
	}
}

// matchDeposits checks that each check is matched with a deposit of its amount.
func (r *runner) matchDeposits(ctx context.Context, t *token, total map[string]float64, days map[string]string) {
	var rows [][]string
	for _, check := range slices.Sorted(maps.Keys(total)) {
		if total[check] > 0 {
			rows = append(rows, []string{days[check], fmt.Sprintf("%.2f", total[check]), check})
		}
	}
	if len(rows) == 0 {
		return
	}
	var found struct {
		Deposits []struct {
			Answer, Trace string
			Difference    float64
		}
	}
	a := r.call(ctx, t, http.MethodPost, "/work/deposits", fields{"rows": rows, "headerRows": 0,
		"columns": []fields{{"index": 0, "kind": "date"}, {"index": 1, "kind": "amount"}, {"index": 2, "kind": "trace"}}})
	if !a.into(&found) || len(found.Deposits) != len(rows) {
		r.s.violate("money", "%s can't match deposits: %d %s", t.person.Name, a.status, a.body)
		return
	}
	for _, d := range found.Deposits {
		if d.Answer != "matched" || d.Difference != 0 {
			r.s.violate("money", "the deposit of %s for check %s is %s, by %.2f", t.person.Name, d.Trace, d.Answer, d.Difference)
		}
	}
}
