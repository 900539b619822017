package openbills

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// Follows moves the groups' work when bills get other numbers.
var Follows = batch.Keyed{Tables: []string{"bill_notes", "bill_work"}, Follow: follow}

var ownWork = batch.Owned[Work]{
	Among: lockWorks, Put: putWorks, Remove: removeWork,
	At:       func(w *Work) (string, *string, int64) { return w.FTIN, &w.Bill, w.Group },
	Renumber: func(*Work, string) {},
	Merge:    merge,
	Stays:    func(kept, left Work) bool { return kept.Version != left.Version },
}

// merge combines a group's work on two bills when one joins the other. It must not hide the bill
// or delay its follow-up. So it stays open if either one is, and the earlier follow-up date
// counts. The remaining bill keeps its assignee.
func merge(kept, joining Work) (w Work, both bool) {
	if kept.Version == 0 { // there is only a note
		joining.Bill, joining.Notes = kept.Bill, joining.Notes+kept.Notes
		return joining, false
	}
	if joining.Version == 0 {
		kept.Notes += joining.Notes
		return kept, true
	}
	kept.AssignedTo = cmp.Or(kept.AssignedTo, joining.AssignedTo)
	if kept.Lost = cmp.Or(kept.Lost, joining.Lost); kept.AssignedTo != 0 {
		kept.Lost = 0
	}
	kept.FollowUpOn = earlierDate(kept.FollowUpOn, joining.FollowUpOn)
	kept.State, kept.ParkedUntil, kept.DoneChange = mergeStates(kept, joining)
	if kept.State != stateDone {
		kept.DoneAt = db.Instant{}
	}
	kept.Notes += joining.Notes
	if kept.UpdatedAt.Before(joining.UpdatedAt.Time) {
		kept.UpdatedAt, kept.UpdatedBy = joining.UpdatedAt, joining.UpdatedBy
	}
	kept.Version = max(kept.Version, joining.Version) + 1 // so that both old versions are stale
	return kept, true
}

func earlierDate(a, b date.Date) date.Date {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return min(a, b)
}

func mergeStates(a, b Work) (state string, until date.Date, doneChange int64) {
	order := []string{stateOpen, stateSnoozed, stateDone}
	at := min(slices.Index(order, a.State), slices.Index(order, b.State))
	switch state = order[at]; {
	case state == stateSnoozed && a.State == b.State:
		return state, min(a.ParkedUntil, b.ParkedUntil), 0
	case state == stateSnoozed:
		return state, max(a.ParkedUntil, b.ParkedUntil), 0 // one of them is empty
	case state == stateDone:
		return state, "", min(a.DoneChange, b.DoneChange)
	}
	return state, "", 0
}

// follow moves work and notes with their bills.
func follow(ctx context.Context, tx *sql.Tx, f batch.KeyChanges) error {
	if err := ownWork.Follow(ctx, tx, f); err != nil {
		return err
	}
	touched, err := followNotes(ctx, tx, f)
	for _, r := range f.Returns { // work that came with the bill is gone, and its note count with it
		for _, from := range r.From {
			touched = append(touched, []any{r.FTIN, from})
		}
	}
	if err != nil || len(touched) == 0 {
		return err
	}
	return countNotes(ctx, tx, touched, f.Lock)
}

// followNotes returns the old and new numbers of moved notes.
func followNotes(ctx context.Context, tx *sql.Tx, f batch.KeyChanges) (touched [][]any, err error) {
	list, err := lockNotes(ctx, tx, f.Keys(), f.Lock)
	if err != nil {
		return nil, err
	}
	for _, n := range list {
		from := n.Bill
		if !f.FollowRow(n.FTIN, &n.Bill, &n.WrittenOn) {
			continue
		}
		touched = append(touched, []any{n.FTIN, from}, []any{n.FTIN, n.Bill})
		if err := putNote(ctx, tx, n); err != nil {
			return nil, err
		}
	}
	return touched, nil
}

// countNotes counts each group's notes on bills again.
func countNotes(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) error {
	all, err := lockNotes(ctx, tx, keys, lock)
	if err != nil {
		return err
	}
	rows, err := lockWorks(ctx, tx, keys, lock)
	if err != nil {
		return err
	}
	type place struct {
		group     int64
		ftin, key string
	}
	count, last := map[place]int{}, map[place]db.Instant{}
	seen := map[int64]bool{}
	for _, n := range all {
		p := place{n.Group, n.FTIN, n.Bill}
		if last[p] = n.At; n.StruckAt.IsZero() && !seen[n.ID] {
			count[p]++
		}
		seen[n.ID] = true
	}
	var changed []Work
	for _, w := range rows {
		p := place{w.Group, w.FTIN, w.Bill}
		if w.Notes != count[p] {
			w.Notes = count[p]
			changed = append(changed, w)
		}
		delete(last, p)
	}
	for p, at := range last {
		changed = append(changed, Work{Group: p.group, FTIN: p.ftin, Bill: p.key, State: stateOpen, Notes: count[p], UpdatedAt: at})
	}
	slices.SortFunc(changed, func(a, b Work) int {
		return cmp.Or(cmp.Compare(a.FTIN, b.FTIN), cmp.Compare(a.Bill, b.Bill), cmp.Compare(a.Group, b.Group))
	})
	return putWorks(ctx, tx, slices.CompactFunc(changed, func(a, b Work) bool {
		return a.Group == b.Group && a.FTIN == b.FTIN && a.Bill == b.Bill
	}))
}
