package alerts

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// What users can follow.
const (
	OfBill  = "bill"
	OfClaim = "claim" // all of its bills, including later ones
)

// The same in the table watches.
var watchKinds = map[string]string{OfBill: "BILL", OfClaim: "CLAIM"}

// Limits per request and in total.
const (
	MaxPerRequest = 500
	MaxWatched    = 2000
)

// SetFollowed follows or unfollows bills by page id, or their claims. It returns how many of them
// exist in scope.
func (s *Service) SetFollowed(ctx context.Context, a access.Actor, pages []string, of string, on bool) (int, error) {
	var wrong validate.Fields
	wrong.Require(len(pages) > 0 && len(pages) <= MaxPerRequest, "bills", fmt.Sprintf("Select 1 to %d bills.", MaxPerRequest))
	wrong.Require(watchKinds[of] != "", "of", "Select bill or claim.")
	if err := wrong.Refuse("Nothing changed. Try again."); err != nil {
		return 0, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return 0, err
	}
	var names []billID
	for _, page := range pages {
		if ftin, key, ok := s.pages.OpenPageID(page); ok {
			names = append(names, billID{ftin, key})
		}
	}
	n := 0
	return n, s.db.Tx(ctx, func(tx *sql.Tx) error {
		has, err := lockWatches(ctx, tx, s.db.Dialect, a.Acting().ID)
		if err != nil {
			return err
		}
		found, err := findBills(ctx, tx, scope, names, s.db.Dialect.ForShare)
		if err != nil {
			return err
		}
		if n = len(found); n == 0 {
			return errNotFound()
		}
		list := watchesFor(found, a.Acting().ID, of, db.At(s.now()))
		if len(list) == 0 {
			return validate.RefuseField("Nothing changed. Try again.", "of", "This bill doesn't have a claim number.")
		}
		if !on {
			for _, w := range list {
				if _, err := removeWatch(ctx, tx, w); err != nil {
					return err
				}
			}
			return s.recordWatches(ctx, tx, "watch-end", list)
		}
		if has+len(list) > MaxWatched {
			followed, err := listWatches(ctx, tx, a.Acting().ID)
			if err != nil {
				return err
			}
			if has+countNew(list, followed) > MaxWatched {
				return validate.RefuseField("Nothing changed. Try again.", "bills",
					fmt.Sprintf("You can follow up to %d bills and claims. Unfollow some first.", MaxWatched))
			}
		}
		if err := addWatches(ctx, tx, list); err != nil {
			return err
		}
		return s.recordWatches(ctx, tx, "watch", list)
	})
}

// watchesFor returns the items to follow for bills, each once and in a fixed order.
func watchesFor(found []facts.Bill, user int64, of string, now db.Instant) []Watch {
	var list []Watch
	for _, b := range found {
		w := Watch{UserID: user, FTIN: b.FTIN, Kind: watchKinds[of], Key: b.Key(), Number: b.BillControlNumber, At: now}
		if of == OfClaim {
			w.Key, w.Number = text.Key(b.ClaimNumber), b.ClaimNumber
		}
		if w.Key != "" {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b Watch) int { return cmp.Or(cmp.Compare(a.FTIN, b.FTIN), cmp.Compare(a.Key, b.Key)) })
	return slices.CompactFunc(list, func(a, b Watch) bool { return a.FTIN == b.FTIN && a.Key == b.Key })
}

// countNew counts the items of a list that aren't followed yet.
func countNew(list, followed []Watch) int {
	has := make(map[followedID]bool, len(followed))
	for _, w := range followed {
		has[followedID{w.FTIN, w.Kind, w.Key}] = true
	}
	n := 0
	for _, w := range list {
		if !has[followedID{w.FTIN, w.Kind, w.Key}] {
			n++
		}
	}
	return n
}

func (s *Service) recordWatches(ctx context.Context, tx *sql.Tx, operation audit.Operation, list []Watch) error {
	e := audit.Entry{Operation: operation, Detail: fmt.Sprintf("%d followed", len(list)), Result: "ok"}
	for _, w := range list {
		subject := w.FTIN + " " + w.Number
		if len(list) == 1 {
			e.Subject, e.Detail = subject, ""
		}
		e.About = append(e.About, subject)
		if !slices.Contains(e.About, w.FTIN) {
			e.About = append(e.About, w.FTIN)
		}
	}
	return s.audit.Record(ctx, tx, e)
}

// followedID identifies a followed item. It's sealed in transit.
type followedID struct{ FTIN, Kind, Key string }

const watchPurpose = "watch"

// FollowedItem is an item the user follows.
type FollowedItem struct {
	Watch
	ID   string
	Page string      // of an existing bill
	Bill *facts.Bill // the same bill
}

// ListFollowed lists the items the user follows under their TINs.
func (s *Service) ListFollowed(ctx context.Context, a access.Actor) ([]FollowedItem, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	all, err := listWatches(ctx, s.db.Reader, a.Acting().ID)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(w Watch) bool { return !scope.Has(w.FTIN) })
	var names []billID
	var about, numbers []string
	for _, w := range all {
		if w.Kind == watchKinds[OfBill] {
			names = append(names, billID{w.FTIN, w.Key})
		}
		if numbers = append(numbers, w.Number); !slices.Contains(about, w.FTIN) {
			about = append(about, w.FTIN)
		}
	}
	found, err := findBills(ctx, s.db.Reader, scope, names, "")
	if err != nil {
		return nil, err
	}
	bills := make(map[followedID]*facts.Bill, len(found))
	for i, b := range found {
		bills[followedID{b.FTIN, watchKinds[OfBill], b.Key()}] = &found[i]
	}
	list := make([]FollowedItem, len(all))
	for i, w := range all {
		id := followedID{w.FTIN, w.Kind, w.Key}
		list[i] = FollowedItem{Watch: w, Bill: bills[id]}
		if list[i].ID, err = s.sealer.Name(watchPurpose, id); err != nil {
			return nil, err
		}
		if list[i].Bill != nil {
			if list[i].Page, err = s.pages.PageID(w.FTIN, w.Key); err != nil {
				return nil, err
			}
		}
	}
	if len(list) == 0 {
		return list, nil
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "watches", About: about, Answered: numbers, Result: "ok"}); err != nil {
		return nil, err
	}
	return list, nil
}

// Unfollow unfollows one of the user's items.
func (s *Service) Unfollow(ctx context.Context, a access.Actor, sealed string) error {
	var id followedID
	if s.sealer.Open(watchPurpose, sealed, &id) != nil {
		return errNotFound()
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		w := Watch{UserID: a.Acting().ID, FTIN: id.FTIN, Kind: id.Kind, Key: id.Key, Number: id.Key}
		n, err := removeWatch(ctx, tx, w)
		if err == nil && n == 0 {
			err = access.Refuse(id.FTIN)
		}
		if err != nil {
			return err
		}
		return s.recordWatches(ctx, tx, "watch-end", []Watch{w})
	})
}

// IsFollowing reports whether the user follows the bill of a page, and its claim.
func (s *Service) IsFollowing(ctx context.Context, a access.Actor, page string) (bill, claim bool, err error) {
	ftin, key, ok := s.pages.OpenPageID(page)
	if !ok {
		return false, false, problem.New(problem.NotFound)
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return false, false, err
	}
	found, err := findBills(ctx, s.db.Reader, scope, []billID{{ftin, key}}, "")
	if err == nil && len(found) == 0 {
		err = access.Refuse(ftin)
	}
	if err != nil {
		return false, false, err
	}
	me := a.Acting().ID
	if bill, err = isWatching(ctx, s.db.Reader, me, ftin, watchKinds[OfBill], found[0].Key()); err != nil {
		return false, false, err
	}
	claim, err = isWatching(ctx, s.db.Reader, me, ftin, watchKinds[OfClaim], text.Key(found[0].ClaimNumber))
	return bill, claim, err
}
