package deadlines

import (
	"context"
	"database/sql"
	"slices"
	"sync"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// Law is an immutable snapshot of the active rules for bills and the holidays.
type Law struct {
	version  int64
	rules    map[lawKey][]Rule
	calendar *Calendar
}

type lawKey struct{ state, line string }

func newLaw(version int64, rules []Rule, holidays []StateHoliday) *Law {
	l := &Law{version, map[lawKey][]Rule{}, NewCalendar(holidays)}
	for _, r := range rules {
		k := lawKey{r.State, r.Line}
		l.rules[k] = append(l.rules[k], r)
	}
	return l
}

// rulesFor returns the rules that could apply to a bill.
func (l *Law) rulesFor(f Facts) []Rule { return l.rules[lawKey{f.State, f.Line}] }

// Next returns a bill's earliest deadline at a stage. See Next.
func (l *Law) Next(f Facts, s Stage) date.Date {
	if s == Over || !f.StateGiven {
		return ""
	}
	return Next(l.rulesFor(f), f, l.calendar, s)
}

// Rules provides the active rules. The service that manages them is made from it.
type Rules struct {
	db   *db.DB
	lock sync.Mutex
	law  *Law // as last read
}

// NewRules creates the active rules.
func NewRules(d *db.DB) *Rules { return &Rules{db: d} }

// SharedLaw returns the law for a transaction that stores results based on it. No change of the law
// can be committed before that transaction ends.
func (r *Rules) SharedLaw(ctx context.Context, tx *sql.Tx) (*Law, error) {
	version, err := sharedVersion(ctx, tx, r.db.Dialect)
	if err != nil {
		return nil, err
	}
	return r.loadLaw(ctx, tx, version)
}

// currentLaw returns the current law.
func (r *Rules) currentLaw(ctx context.Context) (law *Law, err error) {
	err = r.db.Read(ctx, func(tx *sql.Tx) error {
		version, err := getVersion(ctx, tx)
		if err == nil {
			law, err = r.loadLaw(ctx, tx, version)
		}
		return err
	})
	return law, err
}

// loadLaw returns the law of a version, from the cache if possible.
func (r *Rules) loadLaw(ctx context.Context, tx *sql.Tx, version int64) (*Law, error) {
	r.lock.Lock()
	law := r.law
	r.lock.Unlock()
	if law != nil && law.version == version {
		return law, nil
	}
	rules, err := stored(ctx, tx)
	if err != nil {
		return nil, err
	}
	holidays, err := allHolidays(ctx, tx)
	if err != nil {
		return nil, err
	}
	rules = slices.DeleteFunc(rules, func(rule Rule) bool { return rule.Status != Active || rule.isForComplaints() })
	law = newLaw(version, rules, holidays)
	r.lock.Lock()
	r.law = law
	r.lock.Unlock()
	return law, nil
}
