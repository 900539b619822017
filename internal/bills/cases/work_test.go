package cases

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spool"
)

// Whatever staff write and merge, no note of theirs reaches an office, and no message is lost.
func TestNotesNeverReachAnOffice(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		seed := uint64(time.Now().UnixNano())
		r := rand.New(rand.NewPCG(seed, 0))
		var list []Case
		sent := map[string]int{} // messages of the office, in any case
		for i := range 6 {
			list = append(list, o.ask(t, three, question(fmt.Sprint(i), ours+"/a")))
		}
		events := []event{eventReply, eventNote, eventNote, eventAsk, eventAnswer, eventMerge}
		for step := range 80 {
			c, err := getCase(t.Context(), d.Reader, list[r.IntN(len(list))].Number, "")
			require.NoError(t, err)
			o.now = o.now.Add(2 * time.Minute)
			seen, body := Seen{c.Number, c.Version}, fmt.Sprint("text ", step)
			switch events[r.IntN(len(events))] {
			case eventReply:
				if _, err = o.Reply(t.Context(), three, c.Number, written(body)); err == nil {
					sent[body]++
				}
			case eventNote:
				_, err = o.AddNote(t.Context(), isad, seen, written("note "+body))
			case eventAsk:
				_, err = o.AskOffice(t.Context(), isad, seen, written(body))
			case eventAnswer:
				_, err = o.AnswerCase(t.Context(), isad, seen, written(body))
			case eventMerge:
				_, err = o.Merge(t.Context(), isad, seen, list[r.IntN(len(list))].Number)
			}
			if err != nil && !problem.Is(err, problem.Conflict) && !problem.Is(err, problem.Invalid) {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		notes, messages := 0, map[string]int{}
		for _, c := range list {
			office, err := o.ReadOwn(t.Context(), three, c.Number)
			require.NoError(t, err)
			for _, e := range office.Entries {
				if e.Visible != Both || e.Kind == Note {
					t.Errorf("seed %d: the office reads %+v", seed, e)
				}
				if e.Kind == Message && strings.HasPrefix(e.Body, "text") {
					messages[e.Body]++
				}
			}
			staff, err := o.OpenAtDesk(t.Context(), c.Number)
			require.NoError(t, err)
			for _, e := range staff.Entries {
				if e.Kind == Note {
					notes++
				}
			}
		}
		if notes == 0 || len(messages) != len(sent) {
			t.Errorf("seed %d: %d notes, messages %v, sent %v", seed, notes, messages, sent)
		}
	})
}

func TestMerge(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		a, b := o.ask(t, three, question("a", ours+"/a")), o.ask(t, four, question("b", ours+"/b", ours+"/a"))
		for name, other := range map[string]Case{
			"itself": a, "another TIN": o.ask(t, three, question("c", theirs+"/c")),
			"another office": o.ask(t, six, question("d", ours+"/a")),
			"no TIN":         o.ask(t, three, question("e")), "none": {Number: "C-2222-2222"},
		} {
			if _, err := o.Merge(t.Context(), isad, Seen{a.Number, a.Version}, other.Number); !problem.Is(err, problem.Invalid) {
				t.Errorf("merged with %s: %v", name, err)
			}
		}
		x, y := o.ask(t, three, question("x")), o.ask(t, head, question("y"))
		if _, err := o.Merge(t.Context(), isad, Seen{x.Number, 0}, y.Number); !problem.Is(err, problem.Invalid) {
			t.Errorf("merged with someone else's question without a TIN: %v", err)
		}
		merged, err := o.Merge(t.Context(), isad, Seen{b.Number, b.Version}, a.Number)
		if err != nil || merged.State != Merged {
			t.Fatalf("%+v, %v", merged, err)
		}
		into, err := o.ReadOwn(t.Context(), four, a.Number)
		if err != nil || len(into.Entries) != 3 || len(into.Bills) != 2 || into.Version != a.Version+1 {
			t.Errorf("%+v, %v", into, err)
		}
		from, err := o.ReadOwn(t.Context(), four, b.Number)
		if err != nil || from.MergedInto != a.Number || len(from.Entries) != 1 {
			t.Errorf("%+v, %v", from, err)
		}
		if _, err := o.Reply(t.Context(), four, b.Number, written("More.")); !problem.Is(err, problem.Conflict) {
			t.Errorf("a reply to a merged question: %v", err)
		}
		// A request that was repeated late returns the question, too.
		if again, err := o.Submit(t.Context(), four, question("b", ours+"/b", ours+"/a")); err != nil || again.Number != b.Number {
			t.Errorf("%+v, %v", again, err)
		}
	})
}

// A call is added to the office's open question about the bill, or is a case of its own.
func TestCalls(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		log := func(key string, group int64, pages ...string) (Case, []int64) {
			t.Helper()
			l, err := o.LogCall(ctx, isad, Call{key, pages, group})
			require.NoError(t, err)
			return l.Case, l.Offices
		}
		if c, offices := log("k1", 0, ours+"/a"); c.ID != 0 || !slices.Equal(offices, []int64{7, 8}) {
			t.Errorf("two offices have the TIN: %+v, %v", c, offices)
		}
		call, _ := log("k1", 7, ours+"/a", ours+"/b")
		if again, _ := log("k1", 7, ours+"/a", ours+"/b"); again.ID != call.ID || call.Kind != KindCall || call.State != Closed {
			t.Errorf("%+v, repeated %+v", call, again)
		}
		asked := o.ask(t, three, question("q", ours+"/a"))
		there, _ := log("k2", 7, ours+"/a")
		assert.Equalf(t, asked.ID, there.ID, "%+v, want the open question %+v", there, asked)
		thread, err := o.ReadOwn(ctx, three, asked.Number)
		if err != nil || len(thread.Entries) != 2 || thread.Contacts != 3 || !thread.Unread {
			t.Errorf("%+v, %v", thread, err)
		}
		if thread, err := o.ReadOwn(ctx, three, call.Number); err != nil || len(thread.Entries) != 1 || thread.Bills[1].Number != "B" {
			t.Errorf("%+v, %v", thread, err)
		}
		other := access.Actor{Person: access.Person{ID: 10}}
		if err := o.UndoCall(ctx, other, asked.Number, there.LastNetwork); !problem.Is(err, problem.Conflict) {
			t.Errorf("someone else's call: %v", err)
		}
		second, _ := log("k5", 7, ours+"/a")
		if again, err := o.LogCall(ctx, isad, Call{"k5", []string{ours + "/a"}, 7}); err != nil || again.Entry != second.LastNetwork {
			t.Errorf("repeated: %+v, %v", again, err)
		}
		if err := o.UndoCall(ctx, isad, asked.Number, there.LastNetwork); !problem.Is(err, problem.Conflict) ||
			!strings.Contains(err.Error(), "something was added after it") {
			t.Errorf("a call that another followed: %v", err)
		}
		assert.NoError(t, o.UndoCall(ctx, isad, asked.Number, second.LastNetwork))
		if err := o.UndoCall(ctx, isad, asked.Number, second.LastNetwork); !problem.Is(err, problem.Conflict) {
			t.Errorf("repeated, with a call before it: %v", err)
		}
		assert.NoError(t, o.UndoCall(ctx, isad, asked.Number, there.LastNetwork))
		if thread, err := o.ReadOwn(ctx, three, asked.Number); err != nil || len(thread.Entries) != 1 || thread.LastNetwork != 0 {
			t.Errorf("%+v, %v", thread, err)
		}
		if _, err := o.OpenQuestion(ctx, isad, Seen{asked.Number, 0}, 0); !problem.Is(err, problem.Conflict) {
			t.Errorf("a question of a question: %v", err)
		}
		opened, err := o.OpenQuestion(ctx, isad, Seen{call.Number, call.Version}, 4)
		if err != nil || opened.Kind != KindQuestion || opened.State != Open ||
			!opened.DueAt.Equal(o.hours.After(o.now, 4*time.Hour)) {
			t.Errorf("%+v, %v", opened, err)
		}
		if thread, err := o.OpenAtDesk(ctx, call.Number); err != nil || thread.Entries[1].Kind != Note ||
			thread.Entries[1].Body != "Promised to call the office back within 4 business hours." {
			t.Errorf("%+v, %v", thread, err)
		}
		if _, err := o.OpenQuestion(ctx, isad, Seen{call.Number, 0}, MaxCallback+1); !problem.Is(err, problem.Invalid) {
			t.Errorf("a call back in a week: %v", err)
		}
		plain, _ := log("k6", 8, ours+"/b")
		require.NoError(t, dbtest.Err(o.OpenQuestion(ctx, isad, Seen{plain.Number, 0}, 0)))
		if err := o.UndoCall(ctx, isad, plain.Number, plain.LastNetwork); !problem.Is(err, problem.Conflict) {
			t.Errorf("the call of an opened question: %v", err)
		}
		require.NoError(t, dbtest.Err(o.Withdraw(ctx, six, Seen{plain.Number, 0})))
		third, _ := log("k3", 8, ours+"/b")
		assert.NoError(t, o.UndoCall(ctx, isad, third.Number, third.LastNetwork))
		if _, err := o.OpenAtDesk(ctx, third.Number); !problem.Is(err, problem.NotFound) {
			t.Errorf("an undone call: %v", err)
		}
		fourth, _ := log("k4", 8, ours+"/b")
		o.now = o.now.Add(undoWithin + time.Second)
		if err := o.UndoCall(ctx, isad, fourth.Number, fourth.LastNetwork); !problem.Is(err, problem.Conflict) {
			t.Errorf("an older call: %v", err)
		}
		for name, call := range map[string]Call{
			"an office without the TIN": {"x", []string{ours + "/a"}, 99}, "no bill": {"x", []string{ours + "/none"}, 7},
			"two TINs": {"x", []string{ours + "/a", theirs + "/c"}, 7}, "nothing": {"x", nil, 7},
		} {
			if _, err := o.LogCall(ctx, isad, call); !problem.Is(err, problem.NotFound) && !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A call about several bills adds those that the open question isn't about yet, and undoing it removes
// them. A question that staff open from a call is one contact.
func TestCallAboutSeveralBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		asked := o.ask(t, three, question("q", ours+"/a"))
		l, err := o.LogCall(ctx, isad, Call{"k", []string{ours + "/a", ours + "/b"}, 7})
		if err != nil || l.Case.ID != asked.ID {
			t.Fatal(l, err)
		}
		numbers := func() (list []string) {
			thread, err := o.ReadOwn(ctx, three, asked.Number)
			require.NoError(t, err)
			for _, b := range thread.Bills {
				list = append(list, b.Number)
			}
			return list
		}
		assert.Equal(t, []string{"A", "B"}, numbers())
		var audited string
		if err := db.Get(ctx, d.Reader, &audited, `SELECT answered FROM audit_log WHERE operation = 'case-call'`); err != nil ||
			audited != `["A","B"]` {
			t.Errorf("audited %s, %v", audited, err)
		}
		require.NoError(t, o.UndoCall(ctx, isad, asked.Number, l.Entry))
		assert.Equal(t, []string{"A"}, numbers())
		require.NoError(t, dbtest.Err(o.Withdraw(ctx, three, Seen{asked.Number, 0})))
		call, err := o.LogCall(ctx, isad, Call{"alone", []string{ours + "/b"}, 7})
		require.NoError(t, err)
		require.NoError(t, dbtest.Err(o.OpenQuestion(ctx, isad, Seen{call.Case.Number, 0}, 0)))
		if thread, err := o.ReadOwn(ctx, three, call.Case.Number); err != nil || thread.Contacts != 1 {
			t.Errorf("%d contacts, %v", thread.Contacts, err)
		}
	})
}

// upload adds a picture of some pixels as a file.
func (o *desk) upload(t *testing.T, a access.Actor, name string, pixels int) File {
	t.Helper()
	f, err := o.tryUpload(t, a, name, pixels)
	require.NoError(t, err)
	return f
}

func (o *desk) tryUpload(t *testing.T, a access.Actor, name string, pixels int) (File, error) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		err = png.Encode(part, image.NewGray(image.Rect(0, 0, pixels, pixels)))
	}
	require.NoError(t, err)
	require.NoError(t, form.Close())
	r := httptest.NewRequest(http.MethodPost, "/", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	var sent httpapi.Form
	sent.Resolve(humago.NewContext(&huma.Operation{}, r, httptest.NewRecorder()))
	return o.AddFile(t.Context(), a, &sent)
}

// infected finds a virus in every file.
type infected struct{}

func (infected) Scan(context.Context, io.Reader) (virus string, err error) { return "Eicar", nil }

// A file with a virus isn't stored, and the audit log has an entry about it.
func TestFileWithVirus(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.uploads = spool.NewChecker(infected{})
		if _, err := o.tryUpload(t, three, "scan.png", 8); problem.From(err).Code != spool.VirusFound {
			t.Errorf("%v", err)
		}
		var entries, stored int
		if err := errors.Join(db.Get(t.Context(), d.Reader, &stored, `SELECT COUNT(*) FROM case_files`),
			db.Get(t.Context(), d.Reader, &entries, `SELECT COUNT(*) FROM audit_log WHERE operation = 'case-file-virus'`)); err != nil ||
			stored != 0 || entries != 1 {
			t.Errorf("%d files, %d audit entries, %v", stored, entries, err)
		}
	})
}

func TestFiles(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		f, note := o.upload(t, three, "../scan.png", 8), o.upload(t, isad, "note.png", 9)
		q := question("k", ours+"/a")
		for name, ids := range map[string][]int64{"someone else's": {f.ID, note.ID}, "unknown": {99}, "11": make([]int64, MaxFiles+1)} {
			q.Files = ids
			if _, err := o.Submit(ctx, three, q); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		q.Files = []int64{f.ID}
		c := o.ask(t, three, q)
		if again := o.ask(t, three, q); again.ID != c.ID {
			t.Errorf("repeated: %+v", again)
		}
		if _, err := o.Reply(ctx, three, c.Number, written("Again.", f.ID)); !problem.Is(err, problem.Invalid) {
			t.Errorf("a file of another message: %v", err)
		}
		more := written(q.Body, o.upload(t, three, "more.png", 5).ID)
		for range 2 { // with the same text, but another file, and then repeated
			assert.NoError(t, dbtest.Err(o.Reply(ctx, three, c.Number, more)))
		}
		require.NoError(t, dbtest.Err(o.AddNote(ctx, isad, Seen{c.Number, 0}, written("See there.", note.ID))))
		thread, err := o.ReadOwn(ctx, four, c.Number)
		if err != nil || len(thread.Files) != 2 || len(thread.Entries) != 2 || thread.Files[0].Name != "scan.png" ||
			thread.Files[0].MediaType != "image/png" {
			t.Errorf("%+v, %v", thread.Files, err)
		}
		got, content, err := o.OpenOwnFile(ctx, four, c.Number, f.ID)
		require.NoError(t, err)
		if read, err := io.ReadAll(content); err != nil || int64(len(read)) != got.Size || content.Close() != nil {
			t.Errorf("%d of %d bytes, %v", len(read), got.Size, err)
		}
		if _, _, err := o.OpenOwnFile(ctx, three, c.Number, note.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("the file of a note: %v", err)
		}
		if _, _, err := o.OpenOwnFile(ctx, six, c.Number, f.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("another office: %v", err)
		}
		if _, _, err := o.OpenDeskFile(ctx, isad, c.Number, 99); !problem.Is(err, problem.NotFound) {
			t.Errorf("no such file: %v", err)
		}
		identitytest.SetTINs(t, d.Writer, four.Person)
		if _, _, err := o.OpenOwnFile(ctx, four, c.Number, f.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("without the TIN: %v", err)
		}
		if _, content, err := o.OpenDeskFile(ctx, isad, c.Number, note.ID); err != nil || content.Close() != nil {
			t.Errorf("staff: %v", err)
		}

		unsent := o.upload(t, three, "unsent.png", 7)
		o.files = storeWithoutRows{o.files, t, d}
		o.now = o.now.Add(unsentHours*time.Hour + time.Second)
		require.NoError(t, o.Cleanup(ctx))
		assert.Error(t, dbtest.Err(o.files.Open(ctx, unsent.StorageKey)), "a file that wasn't sent remains")
		names, err := o.knownFiles(ctx, []string{strings.TrimPrefix(f.StorageKey, fileFolder),
			strings.TrimPrefix(unsent.StorageKey, fileFolder)})
		assert.NoError(t, err)
		assert.Len(t, names, 1)
	})
}

// storeWithoutRows checks that no row has a deleted file, and that no transaction waits for it.
type storeWithoutRows struct {
	blob.Store
	t *testing.T
	d *db.DB
}

func (s storeWithoutRows) Delete(ctx context.Context, key string) error {
	if found, err := listStored(ctx, s.d.Reader, []string{key}); err != nil || len(found) > 0 {
		s.t.Errorf("%s has a row while it's deleted: %v", key, err)
	}
	return s.Store.Delete(ctx, key)
}

// A repeated request stores its entry once, also after another entry or a merge. It changes nothing else.
func TestRepeatedEntries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c := o.ask(t, three, question("k"))
		want := func(count int, state State) {
			t.Helper()
			thread, err := o.ReadOwn(t.Context(), three, c.Number)
			if err != nil || len(thread.Entries) != count || thread.State != state {
				t.Errorf("%d entries of a question that is %s, want %d, %s; %v", len(thread.Entries), thread.State, count, state, err)
			}
		}
		more := written("More.")
		reply := func(w Written) error {
			_, err := o.Reply(t.Context(), three, c.Number, w)
			return err
		}
		answer := written("By contract.")
		answered := func() error {
			_, err := o.AnswerCase(t.Context(), isad, Seen{c.Number, c.Version + 1}, answer)
			return err
		}
		require.NoError(t, errors.Join(reply(more), answered(), answered(), reply(more)))
		want(3, Answered)
		if err := reply(Written{RequestKey: more.RequestKey, Body: "Less."}); !problem.Is(err, problem.Conflict) {
			t.Errorf("the key of another text: %v", err)
		}
		if err := reply(Written{Body: "More."}); !problem.Is(err, problem.Invalid) {
			t.Errorf("without a key: %v", err)
		}
		if err := reply(written("More.")); err != nil { // deliberately
			t.Fatal(err)
		}
		want(4, Open)
		into := o.ask(t, three, question("other"))
		require.NoError(t, dbtest.Err(o.Merge(t.Context(), isad, Seen{c.Number, 0}, into.Number)))
		assert.NoError(t, errors.Join(reply(more), answered()))
		assert.NoError(t, dbtest.Err(o.Reply(t.Context(), three, into.Number, more)))
	})
}

// setSizes sets the stored sizes of files.
func (o *desk) setSizes(t *testing.T, size int64, list ...File) {
	t.Helper()
	for _, f := range list {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), o.db.Writer, `UPDATE case_files SET size = $1 WHERE id = $2`, size, f.ID)))
	}
}

// Files have up to 100 MB per message, and 500 MB per question and among a user's unsent ones.
func TestSizesOfFilesAreLimited(t *testing.T) {
	const mb = 1 << 20
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		first, second := o.upload(t, three, "a.png", 8), o.upload(t, three, "b.png", 9)
		q := question("k", ours+"/a")
		q.Files = []int64{first.ID, second.ID}
		o.setSizes(t, 50*mb, first)
		o.setSizes(t, 50*mb+1, second)
		wantRefused := func(what string, err error, message string) {
			t.Helper()
			p := problem.From(err)
			if !problem.Is(err, problem.Invalid) || len(p.Fields) != 1 || p.Fields[0].Message != message {
				t.Errorf("%s: %v", what, err)
			}
		}
		_, err := o.Submit(ctx, three, q)
		wantRefused("a question", err, "Attach up to 100 MB.")
		o.setSizes(t, 50*mb, second)
		c := o.ask(t, three, q)

		large, small := o.upload(t, three, "c.png", 5), o.upload(t, three, "d.png", 6)
		o.setSizes(t, 100*mb, large)
		o.setSizes(t, 1, small)
		_, err = o.Reply(ctx, three, c.Number, written("More.", large.ID, small.ID))
		wantRefused("a reply", err, "Attach up to 100 MB.")
		o.setSizes(t, 200*mb, first, second)
		assert.NoError(t, dbtest.Err(o.Reply(ctx, three, c.Number, written("More.", large.ID))))
		_, err = o.Reply(ctx, three, c.Number, written("More.", small.ID))
		wantRefused("more than 500 MB of a question", err, "A question can have files of up to 500 MB.")

		// The unsent file fills the limit together with the next one.
		next := o.upload(t, three, "e.png", 7)
		o.setSizes(t, 500*mb-1-next.Size, small)
		if _, err := o.tryUpload(t, three, "f.png", 7); !problem.Is(err, problem.TooLarge) {
			t.Errorf("more than 500 MB unsent: %v", err)
		}
		o.setSizes(t, 500*mb-2*next.Size, small)
		assert.NoError(t, dbtest.Err(o.tryUpload(t, three, "f.png", 7)))
		assert.NoError(t, dbtest.Err(o.tryUpload(t, four, "g.png", 7)))
	})
}
