package cases

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/version"
)

// Saved replies have different titles, and a change of an older version is refused.
func TestSavedReplies(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		saved, err := o.SaveReply(ctx, SavedReply{Title: " By\ncontract ", Body: "By contract.\n\nSee line 2. "})
		if want := (SavedReply{saved.ID, "By contract", "By contract.\n\nSee line 2.", 1}); err != nil || saved != want {
			t.Fatalf("%+v, %v", saved, err)
		}
		changed, err := o.SaveReply(ctx, SavedReply{saved.ID, "Contract", "See the contract.", 1})
		if err != nil || changed.Version != 2 {
			t.Fatalf("%+v, %v", changed, err)
		}
		for name, c := range map[string]struct {
			reply SavedReply
			want  problem.Kind
		}{
			"an older version": {SavedReply{saved.ID, "x", "y", 1}, problem.Conflict},
			"unknown":          {SavedReply{99, "x", "y", 1}, problem.NotFound},
			"the same title":   {SavedReply{0, "CONTRACT", "y", 0}, problem.Invalid},
			"no title":         {SavedReply{0, " ", "y", 0}, problem.Invalid},
			"no text":          {SavedReply{0, "x", "\n", 0}, problem.Invalid},
			"a long title":     {SavedReply{0, strings.Repeat("x", maxTitle+1), "y", 0}, problem.Invalid},
			"a long text":      {SavedReply{0, "x", strings.Repeat("x", MaxText+1), 0}, problem.Invalid},
		} {
			if _, err := o.SaveReply(ctx, c.reply); !problem.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		// The refusal has the values that someone else saved. Saving the same values again changes nothing.
		_, err = o.SaveReply(ctx, SavedReply{saved.ID, "Contract", "y", 1})
		var stale *problem.Error
		if !errors.As(err, &stale) || stale.Code != version.CodeStale || stale.Version != "2" || len(stale.Fields) != 1 ||
			*stale.Fields[0].Value != "See the contract." {
			t.Errorf("%+v", err)
		}
		if again, err := o.SaveReply(ctx, SavedReply{saved.ID, "Contract", "See the contract.", 1}); err != nil || again != changed {
			t.Errorf("%+v, %v", again, err)
		}
		if err := o.DeleteReply(ctx, saved.ID, 1); !problem.Is(err, problem.Conflict) {
			t.Errorf("an older version was deleted: %v", err)
		}
		for i := range maxReplies - 1 {
			require.NoError(t, dbtest.Err(o.SaveReply(ctx, SavedReply{Title: fmt.Sprint(i), Body: "x"})))
		}
		if _, err := o.SaveReply(ctx, SavedReply{Title: "One more", Body: "x"}); !problem.Is(err, problem.Conflict) {
			t.Errorf("too many: %v", err)
		}
		assert.NoError(t, o.DeleteReply(ctx, saved.ID, 2))
		list, err := listReplies(ctx, d.Reader)
		if err != nil || len(list) != maxReplies-1 || slices.ContainsFunc(list, func(r SavedReply) bool { return r.ID == saved.ID }) {
			t.Errorf("%d saved replies, %v", len(list), err)
		}
	})
}

// Staff see for half a minute that someone else is writing to a question, and that it changed.
func TestWriting(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c, headName := o.ask(t, three, question("k")), fmt.Sprint("User ", head.Person.ID)
		want := func(by access.Actor, writes bool, version int64, names ...string) {
			t.Helper()
			w, err := o.SetWriting(t.Context(), by, c.Number, writes)
			if err != nil || !slices.Equal(w.Names, names) || w.Version != version {
				t.Errorf("%+v, %v; want %v, version %d", w, err, names, version)
			}
		}
		want(isad, true, 1)
		want(head, true, 1, "User 9")
		want(isad, false, 1, headName)
		want(head, true, 1)
		require.NoError(t, dbtest.Err(o.Reply(t.Context(), three, c.Number, written("More."))))
		want(isad, false, 2, headName)
		o.now = o.now.Add(writingLasts)
		want(isad, false, 2)
		if _, err := o.SetWriting(t.Context(), isad, "C-2222-2222", true); !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
		o.now = o.now.AddDate(0, 0, 1).Add(time.Second)
		require.NoError(t, o.Cleanup(t.Context()))
		if rows, err := writers.Select(t.Context(), d.Reader, ""); err != nil || len(rows) > 0 {
			t.Errorf("%v remain, %v", rows, err)
		}
	})
}
