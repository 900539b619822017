package ledger

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/platform/db"
)

// Explanation tells how a bill came of its facts: what Conclude went by. Facts are
// told without their details.
type Explanation struct {
	Conclusion Conclusion
	// Versions are what was sent of the bill, the last of them in force; before them
	// stand the rows of tables in whose place others came. None where only payments
	// tell of it.
	Versions []Version
	// Payments are in the order in which they count, those that were told anew behind
	// the ones that count in their place.
	Payments []ExplainedPayment
	// Replaces are the keys of the bills in whose place this one came.
	Replaces []string
}

// Version are submissions that tell the same but for numbers and prices, in the
// order in which they were written.
type Version struct {
	Sent     []*Submission
	Priced   *Submission // tells its price, where one does
	Outdated bool        // the row of a table after which another came
}

// Role is what a payment is to its bill.
type Role string

// The roles of payments.
const (
	Stands     Role = "stands"     // the bill shows it
	Beside     Role = "beside"     // neither taken back nor shown, as With is: a refusal where money stands, say
	Reduced    Role = "reduced"    // stands, but for what was taken back of it
	TakenBack  Role = "takenBack"  // by With
	TakesBack  Role = "takesBack"  // With, or part of it; none where nothing is known to take back
	Waits      Role = "waits"      // a take-back, for what it takes back
	Superseded Role = "superseded" // told anew: With counts in its place
	Informs    Role = "informs"    // moves nothing
	Uncounted  Role = "uncounted"  // of a check that is, or can be, another one's twin
)

// ExplainedPayment is a payment and what it is to its bill.
type ExplainedPayment struct {
	*Payment
	Role     Role
	With     *Payment
	Explains bool // its codes are the bill's reasons
}

// Explain is Conclude that tells why: what each bill of a family was concluded
// from, in no order.
func Explain(f Family) (list []Explanation, needsLines bool) {
	c := infer(f)
	list = make([]Explanation, len(c.bills))
	for i, b := range c.bills {
		e := &list[i]
		e.Conclusion = c.conclude(b)
		if b.made == nil {
			e.Versions = c.explainVersions(b)
		}
		e.Payments = c.explainPayments(b)
		for _, other := range c.bills {
			if other.replaced == b {
				e.Replaces = append(e.Replaces, other.members[0].Bill)
			}
		}
		slices.Sort(e.Replaces)
	}
	return list, c.needsLines
}

func (c *inference) explainVersions(b *bill) []Version {
	var list []Version
	for _, s := range c.outdated {
		if b.isOf(s) {
			list = append(list, Version{Sent: []*Submission{s.Submission}, Outdated: true})
		}
	}
	for _, v := range b.versions() {
		version := Version{}
		for _, m := range v.members {
			version.Sent = append(version.Sent, m.Submission)
		}
		if p := v.priced(); p.Reported.EOR || p.Reported.RecommendedAllowance != nil {
			version.Priced = p.Submission
		}
		list = append(list, version)
	}
	return list
}

// explainPayments tells what the payments of a bill are to it, once it is concluded.
func (c *inference) explainPayments(b *bill) []ExplainedPayment {
	s := standingOf(b)
	takers := map[*payment]*Payment{}
	for _, p := range b.payments {
		if p.of != nil {
			takers[p.of] = p.Payment
		}
	}
	var list []ExplainedPayment
	for _, p := range b.payments {
		e := ExplainedPayment{Payment: p.Payment, With: takers[p], Explains: s.explains(p)}
		switch {
		case p.uncounted:
			e.Role, e.With = Uncounted, b.payment(p.Twin)
		case p.waits:
			e.Role = Waits
		case p.TakesBack():
			e.Role = TakesBack
			if p.of != nil {
				e.With = p.of.Payment
			}
		case p.canceled:
			e.Role = TakenBack
		case p.reduced != 0:
			e.Role = Reduced
		case p.Nature == Notice:
			e.Role = Informs
		case s.shows(p):
			e.Role = Stands
		default:
			e.Role = Beside
			if last := s.last(); last != nil {
				e.With = last.Payment
			}
		}
		list = append(list, e)
		for _, old := range c.supersededBy(p.Payment) {
			list = append(list, ExplainedPayment{Payment: old, Role: Superseded, With: p.Payment})
		}
	}
	return list
}

// payment finds one of a bill by its fact.
func (b *bill) payment(fact string) *Payment {
	for _, p := range b.payments {
		if p.Fact == fact {
			return p.Payment
		}
	}
	return nil
}

func (c *inference) supersededBy(p *Payment) []*Payment {
	var list []*Payment
	for old, by := range c.superseded {
		if by == p {
			list = append(list, old)
		}
	}
	slices.SortFunc(list, (*Payment).compare)
	return list
}

// ExplanationOf tells how a stored bill was concluded, from the facts of its family
// as the transaction sees them, which it only reads. It tells nothing of a bill
// that is not concluded from facts yet.
func ExplanationOf(ctx context.Context, d *db.DB, tx *sql.Tx, b Bill) (Explanation, bool, error) {
	all, err := ExplanationsOf(ctx, d, tx, []Bill{b})
	e, known := all[billKey{b.FTIN, b.Key()}]
	return e, known, err
}

// Explanations are those of bills: none of a bill that is not concluded from facts
// yet.
type Explanations map[billKey]Explanation

// Of is the explanation of a bill, and whether there is one.
func (e Explanations) Of(b Bill) (Explanation, bool) {
	explanation, known := e[billKey{b.FTIN, b.Key()}]
	return explanation, known
}

// ExplanationsOf tells the same of several bills at once.
func ExplanationsOf(ctx context.Context, d *db.DB, tx *sql.Tx, bills []Bill) (Explanations, error) {
	concluded, tins := map[factKey]Bill{}, []string(nil)
	for _, b := range bills {
		if b.Fact != "" && b.Fact != carried {
			concluded[factKey{b.FTIN, b.Fact}] = b
			tins = append(tins, b.FTIN)
		}
	}
	if len(concluded) == 0 {
		return nil, nil
	}
	tins = slices.Compact(slices.Sorted(slices.Values(tins)))
	crowded, err := crowdedOf(ctx, tx, tins)
	if err != nil {
		return nil, err
	}
	joined, err := joinsOf(ctx, tx, tins)
	if err != nil {
		return nil, err
	}
	w := (&work{db: d, tx: tx, reading: true, crowded: crowded, joins: joinsIn(joined)}).again()
	if err := w.bring(ctx, slices.Collect(maps.Values(concluded))); err != nil {
		return nil, err
	}
	for {
		if err := w.grow(ctx); err != nil {
			return nil, err
		}
		if err := w.balance(ctx); err != nil {
			return nil, err
		}
		all, err := w.explainAll(ctx, concluded)
		if err != nil {
			return nil, err
		}
		// As in conclude: another bill can compete for a payment with a cut account number.
		if found, err := w.seekCutAccounts(ctx, w.untied); err != nil || !found {
			return all, err
		}
	}
}

// explainAll explains the bills of some facts, and notes the payments that are untied.
func (w *work) explainAll(ctx context.Context, concluded map[factKey]Bill) (Explanations, error) {
	all := make(Explanations, len(concluded))
	w.untied = map[factKey]bool{}
	return all, w.eachFamily(ctx, func(tin string, f Family) (needsLines bool) {
		list, needsLines := Explain(f)
		for _, e := range list {
			for _, id := range e.Conclusion.Untied {
				w.untied[factKey{tin, id.Fact}] = true
			}
			for _, fact := range e.Conclusion.Facts() {
				if b, asked := concluded[factKey{tin, fact}]; asked {
					all[billKey{tin, b.Key()}] = e
				}
			}
		}
		return needsLines
	})
}

// Facts are those that a bill is concluded from.
func (c Conclusion) Facts() []string {
	list := slices.Clone(c.Submissions)
	for _, id := range c.Payments {
		list = append(list, id.Fact)
	}
	return list
}
