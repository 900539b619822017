package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/seal"
)

var signer = ed25519.NewKeyFromSeed(make([]byte, 32))

func newLog(t *testing.T, d *db.DB, now func() time.Time, lines *bytes.Buffer) *Log {
	t.Helper()
	l := New(Deps{DB: d, Clock: now, Log: slog.New(slog.NewJSONHandler(lines, nil)), Sealer: seal.New(make([]byte, 32)), Signer: signer})
	return l
}

// verify returns the differences as one text.
func verify(t *testing.T, d *db.DB, keys ...ed25519.PublicKey) (string, Report) {
	t.Helper()
	if keys == nil {
		keys = []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)}
	}
	r, err := Verify(t.Context(), d, keys, nil)
	require.NoError(t, err)
	return strings.Join(r.Wrong, "; "), r
}

func must(t *testing.T, d *db.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, s)), s)
	}
}

// unguarded drops the triggers, as a database owner can.
func unguarded(t *testing.T, d *db.DB) {
	t.Helper()
	if d.Dialect.Name == "postgres" {
		must(t, d, `ALTER TABLE audit_log DISABLE TRIGGER ALL`, `ALTER TABLE audit_heads DISABLE TRIGGER ALL`,
			`ALTER TABLE audit_pruned DISABLE TRIGGER ALL`)
		return
	}
	var names []string
	require.NoError(t, db.Select(t.Context(), d.Writer, &names, `SELECT name FROM sqlite_master WHERE type = 'trigger'
		AND name LIKE 'audit%'`))
	for _, name := range names {
		must(t, d, `DROP TRIGGER `+name)
	}
}

// three writes and seals three segments of two entries each.
func three(t *testing.T, d *db.DB) *Log {
	t.Helper()
	now := time.Date(2019, 3, 2, 15, 0, 0, 0, time.UTC)
	l := newLog(t, d, func() time.Time { now = now.Add(time.Hour); return now }, &bytes.Buffer{})
	t.Cleanup(l.Close)
	for range 3 {
		for _, operation := range []Operation{"edit", "read"} {
			require.NoError(t, l.RecordNow(t.Context(), Entry{Actor: "ada", Operation: operation, Subject: "zoe", Result: "ok",
				Searched: map[string]string{"a": "b"}}))
		}
		require.NoError(t, l.Seal(t.Context()))
	}
	return l
}

// Verify reports entries that were changed, removed, or added after sealing.
func TestTamperingShows(t *testing.T) {
	const entry = `INSERT INTO audit_log (at, actor, operation, result, segment) VALUES ('2019-03-02T16:00:00.000000Z', 'a', 'b', 'ok', %d)`
	for name, c := range map[string]struct {
		tamper []string
		want   string
	}{
		"nothing":         {nil, ""},
		"a changed entry": {[]string{`UPDATE audit_log SET actor = 'eve' WHERE id = 3`}, "entries of segment 2 have changed"},
		"a moved word": {[]string{`UPDATE audit_log SET operation = 'editz', subject = 'oe'
			WHERE id = 3`}, "entries of segment 2 have changed"},
		"a changed time": {[]string{`UPDATE audit_log SET at = '2019-03-02T15:59:59.999999Z'
			WHERE id = 1`}, "entries of segment 1 have changed"},
		"a removed entry":    {[]string{`DELETE FROM audit_log WHERE id = 6`}, "entries of segment 3 have changed"},
		"an inserted one":    {[]string{fmt.Sprintf(entry, 2)}, "entries of segment 2 have changed"},
		"one of no segment":  {[]string{fmt.Sprintf(entry, 0)}, "1 entries aren't in a segment"},
		"one of one to come": {[]string{fmt.Sprintf(entry, 99)}, "1 entries aren't in a segment"},
		"a moved entry":      {[]string{`UPDATE audit_log SET segment = 3 WHERE id = 3`}, "segment 2"},
		"a removed segment": {[]string{`DELETE FROM audit_log
			WHERE segment = 2`, `DELETE FROM audit_heads WHERE segment = 2`}, "segments 2 to 2 are missing"},
		"a forged head": {[]string{`UPDATE audit_heads SET entries = 1 WHERE segment = 2`},
			"segment 2 has another head hash than its content"},
		"a removal unsigned": {[]string{`DELETE FROM audit_log
			WHERE segment = 1`, `INSERT INTO audit_pruned (segment, pruned_at, signature) SELECT 1, sealed_at, signature FROM audit_heads
				WHERE segment = 1`}, "the removal of segment 1 isn't signed"},
		"a chain cut in two": {[]string{`UPDATE audit_heads SET previous = content
			WHERE segment = 3`}, "segment 3 doesn't follow the current segment 2"},
		"entries not removed": {[]string{`DELETE FROM audit_log WHERE id = 1`}, "entries of segment 1"},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				three(t, d)
				unguarded(t, d)
				must(t, d, c.tamper...)
				if got, _ := verify(t, d); c.want == "" && got != "" || !strings.Contains(got, c.want) {
					t.Errorf("found %q, want %q", got, c.want)
				}
			})
		})
	}
}

// Copies elsewhere reveal a chain signed by another key, or one without its end. These are the
// public key, and the heads in the program's log.
func TestWhatIsKeptElsewhereShowsTheRest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		three(t, d)
		other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32)).Public().(ed25519.PublicKey)
		if got, _ := verify(t, d, other); strings.Count(got, "isn't signed with a trusted key") != 3 {
			t.Errorf("by another key: %q", got)
		}
		_, whole := verify(t, d)
		if whole.Last != 3 || whole.Entries != 6 || whole.Unsealed != 0 {
			t.Errorf("%+v", whole)
		}
		unguarded(t, d)
		must(t, d, `DELETE FROM audit_log WHERE segment = 3`, `DELETE FROM audit_heads WHERE segment = 3`)
		if got, _ := verify(t, d); got != "" {
			t.Errorf("the chain alone tells of its end: %q", got)
		}
		r, err := Verify(t.Context(), d, []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)},
			map[int64]string{3: whole.LastHead})
		if err != nil || fmt.Sprint(r.Wrong) != "[expected segment 3 is missing]" {
			t.Errorf("%v %v", r.Wrong, err)
		}
	})
}

// Removing segments while Verify reads them isn't tampering.
func TestVerifyWhilePruning(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2019, 3, 2, 15, 0, 0, 0, time.UTC)
		l := newLog(t, d, func() time.Time { return now }, &bytes.Buffer{})
		defer l.Close()
		const segments = 60
		for range segments {
			require.NoError(t, errors.Join(l.RecordNow(t.Context(), Entry{Operation: "read", Result: "ok"}), l.Seal(t.Context())))
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var reader sync.WaitGroup
		reader.Go(func() {
			for segment := int64(1); segment <= segments; {
				now, end, err := readSegment(ctx, d, segment)
				if wasRemoved := end.Segment > 0; err != nil || wasRemoved == (now.Entries > 0) {
					t.Errorf("segment %d has %d entries, removed: %v, %v", segment, now.Entries, wasRemoved, err)
				}
				if err != nil || end.Segment > 0 {
					segment++
				}
			}
		})
		if n, err := Prune(t.Context(), d, signer, now.Add(time.Hour), now.Add(time.Hour)); err != nil || n != segments {
			t.Errorf("removed %d segments, %v", n, err)
			stop()
		}
		reader.Wait()
	})
}

// Sealing runs while entries of each kind are written. It seals each entry exactly once. A long
// transaction keeps its own segment open.
func TestSealingWhileWriting(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var lines bytes.Buffer
		l := newLog(t, d, time.Now, &lines)
		other := newLog(t, d, time.Now, &bytes.Buffer{}) // another instance
		defer other.Close()
		ctx := t.Context()
		var writers sync.WaitGroup
		done := make(chan struct{})
		for w := range 4 {
			writers.Go(func() {
				for i := range 20 {
					assert.NoError(t, l.RecordNow(ctx, Entry{Actor: "a", Operation: "search", Result: "ok"}))
					assert.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
						if err := l.Record(ctx, tx, Entry{Actor: "a", Operation: "change", Result: "ok"}); err != nil || (i+w)%5 > 0 {
							return err
						}
						if d.Dialect.Name == "postgres" {
							time.Sleep(20 * time.Millisecond)
						}
						return l.Record(ctx, tx, Entry{Actor: "a", Operation: "change", Result: "ok"})
					}))
					if w == 0 && i%5 == 4 { // segments end between writers, however fast they are
						assert.NoError(t, other.Seal(ctx))
					}
				}
			})
		}
		var sealers sync.WaitGroup
		for _, s := range []*Log{l, other} {
			sealers.Go(func() {
				for {
					assert.NoError(t, s.Seal(ctx))
					select {
					case <-done:
						return
					case <-time.After(5 * time.Millisecond):
					}
				}
			})
		}
		writers.Wait()
		l.Close()
		close(done)
		sealers.Wait()
		require.NoError(t, other.Seal(ctx))
		got, r := verify(t, d)
		if got != "" || r.Entries != 176 || r.Unsealed != 0 || r.Segments < 3 {
			t.Errorf("%s: %+v", got, r)
		}
		if d.Dialect.Name == "sqlite" { // on PostgreSQL, either instance can have sealed it
			return
		}
		assert.Contains(t, lines.String(), `"msg":"audit log sealed"`, "no head was logged")
	})
}

// Sealing includes the entries of a long transaction and blocks no writer. (SQLite has one
// writer.)
func TestLateEntriesAreNotLeftOut(t *testing.T) {
	d, err := db.Open(t.Context(), dbtest.MigratedURL(t, "postgres"))
	require.NoError(t, err)
	defer d.Close()
	l := newLog(t, d, time.Now, &bytes.Buffer{})
	defer l.Close()
	ctx := t.Context()
	require.NoError(t, l.RecordNow(ctx, Entry{Operation: "first", Result: "ok"}))
	if err := d.Tx(ctx, func(tx *sql.Tx) error {
		if err := l.Record(ctx, tx, Entry{Operation: "late", Result: "ok"}); err != nil {
			return err
		}
		if err := l.Seal(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		if _, r := verify(t, d); r.Segments != 0 || r.Unsealed != 1 {
			t.Errorf("sealed without the entry: %+v", r)
		}
		return l.RecordNow(ctx, Entry{Operation: "meanwhile", Result: "ok"}) // no writer is blocked
	}); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, l.Seal(ctx))
	if got, r := verify(t, d); got != "" || r.Entries != 3 || r.Segments != 2 {
		t.Errorf("%s: %+v", got, r)
	}
}

// Both databases refuse to change stored entries.
func TestTablesAreAppendOnly(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		three(t, d)
		refused := []string{
			`UPDATE audit_log SET actor = 'x'`, `DELETE FROM audit_log`, `UPDATE audit_keys SET key = 'x'`, `DELETE FROM audit_keys`,
			`UPDATE audit_heads SET entries = 0`, `DELETE
				FROM audit_heads`, `DELETE FROM audit_segments`, `UPDATE audit_segments SET id = id + 7`,
			`INSERT INTO audit_log (id, at, actor, operation, result) VALUES (1, '2026-01-02T03:04:05.000000Z', 'x', 'b', 'ok')
				ON CONFLICT (id) DO UPDATE SET actor = 'x'`,
		}
		if d.Dialect.Name == "postgres" {
			refused = append(refused, `TRUNCATE audit_log`, `TRUNCATE audit_keys`, `TRUNCATE audit_heads`, `TRUNCATE audit_segments`,
				`TRUNCATE audit_pruned`)
		} else {
			refused = append(refused, `REPLACE INTO audit_log (id, at, actor, operation, result) VALUES (1,`+
				` '2026-01-02T03:04:05.000000Z', 'x', 'b', 'ok')`,
				`UPDATE OR REPLACE audit_log SET id = 2 WHERE id = 1`,
				`REPLACE INTO audit_heads (segment, entries, sealed_at, previous, content, head, signature) SELECT 1, 0, sealed_at,`+
					` previous, content, head, signature FROM audit_heads WHERE segment = 2`)
		}
		for _, s := range refused {
			if _, err := db.Exec(t.Context(), d.Writer, s); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v", s, err)
			}
		}
		if got, r := verify(t, d); got != "" || r.Entries != 6 {
			t.Errorf("%s %+v", got, r)
		}
	})
}

// Prune removes expired segments with their keys. The remaining segments still verify.
func TestPrune(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := three(t, d)
		_, before := verify(t, d)
		var ends []db.Instant
		require.NoError(t, db.Select(t.Context(), d.Writer, &ends, `SELECT last_at FROM audit_heads ORDER BY segment`))
		for _, c := range []struct{ until, want int }{{0, 0}, {1, 1}, {2, 1}} { // before the end of the first, the second, the third
			n, err := Prune(t.Context(), d, signer, ends[c.until].Time, time.Now())
			assert.NoError(t, err)
			assert.Equal(t, c.want, n)
		}
		got, r := verify(t, d)
		if got != "" || r.Segments != 3 || r.Pruned != 2 || r.Entries != 2 || r.LastHead != before.LastHead {
			t.Errorf("%s %+v", got, r)
		}
		var keys int
		if err := db.Get(t.Context(), d.Writer, &keys, `SELECT count(*) FROM audit_keys`); err != nil || keys != 4 {
			t.Errorf("%d keys, %v", keys, err)
		}
		require.NoError(t, l.RecordNow(t.Context(), Entry{Operation: "after", Result: "ok"}))
		require.NoError(t, l.Seal(t.Context()))
		if got, r := verify(t, d); got != "" || r.Segments != 4 {
			t.Errorf("%s %+v", got, r)
		}
	})
}

func TestHeadsTakeEveryField(t *testing.T) {
	at := db.At(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	whole := head{Segment: 1, Entries: 2, LastAt: at, SealedAt: at, Previous: []byte("p"), Content: []byte("c")}
	seen := map[string]bool{}
	for _, change := range []func(*head){
		func(*head) {}, func(h *head) { h.Segment = 2 }, func(h *head) { h.Entries = 1 }, func(h *head) { h.LastAt = db.Instant{} },
		func(h *head) {
			h.SealedAt = db.At(at.Add(time.Microsecond))
		}, func(h *head) { h.Previous = nil }, func(h *head) { h.Content = nil },
		func(h *head) { h.Previous, h.Content = []byte("pc"), nil },
	} {
		h := whole
		change(&h)
		seen[hex.EncodeToString(h.hash())] = true
	}
	assert.Len(t, seen, 8)
}
