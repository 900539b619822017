package derive

import (
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/text"
)

// UnnumberedBill is a derived bill that doesn't have its number yet.
type UnnumberedBill struct {
	DerivedBill
	TIN         string
	Wanted      string   // key of the number it requests
	FormerBills []string // keys of the bills previously derived from its facts
}

// AnchorFact returns the fact in the bill's anchor, after its number is assigned.
func (n *UnnumberedBill) AnchorFact() string {
	_, fact, _ := strings.Cut(n.Bill.Anchor, writtenFact)
	return fact
}

// The length of the suffix that distinguishes bills with the same number.
const (
	suffix      = 4
	longSuffix  = 8
	writtenFact = " " // separates the parts of an anchor
)

// AssignNumbers assigns bill numbers. If several bills request the same number, the oldest gets
// it and the others append part of their anchor. It returns the other bills that need a new
// number.
func AssignNumbers(concluded []*UnnumberedBill, others map[facts.BillRef][]facts.Bill) (renamed []facts.Bill) {
	byWanted := map[facts.BillRef][]*UnnumberedBill{}
	for _, n := range concluded {
		n.Bill.Anchor = n.Written + writtenFact + n.Bill.Anchor
		n.Bill.Wanted = n.Wanted
		k := facts.BillRef{FTIN: n.TIN, Key: n.Wanted}
		byWanted[k] = append(byWanted[k], n)
	}
	for k := range others {
		if byWanted[k] == nil {
			byWanted[k] = nil
		}
	}
	for k, list := range byWanted {
		type claimant struct {
			anchor string
			mine   *UnnumberedBill
			other  facts.Bill
		}
		var all []claimant
		for _, n := range list {
			all = append(all, claimant{anchor: n.Bill.Anchor, mine: n})
		}
		for _, b := range others[k] {
			all = append(all, claimant{anchor: b.Anchor, other: b})
		}
		slices.SortFunc(all, func(a, b claimant) int { return strings.Compare(a.anchor, b.anchor) })
		used := map[string]bool{}
		for i, c := range all {
			name := c.other.BillControlNumber
			if c.mine != nil {
				name = c.mine.Number
			}
			if i > 0 {
				name = appendSuffix(k.Key, c.anchor, suffix)
				if used[name] {
					name = appendSuffix(k.Key, c.anchor, longSuffix)
				}
				used[name] = true
			}
			switch {
			case c.mine != nil:
				c.mine.Bill.BillControlNumber = name
			case text.Key(name) != c.other.Key() || i == 0 && c.other.Key() != k.Key:
				renamed = append(renamed, c.other)
			}
		}
	}
	return renamed
}

func appendSuffix(key, anchor string, n int) string {
	_, fact, _ := strings.Cut(anchor, writtenFact)
	if room := facts.MaxNumber - 1 - n; len(key) > room {
		key = strings.ToValidUTF8(key[:room], "")
	}
	return strings.ToUpper(key + "-" + fact[:n])
}

// PairBills assigns stored bills to the derived ones, by their current numbers first. A stored
// bill is taken once.
func PairBills(
	concluded []*UnnumberedBill, mine map[facts.BillRef]facts.Bill,
) (paired map[*UnnumberedBill]*facts.Bill, taken map[facts.BillRef]bool) {
	paired, taken = map[*UnnumberedBill]*facts.Bill{}, map[facts.BillRef]bool{}
	pair := func(n *UnnumberedBill, key string) {
		k := facts.BillRef{FTIN: n.TIN, Key: key}
		if old, is := mine[k]; is && !taken[k] && paired[n] == nil {
			paired[n], taken[k] = &old, true
		}
	}
	for _, n := range concluded {
		if slices.Contains(n.FormerBills, n.Bill.Key()) {
			pair(n, n.Bill.Key())
		}
	}
	for _, n := range concluded {
		for _, key := range n.FormerBills {
			pair(n, key)
		}
	}
	return paired, taken
}
