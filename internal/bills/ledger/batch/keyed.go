package batch

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
)

// Keyed is data of another domain that is stored by bill number. It follows the bill to another
// number, into another bill, and out of it again.
type Keyed struct {
	Tables []string
	Follow func(ctx context.Context, tx *sql.Tx, f KeyChanges) error
}

// KeyChanges lists what happened to the bill numbers that rows are stored by. Bills can swap
// numbers, so all rows leave before any arrive.
type KeyChanges struct {
	Moves   []Move
	Returns []Return
	// Lock is the dialect's ForUpdate. Rows are locked when they are read, because users change them meanwhile.
	Lock string
}

// Move is a bill that got another number, or became part of another bill.
type Move struct {
	FTIN   string
	From   string // key of the old number
	To     string // key of the number of the bill that has its facts now
	Number string // the number as shown
	Fact   string // the bill's former fact
	Joins  bool   // the other bill existed before
}

// Return is a bill whose facts were part of other bills. Rows that came to those bills from a
// bill with one of its facts go back to it.
type Return struct {
	FTIN   string
	From   []string // keys of the other bills' numbers
	To     string
	Number string
	Facts  []string
}

// Keys returns the bills that rows can leave, by TIN and key.
func (f KeyChanges) Keys() [][]any {
	keys := movedKeys(f.Moves)
	for _, r := range f.Returns {
		for _, from := range r.From {
			keys = append(keys, []any{r.FTIN, from})
		}
	}
	return keys
}

// FollowRow moves a row to its bill, and reports whether the bill changed. It's for tables with several rows per
// bill and owner. writtenOn is the fact of the bill that the row was written on, if that joined another bill.
func (f KeyChanges) FollowRow(ftin string, key, writtenOn *string) bool {
	for _, m := range f.Moves {
		if m.FTIN == ftin && m.From == *key {
			*key = m.To
			if m.Joins {
				*writtenOn = cmp.Or(*writtenOn, m.Fact)
			}
			return true
		}
	}
	for _, r := range f.Returns {
		if r.FTIN == ftin && slices.Contains(r.From, *key) && *writtenOn != "" && slices.Contains(r.Facts, *writtenOn) {
			*key = r.To
			return true
		}
	}
	return false
}

// kept returns the bills that other bills join or leave. Users can change their rows until these bills are locked.
func (f KeyChanges) kept() []facts.BillRef {
	var list []facts.BillRef
	for _, m := range f.Moves {
		if m.Joins {
			list = append(list, facts.BillRef{FTIN: m.FTIN, Key: m.To})
		}
	}
	for _, r := range f.Returns {
		for _, from := range r.From {
			list = append(list, facts.BillRef{FTIN: r.FTIN, Key: from})
		}
	}
	slices.SortFunc(list, facts.BillRef.Compare)
	return slices.Compact(list)
}

// moveKeyed moves the data of other domains with the bills of a batch.
func (w *Batch) moveKeyed(
	ctx context.Context, concluded []*derive.UnnumberedBill, paired map[*derive.UnnumberedBill]*facts.Bill,
	moved, joined []store.Renumbering, mine map[facts.BillRef]facts.Bill,
) error {
	var f KeyChanges
	numbers := map[facts.BillRef]string{}
	for _, n := range concluded {
		numbers[facts.BillRef{FTIN: n.TIN, Key: n.Bill.Key()}] = n.Bill.BillControlNumber
		if paired[n] == nil && len(n.FormerBills) > 0 {
			f.Returns = append(f.Returns, Return{n.TIN, n.FormerBills, n.Bill.Key(), n.Bill.BillControlNumber, n.Facts()})
		}
	}
	for i, m := range slices.Concat(moved, joined) {
		f.Moves = append(f.Moves, Move{m.From.FTIN, m.From.Key, m.To, numbers[facts.BillRef{FTIN: m.From.FTIN, Key: m.To}],
			mine[m.From].Fact, i >= len(moved)})
	}
	if len(f.Moves) == 0 && len(f.Returns) == 0 {
		return nil
	}
	f.Lock = w.DB.Dialect.ForUpdate
	if err := store.LockBills(ctx, w.Tx, f.kept(), f.Lock); err != nil {
		return err
	}
	for _, k := range w.Keyed {
		if err := k.Follow(ctx, w.Tx, f); err != nil {
			return err
		}
	}
	return nil
}

// Owned describes the rows of a table with one row per bill and owner.
type Owned[T any] struct {
	Among  func(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) ([]T, error) // by TIN and key, locked
	Put    func(ctx context.Context, tx *sql.Tx, rows []T) error
	Remove func(ctx context.Context, tx *sql.Tx, row T) error
	// At returns the bill of a row and its owner.
	At func(row *T) (ftin string, key *string, owner int64)
	// Renumber writes the bill number into a row, as shown.
	Renumber func(row *T, number string)
	// Merge returns the owner's row when one bill joins another. It reports whether the owner
	// had data on the first bill.
	Merge func(kept, joining T) (row T, both bool)
	// Stays reports whether the owner changed data that came with another bill, before that bill
	// left again.
	Stays func(kept, left T) bool
}

// parkedKey returns the key under which the rows of a joined bill are kept, so the bill can get
// them back. It contains the fact, and whether the owner had data on the other bill. No number
// has such a key.
func parkedKey(fact string, merged bool) string {
	if merged {
		return "\x1e" + fact
	}
	return "\x1f" + fact
}

// Follow moves the rows.
func (o Owned[T]) Follow(ctx context.Context, tx *sql.Tx, f KeyChanges) error {
	if err := o.move(ctx, tx, f.Moves, f.Lock); err != nil {
		return err
	}
	for _, r := range f.Returns {
		if err := o.returnRows(ctx, tx, r, f.Lock); err != nil {
			return err
		}
	}
	return nil
}

func (o Owned[T]) move(ctx context.Context, tx *sql.Tx, moves []Move, lock string) error {
	leaving, err := o.removeRows(ctx, tx, movedKeys(moves), lock)
	if err != nil || len(leaving) == 0 {
		return err
	}
	var arriving, apart []T
	var at []int // index of these among the arriving rows
	for _, m := range moves {
		for _, row := range leaving {
			ftin, key, _ := o.At(&row)
			if ftin != m.FTIN || *key != m.From {
				continue
			}
			if m.Joins {
				*key = m.Fact
				apart, at = append(apart, row), append(at, len(arriving))
			}
			*key = m.To
			o.Renumber(&row, m.Number)
			arriving = append(arriving, row)
		}
	}
	merged, err := o.addRows(ctx, tx, arriving, lock)
	if err != nil || len(apart) == 0 {
		return err
	}
	for i := range apart {
		_, key, _ := o.At(&apart[i])
		*key = parkedKey(*key, merged[at[i]])
	}
	_, err = o.addRows(ctx, tx, apart, lock)
	return err
}

func movedKeys(moves []Move) [][]any {
	keys := make([][]any, len(moves))
	for i, m := range moves {
		keys[i] = []any{m.FTIN, m.From}
	}
	return keys
}

// removeRows removes rows and returns them.
func (o Owned[T]) removeRows(ctx context.Context, tx *sql.Tx, keys [][]any, lock string) ([]T, error) {
	rows, err := o.Among(ctx, tx, keys, lock)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if err := o.Remove(ctx, tx, row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// addRows stores rows, and reports which of them were merged with existing rows.
func (o Owned[T]) addRows(ctx context.Context, tx *sql.Tx, rows []T, lock string) (merged []bool, err error) {
	type place struct {
		ftin, key string
		owner     int64
	}
	at := func(row *T) place {
		ftin, key, owner := o.At(row)
		return place{ftin, *key, owner}
	}
	var keys [][]any
	for _, row := range rows {
		p := at(&row)
		keys = append(keys, []any{p.ftin, p.key})
	}
	there, err := o.Among(ctx, tx, keys, lock)
	if err != nil {
		return nil, err
	}
	var list []T
	index := map[place]int{}
	for _, row := range there { // several keys can be the same
		if _, known := index[at(&row)]; !known {
			index[at(&row)] = len(list)
			list = append(list, row)
		}
	}
	merged = make([]bool, len(rows))
	for i, row := range rows {
		if n, known := index[at(&row)]; known {
			list[n], merged[i] = o.Merge(list[n], row)
		} else {
			index[at(&row)] = len(list)
			list = append(list, row)
		}
	}
	return merged, o.Put(ctx, tx, list)
}

func (o Owned[T]) returnRows(ctx context.Context, tx *sql.Tx, r Return, lock string) error {
	var apart, others [][]any
	for _, fact := range r.Facts {
		apart = append(apart, []any{r.FTIN, parkedKey(fact, false)}, []any{r.FTIN, parkedKey(fact, true)})
	}
	for _, key := range r.From {
		others = append(others, []any{r.FTIN, key})
	}
	own, err := o.removeRows(ctx, tx, apart, lock)
	if err != nil || len(own) == 0 {
		return err
	}
	kept, err := o.Among(ctx, tx, others, lock)
	if err != nil {
		return err
	}
	for i := range own {
		_, key, owner := o.At(&own[i])
		hadBoth := strings.HasPrefix(*key, parkedKey("", true))
		*key = r.To
		o.Renumber(&own[i], r.Number)
		for _, k := range kept {
			if _, _, whose := o.At(&k); whose == owner && !hadBoth && !o.Stays(k, own[i]) {
				if err := o.Remove(ctx, tx, k); err != nil {
					return err
				}
			}
		}
	}
	_, err = o.addRows(ctx, tx, own, lock)
	return err
}
