package matching

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"wcpp/internal/bills/ledger/facts"
)

// BillGroup contains all the submissions and payments of one TIN that share numbers,
// directly or through others.
type BillGroup struct {
	Submissions []*facts.Submission
	Payments    []*facts.Payment
	Joins       []facts.Join // in force for the TIN
}

// TIN returns the TIN of the facts.
func (f *BillGroup) TIN() string {
	if len(f.Submissions) > 0 {
		return f.Submissions[0].Reported.FTIN
	}
	return f.Payments[0].Reported.FTIN
}

// SplitGroups splits the facts of one TIN into bill groups. Crowded links are ignored.
func SplitGroups(all BillGroup, crowded map[string]bool) []BillGroup {
	all.sort()
	sets := newSets(len(all.Submissions) + len(all.Payments))
	var seekers []*facts.FactLinks // in the order of the facts
	for _, s := range all.Submissions {
		seekers = append(seekers, s.Links())
	}
	for _, p := range all.Payments {
		seekers = append(seekers, p.Links())
	}
	sets.joinLinked(seekers, crowded)
	for _, j := range all.Joins {
		s := slices.IndexFunc(all.Submissions, func(s *facts.Submission) bool { return s.Fact == j.Submission })
		p := slices.IndexFunc(all.Payments, func(p *facts.Payment) bool { return p.Fact == j.Payment })
		if s >= 0 && p >= 0 {
			sets.join(s, len(all.Submissions)+p)
		}
	}
	return splitGroup(all, sets)
}

// joinLinked joins the facts that a link or an account connects.
func (s sets) joinLinked(seekers []*facts.FactLinks, crowded map[string]bool) {
	holders := map[string][]int{}
	for fact, t := range seekers {
		for _, link := range t.Links {
			holders[link] = append(holders[link], fact)
		}
		if t.Truncated != "" {
			holders[t.Truncated] = append(holders[t.Truncated], fact)
		}
	}
	for link, having := range holders {
		if crowded[link] {
			delete(holders, link)
			continue
		}
		for _, fact := range having[1:] {
			s.join(having[0], fact)
		}
	}
	accounts := map[string]int{}
	for fact, t := range seekers {
		if t.Account == "" || crowded[t.Account] {
			continue
		}
		if first, known := accounts[t.Account]; known {
			s.join(first, fact)
		} else {
			accounts[t.Account] = fact
		}
	}
	sorted := sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(holders)) }) // few facts search by prefix
	for fact, t := range seekers {
		for _, link := range t.Seeks {
			if having := holders[link]; len(having) > 0 {
				s.join(fact, having[0])
			}
		}
		for _, prefix := range t.Prefixes {
			if crowded[prefix] {
				continue
			}
			from, _ := slices.BinarySearch(sorted(), prefix)
			for _, link := range sorted()[from:] {
				if !strings.HasPrefix(link, prefix) {
					break
				}
				s.join(fact, holders[link][0])
			}
		}
	}
}

// splitGroup returns a group for each of the sets of its facts.
func splitGroup(all BillGroup, sets sets) []BillGroup {
	byRoot := map[int]*BillGroup{}
	var list []*BillGroup
	of := func(fact int) *BillGroup {
		root := sets.find(fact)
		if byRoot[root] == nil {
			byRoot[root] = &BillGroup{Joins: all.Joins}
			list = append(list, byRoot[root])
		}
		return byRoot[root]
	}
	for i, s := range all.Submissions {
		f := of(i)
		f.Submissions = append(f.Submissions, s)
	}
	for i, p := range all.Payments {
		f := of(len(all.Submissions) + i)
		f.Payments = append(f.Payments, p)
	}
	parted := make([]BillGroup, len(list))
	for i, f := range list {
		parted[i] = *f
	}
	return parted
}

// sort sorts the facts independently of their arrival.
func (f *BillGroup) sort() {
	slices.SortFunc(f.Submissions, (*facts.Submission).Compare)
	slices.SortFunc(f.Payments, (*facts.Payment).Compare)
}

// sets are disjoint sets of the numbers from 0.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join merges two sets; the smaller number represents the result.
func (s sets) join(i, j int) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}
