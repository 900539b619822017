package openbills

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// totalsCache caches totals for repeated views, because adding up tens of thousands of bills
// takes longer than anything else.
type totalsCache struct {
	mu   sync.Mutex
	kept map[string]counted
}

type counted struct {
	list  []tally
	as    dataVersion
	until time.Time
}

// The limits of the cache.
const (
	sumsKept = time.Minute
	maxSums  = 2000
)

// loadTallies counts the bills in page. Totals without the group's work are cached until one of the
// bills changes. The group's work covers few of the bills, and is added each time.
func (s *Service) loadTallies(ctx context.Context, who requester, f Filter) ([]tally, error) {
	var all []tally
	for tins := range slices.Chunk(f.selectTINs(who.scope), tinsPerQuery) {
		if !f.needsWork() {
			list, err := s.tallyBills(ctx, tins, who, f)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
		if who.group == 0 {
			continue
		}
		list, err := tallyWork(ctx, s.db.Reader, tins, who, f, !f.needsWork())
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func (s *Service) tallyBills(ctx context.Context, tins []string, who requester, f Filter) ([]tally, error) {
	as, err := getDataVersion(ctx, s.db.Reader, tins)
	if err != nil {
		return nil, err
	}
	c := &conditions{}
	f.addBillConditions(who, c)
	key, now := fmt.Sprint(tins, who.today, c.list, c.args), s.now()
	s.sums.mu.Lock()
	found, is := s.sums.kept[key]
	s.sums.mu.Unlock()
	if is && found.as == as && now.Before(found.until) {
		return found.list, nil
	}
	list, err := tallyBills(ctx, s.db.Reader, tins, who, f)
	if err != nil {
		return nil, err
	}
	s.sums.mu.Lock()
	defer s.sums.mu.Unlock()
	if s.sums.kept == nil || len(s.sums.kept) >= maxSums {
		s.sums.kept = map[string]counted{}
	}
	s.sums.kept[key] = counted{list, as, now.Add(sumsKept)}
	return list, nil
}
