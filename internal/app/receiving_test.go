package app_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/spreadsheet/spreadsheettest"
	"wcpp/internal/rosters"
)

// deskRosters returns a page of all groups' rosters.
func (p *portal) deskRosters(token option, filters map[string]string) (list []rosters.DeskRoster) {
	p.t.Helper()
	r := p.post("/desk/rosters/page", fields{"table": fields{"page": 0, "pageSize": 50, "filters": filters}}, token)
	p.want(r, 200, "")
	var page struct {
		Rows  []rosters.DeskRoster
		Count int
	}
	r.into(p.t, &page)
	assert.Equal(p.t, len(page.Rows), page.Count)
	return page.Rows
}

// The network sees rosters from every group with their changes. It receives, completes or
// returns them, and the sender sees the status.
func TestRosterReceiving(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterMail = "rosters@network.example" }, func(t *testing.T, p *portal) {
		p.sources()
		road, isad := p.signIn("road"), bearer(p.signIn("isad"))
		send := func(change fields, files ...sent) (id int64) {
			t.Helper()
			r := p.roster(road, "upload", change, files...)
			p.want(r, 200, "")
			var made struct{ LogID int64 }
			r.into(t, &made)
			return made.LogID
		}
		first := send(nil, sent{"first.csv", makeCSV(4, "8145550100")})
		if m := p.only("rosters@network.example", "A roster was sent"); !strings.Contains(m.Text, "sent a full roster of edgewater") ||
			!strings.Contains(m.Text, "/wcpp/desk/rosters") || strings.Contains(m.Text, validNPIs[0]) {
			t.Errorf("%s", m.Text)
		}
		// Two change, one is new, one ends.
		changed := strings.Replace(makeCSV(3, "8145550199"), "8145550199", "8145550100", 1) +
			strings.SplitAfter(makeCSV(5, "8145550100"), "\n")[5]
		second := send(fields{"confirmed": "true"}, sent{"second.csv", changed}, sent{"letter.pdf", "not a table"})
		third := send(nil, sent{"third.csv", strings.ReplaceAll(makeCSV(4, "8145550100"), "PA", "ZZ")})
		p.inbox("rosters@network.example")

		list := p.deskRosters(isad, nil)
		if len(list) != 3 || list[0].ID != third || list[2].ID != first {
			t.Fatalf("%+v", list)
		}
		if c := list[2].Changes; c == nil || *c != (rosters.Compared{Added: 4}) {
			t.Errorf("the first: %+v", c)
		}
		if list[1].Changes != nil { // its files include a letter
			t.Errorf("the second: %+v", list[1].Changes)
		}
		fourth := send(fields{"confirmed": "true"}, sent{"fourth.csv", changed})
		p.inbox("rosters@network.example")
		r := p.do("GET", fmt.Sprintf("/api/desk/rosters/%d", fourth), nil, isad)
		p.want(r, 200, "")
		var opened rosters.DeskRosterOpened
		r.into(t, &opened)
		if o := opened.Roster; o.Changes == nil || *o.Changes != (rosters.Compared{Before: 4, Added: 1, Changed: 2, Ended: 1}) ||
			o.Group == "" || o.Source != "lakes Hub" ||
			o.ProviderGroup != "edgewater" || o.SentBy != "road" || o.Receiving.State != rosters.New || len(opened.Checks) != 1 ||
			opened.Checks[0].Rows != 4 {
			t.Errorf("%+v %+v", o, opened.Checks)
		}
		changes := func(id int64, filters map[string]string) string {
			r := p.post(fmt.Sprintf("/desk/rosters/%d/changes", id), fields{"table": fields{"page": 0, "pageSize": 50, "filters": filters}},
				isad)
			p.want(r, 200, "")
			return string(r.body)
		}
		if got := changes(fourth, nil); !strings.Contains(got, `"count":4`) ||
			!strings.Contains(got, fmt.Sprintf(`{"npi":"%s","change":"ENDED"}`, validNPIs[3])) ||
			!strings.Contains(got, fmt.Sprintf(`{"npi":"%s","change":"ADDED"}`, validNPIs[4])) {
			t.Errorf("%s", got)
		}
		assert.Contains(t, changes(fourth, map[string]string{"change": "end"}), `"count":1`)
		assert.Contains(t, changes(first, nil), `"count":0`)
		for filter, want := range map[string]int{"sender": 4, "type": 4, "state": 4} {
			value := map[string]string{"sender": "road", "type": "full", "state": "new"}[filter]
			assert.Lenf(t, p.deskRosters(isad, map[string]string{filter: value}), want, "%s %q", filter, value)
		}

		handle := func(id int64, from, to, reason string) reply {
			return p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", id), fields{"seen": from, "state": to, "reason": reason}, isad)
		}
		p.want(handle(first, "NEW", "TAKEN", ""), 200, "")
		p.want(handle(first, "NEW", "RETURNED", "Two people at once"), 409, "isad changed this roster to Claimed. Reload the page.")
		p.want(handle(first, "TAKEN", "DONE", ""), 200, "")
		p.want(handle(first, "DONE", "RETURNED", "too late"), 400, "A roster that is Done can't change to Returned.")
		p.want(handle(second, "NEW", "RETURNED", ""), 400, "")
		p.want(handle(second, "NEW", "RETURNED", "the row of 123-45-6789 is wrong"), 400, "")
		p.want(handle(second, "NEW", "RETURNED", strings.Repeat("x", 501)), 400, "")
		p.want(handle(second, "NEW", "TAKEN", "because"), 400, "")
		p.want(handle(99999, "NEW", "TAKEN", ""), 404, "")
		p.want(p.do("GET", "/api/desk/rosters/99999", nil, isad), 404, "")
		p.inbox("road@example.com")
		r = handle(second, "NEW", "RETURNED", "The letter is no roster. Send the table alone.")
		p.want(r, 200, "")
		if m := p.only("road@example.com", "Your roster was returned"); !strings.Contains(string(r.body), `"mailed":true`) ||
			!strings.Contains(m.Text, "Send the table alone.") {
			t.Errorf("%s %s", r.body, m.Text)
		}
		p.want(handle(second, "RETURNED", "NEW", ""), 400, "")
		// Former users get no email, and the desk shows that.
		p.exec(`UPDATE users SET status_cd = 'TERM' WHERE user_name = 'road'`)
		r = handle(third, "NEW", "RETURNED", "There is no state of these letters.")
		p.want(r, 200, "")
		if !strings.Contains(string(r.body), `"mailed":false`) || len(p.inbox("road@example.com")) != 0 {
			t.Errorf("%s", r.body)
		}
		p.exec(`UPDATE users SET status_cd = 'ACTIV' WHERE user_name = 'road'`)
		assert.Equal(t, 4, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'roster-handle' AND result = 'ok'`))
		var history struct{ Rows []rosters.RosterUploadLog }
		p.post("/roster/uploadLogs/page", fields{"groupId": p.groupOf("road"), "table": fields{"page": 0, "pageSize": 10}},
			bearer(p.signIn("road"))).into(t, &history)
		var said []string
		for _, u := range history.Rows {
			said = append(said, fmt.Sprintf("%d %s %s", u.LogID, u.Receiving.State, u.Receiving.Reason))
		}
		if want := []string{
			fmt.Sprintf("%d NEW ", fourth), fmt.Sprintf("%d RETURNED There is no state of these letters.", third),
			fmt.Sprintf("%d RETURNED The letter is no roster. Send the table alone.", second), fmt.Sprintf("%d DONE ", first),
		}; !slices.Equal(said, want) {
			t.Errorf("%q", said)
		}
		if b, err := p.Rosters.CountWaiting(t.Context()); err != nil || b.Count != 1 || !b.Since.Equal(p.clock.Now()) {
			t.Errorf("%+v, %v", b, err)
		}

		for _, who := range []string{"irad", "road", "rous", "prad", "prus", "nnus"} {
			token := bearer(p.signIn(who))
			for _, call := range []reply{
				p.post("/desk/rosters/page", fields{"table": fields{"page": 0, "pageSize": 10}}, token),
				p.do("GET", fmt.Sprintf("/api/desk/rosters/%d", first), nil, token),
				p.post(fmt.Sprintf("/desk/rosters/%d/changes", first), fields{"table": fields{"page": 0, "pageSize": 10}}, token),
				p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", fourth), fields{"seen": "NEW", "state": "TAKEN"}, token),
			} {
				p.want(call, http.StatusForbidden, "")
			}
		}
	})
}

// dying fails after a number of steps, like a killed program.
type dying struct {
	blob.Store
	left int
}

var errEnded = errors.New("ended")

func (d *dying) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if d.left--; d.left < 0 {
		return errEnded
	}
	return d.Store.Put(ctx, key, write)
}

// A roster is delivered completely and once, whenever the program stops and however many
// instances run.
func TestRosterHandOver(t *testing.T) {
	dir := t.TempDir()
	each(t, func(c *app.Config) { c.Rosters.RosterOut = "file://" + dir }, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		contents := []string{makeCSV(5, "8145550100"), makeCSV(2, "8145550100"), "a letter"}
		for n := range 4 {
			p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"all of them.CSV", contents[0]},
				sent{fmt.Sprintf("part %d.csv", n), contents[1]}, sent{"../letter.p?f", contents[2]}), 200, "")
		}
		out, err := blob.Open(t.Context(), "", dir)
		require.NoError(t, err)
		for kills := 0; ; kills++ { // each time it gets one step further
			p.HandRostersTo(&dying{out, kills})
			err := p.Rosters.HandOver(t.Context())
			if err == nil {
				break
			}
			require.ErrorIs(t, err, errEnded)
			require.LessOrEqual(t, kills, 40)
		}
		p.HandRostersTo(out)
		p.want(p.roster(road, "upload", nil, sent{"last.csv", contents[0]}), 200, "")
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				assert.NoError(t, p.Rosters.HandOver(t.Context()))
			})
		}
		wait.Wait()
		manifests := 0
		err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || e.Name() != "manifest.json" {
				return err
			}
			manifests++
			j, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			var m rosters.Manifest
			if err := json.Unmarshal(j, &m); err != nil {
				return err
			}
			if m.Roster == 0 || m.Group == "" || m.Source != "lakes Hub" || m.ProviderGrpID != "G1" || m.SentBy != "road" {
				t.Errorf("%s", j)
			}
			for _, f := range m.Files {
				content, err := os.ReadFile(filepath.Join(filepath.Dir(path), f.File))
				if sum := sha256.Sum256(content); err != nil || hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(content)) != f.Size {
					t.Errorf("%s: %v", f.File, err)
				}
			}
			return nil
		})
		assert.NoError(t, err)
		assert.Equal(t, 5, manifests)
		assert.Equal(t, 5, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'roster-hand-over'`))
		// A file that differs from the upload isn't delivered and doesn't block other rosters.
		p.want(p.roster(road, "upload", nil, sent{"bad.csv", contents[0]}), 200, "")
		p.exec(`UPDATE roster_files SET sha256 = 'x' WHERE upload_id = (SELECT max(id) FROM roster_uploads)`)
		p.want(p.roster(road, "upload", nil, sent{"good.csv", contents[0]}), 200, "")
		if err := p.Rosters.HandOver(t.Context()); err == nil || !strings.Contains(err.Error(), "has a wrong checksum") {
			t.Errorf("%v", err)
		}
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM roster_uploads WHERE handed_at IS NULL`))
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil { // for the other engine
			t.Fatal(err)
		}
	})
}

// With updates turned off, a roster whose update waits can be released, and the update is canceled.
func TestRosterIsReleasedWithUpdatesOff(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road, isad := p.signIn("road"), bearer(p.signIn("isad"))
		p.want(p.roster(road, "upload", fields{"confirmed": "true", "groupId": "G1"}, sent{"all.csv", rosterHead}), 200, "")
		p.exec(`UPDATE roster_uploads SET handling = 'TAKEN', directory_state = 'WAITING'`)
		p.want(p.do("PUT", "/api/desk/rosters/1", fields{"seen": "TAKEN", "state": "NEW"}, isad), 200, "")
		if n := p.count(`SELECT count(*) FROM roster_uploads WHERE handling = 'NEW' AND directory_state = ''`); n != 1 {
			t.Error("the update wasn't canceled")
		}
	})
}

// A complete full roster updates the directory when it's received. Its rows are added, and
// earlier roster rows that it lacks are removed. Imported data stays.
func TestRosterUpdatesDirectory(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterUpdates = true }, func(t *testing.T, p *portal) {
		p.sources()
		road, isad := p.signIn("road"), bearer(p.signIn("isad"))
		for n, npi := range validNPIs[:4] { // the fifth isn't in the directory
			p.exec(`INSERT INTO providers (provider_id, provider_type, npi, name_key)
				VALUES ($1, 'P', $2, 'hand')`, fmt.Sprintf("5000000%d", n), npi)
		}
		p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('987654321', '50000000')`) // from an imported file
		send := func(group, content string) (id int64) {
			t.Helper()
			r := p.roster(road, "upload", fields{"confirmed": "true", "groupId": group}, sent{"all.csv", content})
			p.want(r, 200, "")
			var made struct{ LogID int64 }
			r.into(t, &made)
			return made.LogID
		}
		ask := func(id int64) reply { return p.post(fmt.Sprintf("/desk/rosters/%d/directory", id), nil, isad) }
		take := func(id int64) {
			t.Helper()
			p.want(p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", id), fields{"seen": "NEW", "state": "TAKEN"}, isad), 200, "")
		}
		update := func(id int64) rosters.DeskRosterDirectory {
			t.Helper()
			take(id)
			p.want(ask(id), 204, "")
			for range 2 { // the second time there's nothing to do
				require.NoError(t, p.Rosters.UpdateDirectory(t.Context()))
			}
			var o rosters.DeskRosterOpened
			p.do("GET", fmt.Sprintf("/api/desk/rosters/%d", id), nil, isad).into(t, &o)
			return *o.Roster.Directory
		}
		state := func() string {
			return fmt.Sprintf("%d TINs, %d offices, %d listings", p.count(`SELECT count(*) FROM provider_tins WHERE ftin = '987654321'`),
				p.count(`SELECT count(*) FROM provider_offices`), p.count(`SELECT count(*) FROM provider_listings`))
		}
		first := send("G1", makeCSV(5, "8145550100"))
		p.want(ask(first), 409, "Claim the roster first.")
		assert.Equal(t, rosters.DeskRosterDirectory{State: rosters.Updated, Rows: 5, Unknown: 1}, update(first))
		assert.Equal(t, "4 TINs, 4 offices, 4 listings", state())
		p.want(ask(first), 409, "The directory has already been updated from this roster.")
		// Another provider group lists two of them at the same TIN.
		update(send("G2", makeCSV(2, "8145550100")))
		assert.Equal(t, "4 TINs, 6 offices, 6 listings", state())
		late := send("G1", makeCSV(3, "8145550100"))
		// No provider remains in the first group. One stays because of a file, one because of
		// the other group.
		if got := update(send("G1", rosterHead+
			",1003000142,987654321,Hand,Lee,4 Shore Rd,Erie,PA,16501,8145550100,01/05/2026,\n")); got.Ended != 4 || got.Unknown != 1 {
			t.Errorf("%+v", got)
		}
		assert.Equal(t, "2 TINs, 2 offices, 2 listings", state())
		take(late)
		p.want(ask(late), 409, "A newer roster for this provider group has already updated the directory, or is doing so now.")
		// An ended listing, and a roster with a problem.
		if got := update(send("G2", strings.Replace(makeCSV(2, "8145550100"), "01/05/2026,", "01/05/2025,02/01/2026", 1))); got.Ended !=
			1 ||
			got.Rows != 2 {
			t.Errorf("%+v", got)
		}
		bad := send("G2", strings.Replace(makeCSV(2, "8145550100"), "PA", "ZZ", 1))
		take(bad)
		p.want(ask(bad), 409, "Only a full roster without problems can update the directory.")
		// Rows of which some weren't read, or none exist.
		var cells [][]any
		for line := range strings.Lines(makeCSV(1, "8145550100")) {
			var row []any
			for _, cell := range strings.Split(strings.TrimSpace(line), ",") {
				row = append(row, cell)
			}
			cells = append(cells, row)
		}
		book := spreadsheettest.Book(t, cells...)
		for name, content := range map[string]string{"two sheets.xlsx": string(book), "headings.csv": rosterHead} {
			p.want(p.roster(road, "upload", fields{"confirmed": "true", "groupId": "G2"}, sent{name, content}), 200, "")
			unread := int64(p.count(`SELECT max(id) FROM roster_uploads`))
			take(unread)
			p.want(ask(unread), 409, "Only a full roster without problems can update the directory.")
			if list := p.deskRosters(isad, map[string]string{"files": name}); len(list) != 1 || list[0].Directory != nil {
				t.Errorf("%s: %+v", name, list)
			}
		}
		p.want(ask(99999), 404, "")
		p.want(p.post(fmt.Sprintf("/desk/rosters/%d/directory", first), nil, bearer(p.signIn("irad"))), 403, "")
		assert.Equal(t, "2 TINs, 1 offices, 1 listings", state())
	})
}

// An update whose files can't be read like in their check fails with a reason, and no listing ends. The
// roster can be requested again, and returned.
func TestRosterUpdateReadsAllRows(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterUpdates = true }, func(t *testing.T, p *portal) {
		p.sources()
		road, isad := p.signIn("road"), bearer(p.signIn("isad"))
		for n, npi := range validNPIs {
			p.exec(`INSERT INTO providers (provider_id, provider_type, npi, name_key)
				VALUES ($1, 'P', $2, 'hand')`, fmt.Sprintf("5000000%d", n), npi)
		}
		ask := func(content string) (id int) {
			t.Helper()
			p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"all.csv", content}), 200, "")
			id = p.count(`SELECT max(id) FROM roster_uploads`)
			p.want(p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", id), fields{"seen": "NEW", "state": "TAKEN"}, isad), 200, "")
			p.want(p.post(fmt.Sprintf("/desk/rosters/%d/directory", id), nil, isad), 204, "")
			return id
		}
		directory := func(id int) rosters.DeskRosterDirectory {
			t.Helper()
			var o rosters.DeskRosterOpened
			p.do("GET", fmt.Sprintf("/api/desk/rosters/%d", id), nil, isad).into(t, &o)
			return *o.Roster.Directory
		}
		first := ask(makeCSV(5, "8145550100"))
		require.NoError(t, p.Rosters.UpdateDirectory(t.Context()))
		id := ask(makeCSV(4, "8145550100"))
		for name, content := range map[string]string{
			"unreadable": "\x00", "only headings": rosterHead, "fewer rows": makeCSV(3, "8145550100"),
			"a row with a problem": strings.Replace(makeCSV(4, "8145550100"), "PA", "ZZ", 1),
		} {
			p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"other.csv", content}), 200, "")
			p.exec(`UPDATE roster_files SET storage_key = $1 WHERE upload_id = $2`,
				fmt.Sprintf("rosters/%d/1", p.count(`SELECT max(id) FROM roster_uploads`)), id)
			if err := p.Rosters.UpdateDirectory(t.Context()); err == nil || !strings.Contains(err.Error(), "file 1") {
				t.Errorf("%s: %v", name, err)
			}
			if d := directory(id); d.State != rosters.NotAsked || d.Rows != 0 || !strings.Contains(d.Problem, "of 4 rows were read") {
				t.Errorf("%s: %+v", name, d)
			}
			p.want(p.post(fmt.Sprintf("/desk/rosters/%d/directory", id), nil, isad), 204, "")
			if d := directory(id); d.State != rosters.Updating || d.Problem != "" {
				t.Errorf("%s, requested again: %+v", name, d)
			}
			if n := p.count(`SELECT count(*) FROM provider_listings`); n != 5 {
				t.Errorf("%s: %d listings", name, n)
			}
		}
		p.exec(`UPDATE roster_files SET storage_key = $1 WHERE upload_id = $2`, fmt.Sprintf("rosters/%d/1", id), id)
		assert.NoError(t, p.Rosters.UpdateDirectory(t.Context()))
		assert.Equal(t, 4, p.count(`SELECT count(*) FROM provider_listings`))
		id = ask(makeCSV(3, "8145550100"))
		p.exec(`UPDATE roster_files SET storage_key = $1 WHERE upload_id = $2`, fmt.Sprintf("rosters/%d/1", first), id)
		assert.Error(t, p.Rosters.UpdateDirectory(t.Context()), "the rows of another file were used")
		p.want(p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", id),
			fields{"seen": "TAKEN", "state": "RETURNED", "reason": "Two files"}, isad), 200, "")
	})
}

// makeLongCSV returns a roster with a provider at n TINs.
func makeLongCSV(n int) string {
	var b strings.Builder
	b.WriteString(rosterHead)
	for n := range n {
		fmt.Fprintf(&b, ",%s,%09d,Hand,Lee,%d Shore Rd,Erie,PA,16501,8145550100,01/05/2026,\n", validNPIs[0], 300000000+n, n)
	}
	return b.String()
}

// A problem after the first batch, here in the second file, leaves no row of the roster in the directory.
func TestRosterUpdateStoresAllRowsOrNone(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterUpdates = true }, func(t *testing.T, p *portal) {
		p.sources()
		road, isad := p.signIn("road"), bearer(p.signIn("isad"))
		p.exec(`INSERT INTO providers (provider_id, provider_type, npi, name_key) VALUES ('50000000', 'P', $1, 'hand')`, validNPIs[0])
		second := makeCSV(1, "8145550100")
		p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"all.csv", makeLongCSV(250)}, sent{"more.csv", second}), 200, "")
		id := p.count(`SELECT max(id) FROM roster_uploads`)
		p.want(p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", id), fields{"seen": "NEW", "state": "TAKEN"}, isad), 200, "")
		p.want(p.post(fmt.Sprintf("/desk/rosters/%d/directory", id), nil, isad), 204, "")
		p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"bad.csv", strings.Replace(second, "PA", "ZZ", 1)}), 200, "")
		p.exec(`UPDATE roster_files SET storage_key = $1 WHERE upload_id = $2 AND number = 2`, fmt.Sprintf("rosters/%d/1", id+1), id)
		assert.ErrorContains(t, p.Rosters.UpdateDirectory(t.Context()), "file 2")
		assert.Zero(t, p.count(`SELECT count(*) FROM provider_listings`))
	})
}

// A directory update from a roster can be interrupted anywhere, and can run twice at the same
// time.
func TestRosterUpdateStopped(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterUpdates = true }, func(t *testing.T, p *portal) {
		p.sources()
		road, isad := p.signIn("road"), bearer(p.signIn("isad"))
		p.exec(`INSERT INTO providers (provider_id, provider_type, npi, name_key) VALUES ('50000000', 'P', $1, 'hand')`, validNPIs[0])
		update := func(content string) {
			t.Helper()
			p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"all.csv", content}), 200, "")
			id := p.count(`SELECT max(id) FROM roster_uploads`)
			p.want(p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", id), fields{"seen": "NEW", "state": "TAKEN"}, isad), 200, "")
			p.want(p.post(fmt.Sprintf("/desk/rosters/%d/directory", id), nil, isad), 204, "")
			stopped := 0
			for p.count(`SELECT count(*) FROM roster_uploads WHERE directory_state = 'WAITING'`) > 0 {
				ctx, stop := context.WithCancel(t.Context())
				p.StopListingAfter(3, stop)
				var wait sync.WaitGroup
				for range 2 {
					wait.Go(func() {
						if err := p.Rosters.UpdateDirectory(ctx); err != nil && ctx.Err() == nil {
							t.Error(err)
						}
					})
				}
				wait.Wait()
				stop()
				if stopped++; stopped > 100 {
					t.Fatal("it gets no further")
				}
			}
		}
		update(makeLongCSV(700))
		if n, m := p.count(`SELECT count(*)
			FROM provider_listings`), p.count(`SELECT directory_rows FROM roster_uploads ORDER BY id DESC LIMIT 1`); n != 700 || m != 700 {
			t.Errorf("%d listings of %d rows", n, m)
		}
		update(rosterHead + fmt.Sprintf(",%s,300000000,Hand,Lee,0 Shore Rd,Erie,PA,16501,8145550100,01/05/2026,\n", validNPIs[0]))
		if n, tins, m := p.count(`SELECT count(*)
			FROM provider_listings`), p.count(`SELECT count(*)
				FROM provider_tins`), p.count(`SELECT directory_ended FROM roster_uploads ORDER BY id DESC
					LIMIT 1`); n != 1 || tins != 1 || m != 699 {
			t.Errorf("%d listings, %d TINs, %d ended", n, tins, m)
		}
	})
}
