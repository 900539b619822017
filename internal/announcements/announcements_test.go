package announcements

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/problem"
)

var writer = access.Actor{Person: access.Person{ID: 1, UserName: "isad", Type: access.ISAD}}

// lines is a service with an adjustable clock, starting at noon in New York.
type lines struct {
	*Service
	t   *testing.T
	d   *db.DB
	now time.Time
}

func newLines(t *testing.T, d *db.DB) *lines {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	l := &lines{t: t, d: d, now: time.Date(2026, 3, 2, 12, 0, 0, 0, zone)}
	l.Service = l.instance()
	return l
}

// instance returns another program instance on the same database.
func (l *lines) instance() *Service {
	log := audit.New(audit.Deps{DB: l.d, Clock: func() time.Time { return l.now }, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	l.t.Cleanup(log.Close)
	return NewService(l.d, log, func() time.Time { return l.now })
}

func (l *lines) add(text, from, to string) (Announcement, error) {
	return l.Add(l.t.Context(), writer, NewStatusLine{Text: text, Kind: Warning, From: from, To: to})
}

func (l *lines) must(text, from, to string) Announcement {
	l.t.Helper()
	line, err := l.add(text, from, to)
	require.NoError(l.t, err)
	return line
}

// public returns the public response.
func (l *lines) public(s *Service) string {
	l.t.Helper()
	w := httptest.NewRecorder()
	s.serve(w, httptest.NewRequest(http.MethodGet, PublicPath, nil))
	if w.Code != 200 || w.Header().Get("Cache-Control") != "public, max-age=60" {
		l.t.Errorf("%d %v", w.Code, w.Header())
	}
	return strings.TrimSpace(w.Body.String())
}

func (l *lines) audited(like string) int {
	l.t.Helper()
	var n int
	require.NoError(l.t, db.Get(l.t.Context(), l.d.Writer, &n, `SELECT count(*) FROM audit_log WHERE detail LIKE $1`, like))
	return n
}

// A line appears exactly at its start and disappears exactly at its end.
func TestShown(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLines(t, d)
		other := l.instance()
		assert.Equal(t, "null", l.public(other))
		l.must(" Claims are\tlate ", "2026-03-02T13:00", "2026-03-02T14:00")
		const want = `{"text":"Claims are late","kind":"WARNING","to":"2026-03-02T19:00:00Z"}`
		for _, c := range []struct{ at, want string }{
			{"12:59:59", "null"}, {"13:00:00", want}, {"13:59:59", want}, {"14:00:00", "null"},
		} {
			at, err := time.ParseInLocation("2006-01-02 15:04:05", "2026-03-02 "+c.at, l.now.Location())
			require.NoError(t, err)
			l.now = at
			for _, s := range []*Service{l.Service, other} {
				assert.Equalf(t, c.want, l.public(s), "at %s", c.at)
			}
		}
		if l.audited("WARNING from 2026-03-02T13:00 to 2026-03-02T14:00: Claims are late") != 1 {
			t.Error("the audit log does not tell of it")
		}
	})
}

// The instance that adds or ends a line shows the change immediately, and other instances within
// a minute.
func TestKnownWithinAMinute(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLines(t, d)
		other := l.instance()
		l.public(other)
		line := l.must("Now", "", "2026-03-02T18:00")
		if !strings.Contains(l.public(l.Service), "Now") || l.public(other) != "null" {
			t.Error("not as soon as it is meant")
		}
		l.now = l.now.Add(time.Minute)
		assert.Contains(t, l.public(other), "Now", "not after a minute")
		for range 2 {
			require.NoError(t, l.End(t.Context(), line.ID))
		}
		if l.public(l.Service) != "null" || l.audited("% to 2026-03-02T12:01: Now") != 1 {
			t.Error("it did not end, once")
		}
		list, err := l.List(t.Context())
		if err != nil || len(list) != 1 || !list[0].EndsAt.Equal(l.now) {
			t.Errorf("%+v, %v", list, err)
		}
		planned := l.must("Later", "2026-03-03T08:00", "2026-03-03T09:00")
		require.NoError(t, l.End(t.Context(), planned.ID))
		if list, err := l.List(t.Context()); err != nil || len(list) != 1 {
			t.Errorf("one that never was is listed: %+v, %v", list, err)
		}
		if err := l.End(t.Context(), 4711); !problem.Is(err, problem.NotFound) {
			t.Errorf("%v", err)
		}
	})
}

func TestRules(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLines(t, d)
		long := strings.Repeat("ü", 200)
		l.must(long, "2026-03-02T11:00", "2026-03-02T13:00") // the past part is cut off
		for name, c := range map[string]struct {
			wanted NewStatusLine
			path   string
		}{
			"no text":        {NewStatusLine{" ", Info, "", "2026-03-03T13:00"}, "text"},
			"too long":       {NewStatusLine{long + "x", Info, "", "2026-03-03T13:00"}, "text"},
			"no kind":        {NewStatusLine{"x", "", "", "2026-03-03T13:00"}, "kind"},
			"no first":       {NewStatusLine{"x", Info, "soon", "2026-03-03T13:00"}, "from"},
			"no end":         {NewStatusLine{"x", Info, "", ""}, "to"},
			"over":           {NewStatusLine{"x", Info, "", "2026-03-02T12:00"}, "to"},
			"before it came": {NewStatusLine{"x", Info, "2026-03-03T13:00", "2026-03-03T13:00"}, "to"},
		} {
			_, err := l.Add(t.Context(), writer, c.wanted)
			var e *problem.Error
			if !errors.As(err, &e) || e.Kind != problem.Invalid || len(e.Fields) != 1 || e.Fields[0].Path != c.path {
				t.Errorf("%s: %+v", name, err)
			}
		}
		list, err := l.List(t.Context())
		if err != nil || len(list) != 1 || !list[0].StartsAt.Equal(l.now) {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// If two requests overlap, only one line is added.
func TestOneAtATime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLines(t, d)
		var wait sync.WaitGroup
		var mu sync.Mutex
		var made, refused int
		for range 6 {
			wait.Go(func() {
				_, err := l.add("Work on the portal", "2026-03-02T20:00", "2026-03-02T22:00")
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					made++
				case problem.Is(err, problem.Conflict) && strings.Contains(err.Error(), "“Work on the portal”"):
					refused++
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		assert.Equal(t, 1, made)
		assert.Equal(t, 5, refused)
		l.must("Before", "", "2026-03-02T20:00")
		l.must("After", "2026-03-02T22:00", "2026-03-02T23:00")
		if _, err := l.add("Around", "", "2026-03-05T20:00"); !problem.Is(err, problem.Conflict) {
			t.Errorf("around all: %v", err)
		}
	})
}

func TestMappingsAreWhole(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(toStatusLine(mappingtest.Filled[Announcement]())))
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLines(t, d)
		made := l.must("x", "", "2026-03-02T20:00")
		list, err := l.List(t.Context())
		if err != nil || len(list) != 1 || list[0] != made {
			t.Errorf("%+v, %+v, %v", made, list, err)
		}
		assert.Nil(t, mappingtest.ListEmpty(list[0]))
	})
}
