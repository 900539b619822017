package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/platform/intake"
)

// Some remittances tell only the NPI of their payee. What they say is kept by it,
// and stands under the TIN that the bills on file and the directory make it. It is
// placed anew whenever these tell more, so that it does not matter which came first.

// payeeFact is one payment, or one set, to a payee known by NPI.
type payeeFact struct {
	NPI        string
	Remittance string
	Fact       string
	Occurrence int    // of a set 0
	FTIN       string // under which it stands; empty while none is known
	Body       Remitted
}

func payeeFactOf(r Remitted) payeeFact {
	if p := r.Payment; p != nil {
		return payeeFact{NPI: p.PayeeNPI, Remittance: p.Remittance, Fact: p.Fact, Occurrence: p.Occurrence, Body: r}
	}
	s := r.Parts[0].Set
	return payeeFact{NPI: s.PayeeNPI, Remittance: s.Remittance, Fact: s.Fact, Body: r}
}

// payeeKey names a check or transfer to a payee.
type payeeKey struct{ npi, remittance string }

func (k payeeKey) compare(other payeeKey) int {
	return cmp.Or(strings.Compare(k.npi, other.npi), strings.Compare(k.remittance, other.remittance))
}

// keepForPayees stores facts by the NPIs of their payees and notes them to be
// placed.
func (l *Ledger) keepForPayees(ctx context.Context, w *work, facts []payeeFact) ([]intake.Outcome, error) {
	if len(facts) == 0 {
		return nil, nil
	}
	known, err := payeeFactsLike(ctx, w.tx, facts)
	if err != nil {
		return nil, err
	}
	type key struct {
		payeeKey
		FactID
	}
	keyOf := func(f payeeFact) key { return key{payeeKey{f.NPI, f.Remittance}, FactID{f.Fact, f.Occurrence}} }
	byKey := map[key]payeeFact{}
	for _, f := range known {
		byKey[keyOf(f)] = f
	}
	outcomes := make([]intake.Outcome, len(facts))
	put, npis, pending, ties := map[key]payeeFact{}, map[string]bool{}, map[payeeKey]bool{}, map[payeeLink]bool{}
	for i, f := range facts {
		outcomes[i] = intake.Unchanged
		k := keyOf(f)
		if old, isKnown := byKey[k]; !isKnown {
			outcomes[i] = intake.Taken
		} else if !f.over(old, w.run) {
			continue
		}
		byKey[k], put[k] = f, f
		npis[f.NPI], pending[k.payeeKey] = true, true
		if p := f.Body.Payment; p != nil {
			for _, link := range p.proofs() {
				ties[payeeLink{link, f.NPI, f.Remittance}] = true
			}
		}
	}
	rows := make([]payeeFact, 0, len(put))
	for _, k := range slices.SortedFunc(maps.Keys(put), func(a, b key) int { return cmp.Or(a.payeeKey.compare(b.payeeKey), a.FactID.compare(b.FactID)) }) {
		rows = append(rows, put[k])
	}
	if err := putPayeeFacts(ctx, w.tx, rows); err != nil {
		return nil, err
	}
	if err := addPayeeLinks(ctx, w.tx, ties); err != nil {
		return nil, err
	}
	if err := addPending(ctx, w.tx, pending); err != nil {
		return nil, err
	}
	for _, npi := range slices.Sorted(maps.Keys(npis)) {
		if err := l.learn(ctx, w.tx, npi); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// over merges a fact that is told again with what is known of it, and tells
// whether that is new.
func (f *payeeFact) over(known payeeFact, run intake.Run) bool {
	f.FTIN = known.FTIN
	if p := f.Body.Payment; p != nil {
		kept := *known.Body.Payment
		changed, _ := kept.retold(*p, run)
		f.Body.Payment = &kept
		return changed
	}
	received, before := f.Body.Parts[0].Set, known.Body.Parts[0].Set
	return counts(received.Written, before.Written, run, received.text, before.text)
}

// proofs are the links by which a submission proves whose a payment is: the
// network's number, or the account on its day.
func (p *Payment) proofs() []string {
	var list []string
	if own := number(p.Repriced); own != "" {
		list = append(list, byNumber+own)
	}
	if account := number(p.PatientControlNumber); account != "" && p.Reported.BeginServiceDate != "" {
		list = append(list, accountLink(account, p.Reported.BeginServiceDate))
	}
	return list
}

// provenBy tells whether a submission proves that a payment is for its office.
func (p *Payment) provenBy(s *Submission) bool {
	patient, other := personOf(p.Reported), personOf(s.Reported)
	if own := number(p.Repriced); own != "" && own == cmp.Or(number(s.Repriced), number(s.Adjusted)) && patient.agreesByNumber(other) {
		return true
	}
	account := number(p.PatientControlNumber)
	return account != "" && account == number(s.Reported.PatientControlNumber) && p.Reported.BeginServiceDate == s.Reported.BeginServiceDate && patient.agrees(other)
}

// learn takes over what the directory knows of an NPI.
func (l *Ledger) learn(ctx context.Context, tx *sql.Tx, npi string) error {
	if l.tins == nil {
		return nil
	}
	tins, err := l.tins.TINsOfNPI(ctx, tx, npi)
	if err != nil {
		return err
	}
	for _, tin := range tins {
		if err := knowPayee(ctx, tx, npi, tin); err != nil {
			return err
		}
	}
	return nil
}

// knowPayee notes that an NPI bills under a TIN; what is new has all of its
// remittances placed anew.
func knowPayee(ctx context.Context, tx *sql.Tx, npi, tin string) error {
	isNew, err := addPayeeTIN(ctx, tx, npi, tin)
	if err != nil || !isNew {
		return err
	}
	return addPendingOf(ctx, tx, npi)
}

// notePayees learns from the batch's new submissions the TINs of NPIs, and has
// placed anew what they may tell the office of. The NPIs are locked with the TINs:
// who keeps facts for one of them sees these submissions, or is seen.
func (w *work) notePayees(ctx context.Context) error {
	pairs := map[[2]string]bool{}
	for k := range w.fresh {
		if npi := w.submissions[k].Detail.BillingNPI; npi != "" {
			pairs[[2]string{npi, k.ftin}] = true
		}
	}
	list := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	known, err := payeeTINsAmong(ctx, w.tx, list)
	if err != nil {
		return err
	}
	for _, pair := range list {
		if !known[pair] {
			if err := knowPayee(ctx, w.tx, pair[0], pair[1]); err != nil {
				return err
			}
		}
	}
	if some, err := anyPayeeLinks(ctx, w.tx); err != nil || !some {
		return err
	}
	asked := map[string]bool{}
	for k := range w.fresh {
		for _, link := range w.submissions[k].ties().links {
			asked[link] = true
		}
	}
	found, err := payeeLinksAmong(ctx, w.tx, slices.Sorted(maps.Keys(asked)))
	if err != nil {
		return err
	}
	pending := map[payeeKey]bool{}
	for _, link := range found {
		pending[payeeKey{link.NPI, link.Remittance}] = true
	}
	return addPending(ctx, w.tx, pending)
}

// LearnTINs asks the directory anew for the TINs of all payees known by NPI, and
// places what that changes.
func (l *Ledger) LearnTINs(ctx context.Context) error {
	npis, err := payeeNPIs(ctx, l.db.Reader)
	if err != nil {
		return err
	}
	for _, npi := range npis {
		if err := l.db.Tx(ctx, func(tx *sql.Tx) error {
			if _, err := l.begin(ctx, tx, map[string]bool{npi: true}); err != nil {
				return err
			}
			return l.learn(ctx, tx, npi)
		}); err != nil {
			return err
		}
	}
	return l.PlacePayees(ctx)
}

// placedAtOnce is how many checks of one payee one transaction places.
const placedAtOnce = 100

// PlacePayees gives remittances to payees known by NPI the TIN under which they
// are to stand. It may stop at any moment and run several times at once.
func (l *Ledger) PlacePayees(ctx context.Context) error {
	for {
		npi, err := nextPayee(ctx, l.db.Reader)
		if err != nil || npi == "" {
			return err
		}
		for done := false; !done; {
			if err := l.db.Tx(ctx, func(tx *sql.Tx) (err error) {
				done, err = l.placeSome(ctx, tx, npi)
				return err
			}); err != nil {
				return err
			}
		}
	}
}

// placeSome places some checks of a payee, and tells whether none was left.
func (l *Ledger) placeSome(ctx context.Context, tx *sql.Tx, npi string) (done bool, err error) {
	known, err := payeeTINs(ctx, tx, npi)
	if err != nil {
		return false, err
	}
	// Whatever stands somewhere stands under a TIN that is known.
	held := map[string]bool{npi: true}
	for _, tin := range known {
		held[tin] = true
	}
	w, err := l.begin(ctx, tx, held)
	if err != nil {
		return false, err
	}
	if now, err := payeeTINs(ctx, tx, npi); err != nil || !slices.Equal(now, known) {
		return false, err // one came before its lock was held: again, with that too
	}
	pending, err := pendingOf(ctx, tx, npi)
	if err != nil || len(pending) == 0 {
		return true, err
	}
	for _, remittance := range pending {
		facts, err := payeeFactsOf(ctx, tx, npi, remittance)
		if err != nil {
			return false, err
		}
		to, err := w.placeOf(ctx, facts, known)
		if err != nil {
			return false, err
		}
		if to == "" {
			intake.Count(ctx, "payments whose payee's tax ID is not known", int64(len(of(facts, func(f payeeFact) bool { return f.Body.Payment != nil }))))
		}
		if err := l.place(ctx, w, facts, to); err != nil {
			return false, err
		}
		if err := endPending(ctx, tx, npi, remittance, to); err != nil {
			return false, err
		}
	}
	return false, nil
}

// placeOf is the TIN under which a check to a payee is to stand: the one whose
// bills most of its payments are for, or the only one there is.
func (w *work) placeOf(ctx context.Context, facts []payeeFact, tins []string) (string, error) {
	if len(tins) == 1 {
		return tins[0], nil
	}
	var ask []linkKey
	for _, tin := range tins {
		for _, f := range facts {
			if f.Body.Payment == nil {
				continue
			}
			for _, link := range f.Body.Payment.proofs() {
				ask = append(ask, linkKey{tin, link})
			}
		}
	}
	found, err := linked(ctx, w.tx, ask)
	if err != nil {
		return "", err
	}
	keys := map[factKey]bool{}
	for _, l := range found {
		if !l.Payment {
			keys[factKey{l.FTIN, l.Fact}] = true
		}
	}
	list, err := knownSubmissions(ctx, w.tx, slices.SortedFunc(maps.Keys(keys), factKey.compare))
	if err != nil {
		return "", err
	}
	byTIN := map[string]int{}
	for _, f := range facts {
		tied := map[string]bool{}
		for k, s := range list {
			if f.Body.Payment != nil && f.Body.Payment.provenBy(&s) {
				tied[k.ftin] = true
			}
		}
		for tin := range tied {
			byTIN[tin]++
		}
	}
	best, most, alone := "", 0, false
	for tin, n := range byTIN {
		switch {
		case n > most:
			best, most, alone = tin, n, true
		case n == most:
			alone = false
		}
	}
	if !alone {
		return "", nil
	}
	return best, nil
}

// place has a payee's check stand under a TIN, and no longer under another.
func (l *Ledger) place(ctx context.Context, w *work, facts []payeeFact, to string) error {
	for _, from := range standingUnder(facts) {
		if from != to {
			if err := l.withdraw(ctx, w, facts[0].NPI, checkKey{from, facts[0].Remittance}); err != nil {
				return err
			}
		}
	}
	if to == "" {
		return nil
	}
	rows := make([]Remitted, len(facts))
	for i, f := range facts {
		rows[i] = f.Body.under(to)
	}
	_, err := l.takeRemitted(ctx, w.again(), rows)
	return err
}

// standingUnder are the TINs under which facts stand.
func standingUnder(facts []payeeFact) []string {
	tins := map[string]bool{}
	for _, f := range facts {
		if f.FTIN != "" {
			tins[f.FTIN] = true
		}
	}
	return slices.Sorted(maps.Keys(tins))
}

// under is a record told to a TIN.
func (r Remitted) under(tin string) Remitted {
	if r.Payment != nil {
		p := *r.Payment
		p.Reported.FTIN = tin
		return Remitted{Payment: &p}
	}
	part := r.Parts[0]
	part.Set.FTIN = tin
	part.Adjustments = slices.Clone(part.Adjustments)
	for i := range part.Adjustments {
		part.Adjustments[i].FTIN = tin
	}
	return Remitted{Parts: []RemittancePart{part}}
}

// withdraw takes what stands under a TIN only because of a payee's NPI from there.
func (l *Ledger) withdraw(ctx context.Context, w *work, npi string, check checkKey) error {
	keys := []checkKey{check}
	paid, err := paymentsOfChecks(ctx, w.tx, keys)
	if err != nil {
		return err
	}
	if err := w.concludeWithout(ctx, nil, of(pointers(paid), func(p *Payment) bool { return p.PayeeNPI == npi })); err != nil {
		return err
	}
	sets, err := setsAmong(ctx, w.tx, keys)
	if err != nil {
		return err
	}
	reported := map[FactID]bool{}
	for _, s := range sets {
		if s.PayeeNPI == npi {
			if err := removeSet(ctx, w.tx, s); err != nil {
				return err
			}
			continue
		}
		for _, id := range s.Adjustments {
			reported[id] = true
		}
	}
	adjustments, err := adjustmentsAmong(ctx, w.tx, keys)
	if err != nil {
		return err
	}
	for _, a := range adjustments {
		if !reported[a.id()] {
			if err := removeAdjustment(ctx, w.tx, a); err != nil {
				return err
			}
		}
	}
	return l.concludeChecks(ctx, w, map[checkKey]bool{check: true}, nil)
}
