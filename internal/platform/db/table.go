package db

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

// Column is a column of a table, with its field in a row of type T.
type Column[T any] struct {
	name   string
	field  string // the field's name, of Fields
	key    bool
	value  func(row *T) (any, error) // stored value
	target func(row *T) any          // scan target; nil: never read
}

// Key marks the column as part of the primary key.
func (c Column[T]) Key() Column[T] {
	c.key = true
	return c
}

// Name returns the column's name.
func (c Column[T]) Name() string { return c.name }

// Col returns a column for a field of the row.
func Col[T, V any](name string, field func(row *T) *V) Column[T] {
	return Column[T]{
		name: name,
		// Drivers convert a named type more slowly.
		value:  func(row *T) (any, error) { return driver.DefaultParameterConverter.ConvertValue(*field(row)) },
		target: func(row *T) any { return field(row) },
	}
}

// NullIfZero returns a column that is NULL if the field is 0.
func NullIfZero[T any](name string, field func(row *T) *int64) Column[T] {
	return Column[T]{
		name: name,
		value: func(row *T) (any, error) {
			if n := *field(row); n != 0 {
				return n, nil
			}
			return nil, nil
		},
		target: func(row *T) any { return zeroTarget{field(row)} },
	}
}

type zeroTarget struct{ to *int64 }

func (t zeroTarget) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t.to = 0
	case int64:
		*t.to = v
	default:
		return fmt.Errorf("cannot read a number from %T", src)
	}
	return nil
}

// JSON returns a column that stores a field as JSON.
func JSON[T, V any](name string, field func(row *T) *V) Column[T] {
	return EncodedJSON(name, field, func(*T) string { return "" })
}

// EncodedJSON is JSON for rows that may already have the encoded text; "" if they don't.
func EncodedJSON[T, V any](name string, field func(row *T) *V, ahead func(row *T) string) Column[T] {
	return Column[T]{
		name: name,
		value: func(row *T) (any, error) {
			if text := ahead(row); text != "" {
				return text, nil
			}
			text, err := json.Marshal(field(row))
			return string(text), err
		},
		target: func(row *T) any { return jsonTarget{field(row)} },
	}
}

type jsonTarget struct{ to any }

func (t jsonTarget) Scan(src any) error {
	switch v := src.(type) {
	case string:
		return json.Unmarshal([]byte(v), t.to)
	case []byte:
		return json.Unmarshal(v, t.to)
	default:
		return fmt.Errorf("cannot read JSON from %T", src)
	}
}

// Computed returns a column with a computed value that is stored and never read.
func Computed[T any](name string, value func(row *T) any) Column[T] {
	return Column[T]{name: name, value: func(row *T) (any, error) { return value(row), nil }}
}

// Within converts the columns of an embedded value to columns of its rows.
func Within[T, P any](part func(row *T) *P, columns []Column[P]) []Column[T] {
	out := make([]Column[T], len(columns))
	for i, c := range columns {
		out[i] = Column[T]{name: c.name, field: c.field, key: c.key, value: func(row *T) (any, error) { return c.value(part(row)) }}
		if c.target != nil {
			out[i].target = func(row *T) any { return c.target(part(row)) }
		}
	}
	return out
}

// Without returns the columns without the named ones.
func Without[T any](columns []Column[T], names ...string) []Column[T] {
	return slices.DeleteFunc(slices.Clone(columns), func(c Column[T]) bool { return slices.Contains(names, c.name) })
}

// Table describes a table. It builds statements from the columns, by name, and scans rows
// directly into their fields.
type Table[T any] struct {
	name    string
	columns []Column[T]
	read    []Column[T] // readable columns

	// Cached statement texts.
	selects, replaces, keeps string
	inserts                  sync.Map // number of rows and conflict handling -> text
	amongs                   sync.Map // columns, number of keys, and extra condition -> text
	updates                  sync.Map // number of rows -> text
}

// NewTable returns a table description.
func NewTable[T any](name string, columns ...Column[T]) *Table[T] {
	t := &Table[T]{name: name, columns: columns}
	var keys, sets []string
	for _, c := range columns {
		if c.target != nil {
			t.read = append(t.read, c)
		}
		if c.key {
			keys = append(keys, c.name)
		} else {
			sets = append(sets, c.name+" = excluded."+c.name)
		}
	}
	t.selects = "SELECT " + t.List("") + " FROM " + name + " "
	t.keeps = " ON CONFLICT (" + strings.Join(keys, ", ") + ") DO NOTHING"
	t.replaces = " ON CONFLICT (" + strings.Join(keys, ", ") + ") DO UPDATE SET " + strings.Join(sets, ", ")
	return t
}

// Without returns the table without the named columns, which are neither read nor written.
func (t *Table[T]) Without(names ...string) *Table[T] {
	return NewTable(t.name, Without(t.columns, names...)...)
}

// Only returns the table with only the named columns, which must exist.
func (t *Table[T]) Only(names ...string) *Table[T] {
	return NewTable(t.name, t.Columns(names...)...)
}

// Columns returns the named columns, which must exist.
func (t *Table[T]) Columns(names ...string) []Column[T] {
	columns := make([]Column[T], len(names))
	for i, name := range names {
		columns[i] = t.columns[slices.Index(t.Names(), name)]
	}
	return columns
}

// Names lists all columns.
func (t *Table[T]) Names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// List returns the select list that Query scans, with a prefix (p.) for each column.
func (t *Table[T]) List(prefix string) string {
	names := make([]string, len(t.read))
	for i, c := range t.read {
		names[i] = prefix + c.name
	}
	return strings.Join(names, ", ")
}

// Select returns the rows that match rest, which starts with the WHERE clause.
func (t *Table[T]) Select(ctx context.Context, q Queryer, rest string, args ...any) ([]T, error) {
	return t.Query(ctx, q, t.selects+rest, args...)
}

// Get returns a single row, or ErrNotFound.
func (t *Table[T]) Get(ctx context.Context, q Queryer, rest string, args ...any) (T, error) {
	list, err := t.Select(ctx, q, rest, args...)
	if err == nil && len(list) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		var none T
		return none, err
	}
	return list[0], nil
}

// Query returns the rows of a statement that selects List.
func (t *Table[T]) Query(ctx context.Context, q Queryer, query string, args ...any) ([]T, error) {
	ctx, end := traceStatement(ctx)
	rows, err := withRetries(q).QueryContext(ctx, query, args...)
	end(err)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	targets := make([]any, len(t.read))
	for rows.Next() {
		list = append(list, *new(T))
		row := &list[len(list)-1]
		for i, c := range t.read {
			targets[i] = c.target(row)
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
	}
	return list, rows.Err()
}

// amongSizes are the lengths of key lists. Lists are padded with empty strings to one of them,
// so that there are few statement texts.
var amongSizes = []int{1, 10, 50, 200, 500}

// SelectByKeys returns the rows that match one of the keys in the given text columns. The condition and
// narrows them further. It uses columns as t.column and the values of narrow as $1 and so on. A
// row that matches several keys is returned several times. A column can include another
// comparison than equality, as in "link >=", or be an expression on t with its comparison. CROSS
// JOIN makes SQLite look up key by key. For a condition on an expression, it would otherwise
// scan the table.
func (t *Table[T]) SelectByKeys(ctx context.Context, q Queryer, columns []string, keys [][]any, and string, narrow ...any) ([]T, error) {
	return t.selectByKeys(ctx, q, condition{columns: columns, and: and}, keys, narrow)
}

// LockByKeys returns the same rows, locked until the end of the transaction. The lock is the dialect's ForUpdate or
// ForShare; empty: none.
func (t *Table[T]) LockByKeys(ctx context.Context, q Queryer, columns []string, keys [][]any, and, lock string) ([]T, error) {
	if lock != "" {
		lock += " OF t"
	}
	return t.selectByKeys(ctx, q, condition{columns: columns, and: and, lock: lock}, keys, nil)
}

// condition selects rows by the values of columns.
type condition struct {
	columns []string
	and     string
	lock    string
}

func (t *Table[T]) selectByKeys(ctx context.Context, q Queryer, c condition, keys [][]any, narrow []any) ([]T, error) {
	var list []T
	for chunk := range slices.Chunk(keys, amongSizes[len(amongSizes)-1]) {
		size := amongSizes[slices.IndexFunc(amongSizes, func(n int) bool { return n >= len(chunk) })]
		args := append(make([]any, 0, len(narrow)+size*len(c.columns)), narrow...)
		for _, key := range chunk {
			args = append(args, key...)
		}
		for len(args) < cap(args) {
			args = append(args, "")
		}
		found, err := t.Query(ctx, q, t.amongText(c, size, len(narrow)), args...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// amongText returns the statement for n keys, with parameters that follow the first behind ones.
func (t *Table[T]) amongText(c condition, n, behind int) string {
	type key struct {
		columns   string
		n         int
		and, lock string
		behind    int
	}
	k := key{strings.Join(c.columns, " "), n, c.and, c.lock, behind}
	if text, made := t.amongs.Load(k); made {
		return text.(string)
	}
	values := make([]string, n)
	for i := range values {
		values[i] = "(" + In(behind+i*len(c.columns)+1, len(c.columns)) + ")"
	}
	on := make([]string, len(c.columns))
	for i, column := range c.columns {
		if !strings.Contains(column, " ") {
			column += " ="
		}
		if !strings.Contains(column, "(") {
			column = "t." + column
		}
		on[i] = fmt.Sprintf("%s k.column%d", column, i+1)
	}
	if c.and != "" {
		on = append(on, c.and)
	}
	text := "SELECT " + t.List("t.") + " FROM (VALUES " + strings.Join(values, ", ") + ") k CROSS JOIN " + t.name + " t WHERE " +
		strings.Join(on, " AND ") + c.lock
	t.amongs.Store(k, text)
	return text
}

// sizes are the possible numbers of rows per statement. With few sizes, there are few statement
// texts, and each is prepared once.
var sizes = []int{500, 200, 100, 50, 20, 10, 5, 2, 1}

// mostValues limits the parameters of one statement. It is enough to save round trips, and the
// databases have limits.
const mostValues = 2500

// updateRows is the maximum number of rows per UPDATE, because each row is its own SELECT.
const updateRows = 50

// parts splits the rows into chunks of such sizes, with up to most rows each.
func (t *Table[T]) parts(rows []T, most int) iter.Seq[[]T] {
	most = max(1, min(most, mostValues/len(t.columns)))
	return func(yield func([]T) bool) {
		for _, size := range sizes {
			for size <= most && len(rows) >= size {
				if !yield(rows[:size:size]) {
					return
				}
				rows = rows[size:]
			}
		}
	}
}

// Insert stores new rows.
func (t *Table[T]) Insert(ctx context.Context, q Queryer, rows ...T) error {
	if done, err := t.copyAll(ctx, q, rows); done {
		return err
	}
	return t.insert(ctx, q, rows, "")
}

// InsertMissing stores rows and skips existing keys.
func (t *Table[T]) InsertMissing(ctx context.Context, q Queryer, rows ...T) error {
	return t.insert(ctx, q, rows, t.keeps)
}

// Upsert stores rows and replaces those with existing keys.
func (t *Table[T]) Upsert(ctx context.Context, q Queryer, rows ...T) error {
	return t.insert(ctx, q, rows, t.replaces)
}

func (t *Table[T]) insert(ctx context.Context, q Queryer, rows []T, conflict string) error {
	for chunk := range t.parts(rows, sizes[0]) {
		args, err := t.values(chunk)
		if err != nil {
			return err
		}
		if _, err := Exec(ctx, q, t.insertText(len(chunk), conflict), args...); err != nil {
			return fmt.Errorf("insert %s: %w", t.name, err)
		}
	}
	return nil
}

// values returns the values of all columns, row by row.
func (t *Table[T]) values(rows []T) ([]any, error) {
	args := make([]any, 0, len(rows)*len(t.columns))
	for i := range rows {
		for _, c := range t.columns {
			v, err := c.value(&rows[i])
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", t.name, c.name, err)
			}
			args = append(args, v)
		}
	}
	return args, nil
}

func (t *Table[T]) insertText(n int, conflict string) string {
	type key struct {
		n        int
		conflict string
	}
	k := key{n, conflict}
	if text, made := t.inserts.Load(k); made {
		return text.(string)
	}
	values := make([]string, n)
	for i := range values {
		values[i] = "(" + In(i*len(t.columns)+1, len(t.columns)) + ")"
	}
	text := "INSERT INTO " + t.name + " (" + strings.Join(t.Names(), ", ") + ") VALUES " + strings.Join(values, ", ") + conflict
	t.inserts.Store(k, text)
	return text
}

// Add stores a new row and returns the number that the database generated in column.
func (t *Table[T]) Add(ctx context.Context, q Queryer, row T, column string) (int64, error) {
	args, err := t.values([]T{row})
	if err != nil {
		return 0, err
	}
	var number int64
	err = Get(ctx, q, &number, t.insertText(1, "")+" RETURNING "+column, args...)
	return number, err
}

// Update writes all columns of the row with the same key and returns the number of affected
// rows.
func (t *Table[T]) Update(ctx context.Context, q Queryer, row T) (int64, error) {
	return t.UpdateIf(ctx, q, row, "")
}

// UpdateIf is Update for a row that also matches a condition, if it isn't empty.
func (t *Table[T]) UpdateIf(ctx context.Context, q Queryer, row T, condition string) (int64, error) {
	var sets, keys []string
	var args, keyArgs []any
	for _, c := range t.columns {
		v, err := c.value(&row)
		if err != nil {
			return 0, fmt.Errorf("%s.%s: %w", t.name, c.name, err)
		}
		if c.key {
			keys, keyArgs = append(keys, c.name), append(keyArgs, v)
		} else {
			args = append(args, v)
			sets = append(sets, fmt.Sprintf("%s = $%d", c.name, len(args)))
		}
	}
	for i := range keys {
		keys[i] = fmt.Sprintf("%s = $%d", keys[i], len(args)+1+i)
	}
	if condition != "" {
		keys = append(keys, condition)
	}
	return Exec(ctx, q, "UPDATE "+t.name+" SET "+strings.Join(sets, ", ")+" WHERE "+strings.Join(keys, " AND "),
		append(args, keyArgs...)...)
}

// UpdateAll writes all columns of the rows with the same keys. Missing rows aren't inserted.
func (t *Table[T]) UpdateAll(ctx context.Context, q Queryer, rows ...T) error {
	for chunk := range t.parts(rows, updateRows) {
		args, err := t.values(chunk)
		if err != nil {
			return err
		}
		if _, err := Exec(ctx, q, t.updateText(len(chunk)), args...); err != nil {
			return fmt.Errorf("update %s: %w", t.name, err)
		}
	}
	return nil
}

// updateText returns the statement that updates n rows. Its first SELECT returns no row and sets
// the types of the values.
func (t *Table[T]) updateText(n int) string {
	if text, made := t.updates.Load(n); made {
		return text.(string)
	}
	var sets, on, none []string
	for _, c := range t.columns {
		if c.key {
			on, none = append(on, fmt.Sprintf("%s.%s = k.%[2]s", t.name, c.name)), append(none, c.name+" = NULL")
		} else {
			sets = append(sets, fmt.Sprintf("%s = k.%[1]s", c.name))
		}
	}
	values := "SELECT " + strings.Join(t.Names(), ", ") + " FROM " + t.name + " WHERE " + strings.Join(none, " AND ")
	for i := range n {
		values += " UNION ALL SELECT " + In(i*len(t.columns)+1, len(t.columns))
	}
	text := "UPDATE " + t.name + " SET " + strings.Join(sets, ", ") + " FROM (" + values + ") k WHERE " + strings.Join(on, " AND ")
	t.updates.Store(n, text)
	return text
}

// IsSame reports whether two rows are stored identically.
func (t *Table[T]) IsSame(a, b T) bool {
	for _, c := range t.columns {
		x, errX := c.value(&a)
		y, errY := c.value(&b)
		if errX != nil || errY != nil || x != y {
			return false
		}
	}
	return true
}
