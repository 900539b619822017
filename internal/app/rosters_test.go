package app_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/health"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/clamd/clamdtest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/rosters"
)

// sources adds three sources. The first has two groups and the last none. The group of road gets
// the first.
func (p *portal) sources() {
	p.t.Helper()
	p.inTx(func(tx *sql.Tx) error {
		for _, s := range []rosters.Source{{SourceID: 201, Name: "lakes Hub"}, {SourceID: 202, Name: "Prairie Hub"},
			{SourceID: 203, Name: "Coast Hub"}} {
			if _, err := rosters.ImportSource(p.t.Context(), tx, s); err != nil {
				return err
			}
		}
		for _, g := range []rosters.SourceGroup{
			{SourceGroupID: 20102, SourceID: 201, GroupID: "G2", Name: "Valley Physicians"},
			{SourceGroupID: 20101, SourceID: 201, GroupID: "G1", Name: "edgewater", IsAdmin: true},
			{SourceGroupID: 20201, SourceID: 202, GroupID: "20201"},
		} {
			if o, err := rosters.ImportSourceGroup(p.t.Context(), tx, g); err != nil || o.Reason() != "" {
				return fmt.Errorf("%s %w", o.Reason(), err)
			}
		}
		_, err := p.Rosters.ImportGroupSource(p.t.Context(), tx, rosters.GroupSource{GroupID: p.groupOf("road"), SourceID: 201})
		return err
	})
}

func TestRosterSources(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		group := p.groupOf("road")
		get := func(actor, path string) reply { return p.do("GET", "/api/roster/"+path, nil, bearer(p.tokenOf(actor))) }
		body := func(r reply) string { return strings.TrimSpace(string(r.body)) }

		if got := body(get("prad", "sources")); got !=
			`[{"sourceId":203,"sourceName":"Coast Hub"},{"sourceId":201,"sourceName":"lakes Hub"},{"sourceId":202,`+
				`"sourceName":"Prairie Hub"}]` {
			t.Errorf("sources: %s", got)
		}
		of201 := `{"sourceGroupId":20101,"grpName":"edgewater","grpId":"G1","sourceId":201,"adminGroupFlag":"Y"},` +
			`{"sourceGroupId":20102,"grpName":"Valley Physicians","grpId":"G2","sourceId":201,"adminGroupFlag":"N"}`
		if got := body(get("irad", "sourceGroups")); got !=
			`[{"sourceGroupId":20201,"grpName":"","grpId":"20201","sourceId":202,"adminGroupFlag":"N"},`+of201+`]` {
			t.Errorf("source groups: %s", got)
		}
		for _, actor := range []string{"road", "isad", "irad"} {
			assert.Equalf(t, `[201]`, body(get(actor, fmt.Sprintf("source/group/%d", group))), "%s: sources of the group", actor)
			if got := body(get(actor, fmt.Sprintf("sourceGroup/%d", group))); got != `[`+of201+`]` {
				t.Errorf("%s: source groups of the group: %s", actor, got)
			}
		}
		for _, actor := range []string{"rous", "prad"} { // in other groups
			p.want(get(actor, fmt.Sprintf("source/group/%d", group)), 404, "")
			p.want(get(actor, fmt.Sprintf("sourceGroup/%d", group)), 404, "")
		}
		p.want(get("prus", "sources"), 403, "")
		p.want(get("nnus", "sourceGroups"), 403, "")

		change := func(actor, what string, group, source int64) reply {
			return p.post(fmt.Sprintf("/roster/user/group/%sSource?groupId=%d&sourceId=%d", what, group, source), nil,
				bearer(p.tokenOf(actor)))
		}
		p.want(change("road", "add", group, 202), 204, "")
		p.want(change("isad", "add", group, 202), 409,
			`Error: The Roster Hub Source "Prairie Hub" is already associated with this Portal User Group.`)
		p.want(change("road", "add", group, 999), 404, "Error: The source was not found.")
		p.want(change("road", "add", p.groupOf("rous"), 202), 404, "") // not the user's group
		p.want(change("isad", "add", p.groupOf("prad"), 202), 409, "Only roster groups can have roster hub sources.")
		p.want(change("isad", "add", 999_999, 202), 404, "")
		for _, actor := range []string{"rous", "irad", "prad", "prus", "nnus", "isad>prad"} {
			p.want(change(actor, "add", group, 203), 403, "")
			p.want(change(actor, "remove", group, 201), 403, "")
		}
		p.want(change("isad", "remove", group, 201), 204, "")
		p.want(change("road", "remove", group, 201), 204, "") // a colleague was faster
		assert.Equal(t, `[202]`, body(get("road", fmt.Sprintf("source/group/%d", group))))
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation IN ('roster-source-add', 'roster-source-remove')
			AND result = 'ok'`); n != 3 {
			t.Errorf("%d audit entries", n)
		}

		// If two administrators add the same source at the same time, only one succeeds.
		done := map[int]int{}
		var mu sync.Mutex
		var wait sync.WaitGroup
		tokens := []string{p.signIn("road"), p.signIn("isad")}
		for n := range 8 {
			wait.Go(func() {
				r := p.post(fmt.Sprintf("/roster/user/group/addSource?groupId=%d&sourceId=203", group), nil, bearer(tokens[n%2]))
				mu.Lock()
				defer mu.Unlock()
				done[r.status]++
			})
		}
		wait.Wait()
		if done[204] != 1 || done[409] != 7 {
			t.Errorf("at once: %v", done)
		}
	})
}

func TestGroupList(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road, prad := p.groupOf("road"), p.groupOf("prad")
		p.exec(`UPDATE groups SET status_cd = 'LOCK' WHERE id = $1`, road)
		token := p.signIn("irad")
		type group struct {
			GroupInfoID                        int64
			GroupTypeCd, StatusCd, CreatedDate string
			GroupRosterSources                 []struct {
				SourceID   int64
				SourceName string
			}
		}
		search := func(body fields) reply { return p.post("/admin/groupList", body, bearer(token)) }
		for _, c := range []struct {
			by   fields
			want int64
		}{
			{fields{"portalUserGroupId": fmt.Sprint(road)}, road}, {fields{"rosterHubSource": "201"}, road},
			{fields{"providerHubGroupId": "20102"}, road}, {fields{"providerHubGroupId": " g2"}, road},
			{fields{"username": "ROA"}, road}, {fields{"emailAddress": "ROAD@example.com "}, road},
			{fields{"taxIdNumber": " 22-2222222"}, prad}, {fields{"username": "pru"}, prad},
			{fields{"portalUserGroupId": "999999"}, 0}, {fields{"rosterHubSource": "203"}, 0}, {fields{"providerHubGroupId": "77"}, 0},
			{fields{"taxIdNumber": "999999999"}, 0}, {fields{"username": "nobody"}, 0}, {fields{"emailAddress": "nobody@example.com"}, 0},
		} {
			var list []group
			search(c.by).into(t, &list)
			if c.want == 0 && len(list) == 0 {
				continue
			}
			if len(list) != 1 || list[0].GroupInfoID != c.want {
				t.Errorf("%v finds %+v", c.by, list)
				continue
			}
			g := list[0]
			if c.want == road && (g.GroupTypeCd != "ROS" || g.StatusCd != "LOCK" || len(g.GroupRosterSources) != 1 ||
				g.GroupRosterSources[0].SourceName != "lakes Hub") ||
				c.want == prad && (g.GroupTypeCd != "PRV" || g.StatusCd != "ACTIV" || len(g.GroupRosterSources) != 0) ||
				!strings.HasPrefix(g.CreatedDate, "2026-03-02T") {
				t.Errorf("%v finds %+v", c.by, g)
			}
		}
		for _, domain := range []string{"example.com", "@EXAMPLE.com", "*@example.com"} {
			var list []group
			search(fields{"emailAddress": domain}).into(t, &list)
			if len(list) != 4 || list[0].GroupInfoID >= list[1].GroupInfoID {
				t.Errorf("%s finds %+v", domain, list)
			}
		}
		for _, part := range []string{"ample.com", "example.co", "%"} {
			if r := search(fields{"emailAddress": part}); strings.Contains(string(r.body), "groupInfoId") {
				t.Errorf("%s finds %s", part, r.body)
			}
		}
		p.want(search(fields{}), 400, "Error: Enter at least one search criteria")
		if r := search(fields{"taxIdNumber": "2222222223"}); r.status != 400 || r.fields() != "taxIdNumber: Up to 9 characters" {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(search(fields{"username": "prad", "taxIdNumber": "222222222"}), 400, "Error: Enter at least one search criteria")
		p.want(search(fields{"username": "ab"}), 400, "Error: Enter a minimum of 3 characters in username field")
		p.want(search(fields{"emailAddress": "@a"}), 400, "")
		p.want(search(fields{"portalUserGroupId": "one"}), 400, "")
		for _, actor := range []string{"prad", "prus", "nnus", "road", "rous", "isad>prad"} {
			p.want(p.post("/admin/groupList", fields{"username": "road"}, bearer(p.tokenOf(actor))), 403, "")
		}
	})
}

// The sources chosen for a new roster group are assigned once the account is complete. Until
// then they stay in the draft.
func TestRosterAdminWithSources(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		token := p.signIn("isad")
		chosen := []fields{{"sourceId": 203, "sourceName": "Coast Hub"}, {"sourceId": 202, "sourceName": "x"},
			{"sourceId": 202, "sourceName": "x"}}
		save := func(u fields) reply { return p.do("PUT", "/api/users/saveDraftUser", u, bearer(token)) }
		draft := newUser("ROAD", "hub@example.com", fields{
			"isSaveAsDraftOperation": true, "completeProfile": false, "jobTitle": "Owner", "companyNm": "Hub Roster Group",
			"groupInfo": fields{"groupRosterSources": chosen},
		})
		r := save(draft)
		var made struct {
			ID        int64
			GrpInfoID *int64
		}
		p.want(r, 200, "")
		r.into(t, &made)
		if n := p.count(`SELECT count(*) FROM group_roster_sources`); n != 1 {
			t.Errorf("a draft gave away %d sources", n-1)
		}
		draft["groupInfo"] = fields{"groupRosterSources": []fields{{"sourceId": 999, "sourceName": "gone"}}}
		draft["id"] = made.ID
		p.want(save(draft), 400, "A selected roster hub source no longer exists. Remove it and select another.")

		draft["groupInfo"] = fields{"groupRosterSources": chosen}
		draft["isSaveAsDraftOperation"], draft["completeProfile"] = false, true
		r = save(draft)
		p.want(r, 200, "")
		r.into(t, &made)
		if made.GrpInfoID == nil || *made.GrpInfoID == 0 {
			t.Fatalf("%s", r.body)
		}
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM group_roster_sources WHERE group_id = $1`, *made.GrpInfoID))
		// A second user joins the group and adds no sources.
		p.want(save(newUser("ROAD", "hub2@example.com", fields{
			"completeProfile": true, "jobTitle": "Clerk", "companyNm": "Hub Roster Group", "grpInfoId": *made.GrpInfoID,
		})), 200, "")
		if n := p.count(`SELECT count(*) FROM users WHERE group_id = $1 AND type_cd = $2`, *made.GrpInfoID, string(access.ROAD)); n != 2 {
			t.Errorf("%d administrators", n)
		}
		// Another user removes one of its sources when the draft is completed.
		third := newUser("ROUS", "hub3@example.com", fields{
			"isSaveAsDraftOperation": true, "grpInfoId": *made.GrpInfoID, "removedSourceIds": []int{202},
		})
		r = save(third)
		if !strings.Contains(string(r.body), `"removedSourceIds":[202]`) || strings.Contains(string(r.body), `"groupRosterSources":null`) {
			t.Errorf("%d %s", r.status, r.body)
		}
		r.into(t, &made)
		of := func() int {
			return p.count(`SELECT count(*) FROM group_roster_sources WHERE group_id = $1 AND source_id = 202`, *made.GrpInfoID)
		}
		assert.Equal(t, 1, of(), "a draft took a source away")
		third["id"], third["isSaveAsDraftOperation"] = made.ID, false
		p.want(save(third), 200, "")
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'roster-source-remove' AND result = 'ok'`); of() != 0 || n != 1 {
			t.Errorf("%d left, %d audit entries", of(), n)
		}

		// A fourth user adds one source. The group already has the other one, and lost the removed one before.
		p.want(save(newUser("ROUS", "hub4@example.com", fields{
			"completeProfile": true, "grpInfoId": *made.GrpInfoID, "removedSourceIds": []int{202},
			"groupInfo": fields{"groupRosterSources": []fields{{"sourceId": 203, "sourceName": "x"}, {"sourceId": 201, "sourceName": "x"}}},
		})), 200, "")
		var audited []string
		require.NoError(t, db.Select(t.Context(), p.DB.Reader, &audited, `SELECT operation || ' ' || detail FROM audit_log
			WHERE operation IN ('roster-source-add', 'roster-source-remove') AND subject = $1 ORDER BY id`,
			fmt.Sprint("group ", *made.GrpInfoID)))
		assert.Equal(t, []string{"roster-source-add source 202", "roster-source-add source 203", "roster-source-remove source 202",
			"roster-source-add source 201"}, audited)
	})
}

// sent is a roster file with its name.
type sent struct{ name, content string }

// roster sends a form with files to a roster endpoint.
func (p *portal) roster(token, call string, change fields, files ...sent) reply {
	p.t.Helper()
	form := fields{"sourceId": "201", "groupName": "edgewater (G1)", "groupId": "G1", "rosterType": "full", "username": "road"}
	for k, v := range change {
		form[k] = v
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for k, v := range form {
		if v != nil {
			_ = w.WriteField(k, fmt.Sprint(v))
		}
	}
	for _, f := range files {
		part, err := w.CreateFormFile("files", f.name)
		require.NoError(p.t, err)
		_, _ = io.WriteString(part, f.content)
	}
	require.NoError(p.t, w.Close())
	return p.do("POST", "/api/roster/"+call, body.String(), bearer(token), func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
	})
}

const rosterHead = "Action,NPI,TIN,Last Name,First Name,Address,City,State,ZIP,Phone,Effective Date,Term Date\n"

// validNPIs have valid check digits.
var validNPIs = []string{"1234567893", "1245319599", "1003000126", "1003000134", "1003000142"}

// makeCSV returns a roster with the first n providers.
func makeCSV(n int, phone string) string {
	var b strings.Builder
	b.WriteString(rosterHead)
	for i := range n {
		fmt.Fprintf(&b, "A,%s,987654321,Hand,Lee,%d Shore Rd,Erie,PA,16501,%s,01/05/2026,\n", validNPIs[i], i, phone)
	}
	return b.String()
}

// Only a system administrator can assign a source to a second organization. Afterward, each sees
// what the other sends for it.
func TestSourceOfTwoGroups(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		owner, other := p.groupOf("road"), p.add("reed", access.ROAD, 0).GroupID
		p.add("rita", access.ROAD, 0)
		add := func(actor string, group, source int64) reply {
			return p.post(fmt.Sprintf("/roster/user/group/addSource?groupId=%d&sourceId=%d", group, source), nil, bearer(p.signIn(actor)))
		}
		p.want(add("reed", other, 201), 403,
			"Another group already has this Roster Hub Source. Ask a system administrator to add it to yours.")
		p.want(p.roster(p.signIn("reed"), "upload", fields{"username": "reed"}, sent{"all.csv", rosterHead}), 400,
			"Your roster group no longer has this provider group. Select another one.")
		p.want(add("isad", other, 201), 204, "")
		// An unassigned source goes to one of several simultaneous requests.
		var wait sync.WaitGroup
		for _, actor := range []string{"reed", "rita"} {
			wait.Go(func() { add(actor, p.groupOf(actor), 203) })
		}
		wait.Wait()
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM group_roster_sources WHERE source_id = 203`))

		p.want(p.roster(p.signIn("reed"), "upload", fields{"username": "reed"}, sent{"all.csv", rosterHead}), 200, "")
		history := func(actor string, group int64) string {
			r := p.do("GET", fmt.Sprintf("/api/roster/uploadLogs/group/%d", group), nil, bearer(p.signIn(actor)))
			page := p.post("/roster/uploadLogs/page", fields{"groupId": group, "table": fields{"page": 0, "pageSize": 10}},
				bearer(p.signIn(actor)))
			var list []struct{ UploadedByUserName string }
			var rows struct{ Count int }
			r.into(t, &list)
			page.into(t, &rows)
			return fmt.Sprint(list, rows.Count)
		}
		for actor, group := range map[string]int64{"road": owner, "reed": other, "isad": owner} {
			assert.Equalf(t, "[{reed}] 1", history(actor, group), "%s reads", actor)
		}
		assert.Equal(t, "[] 0", history("rita", p.groupOf("rita")))
		file := func(actor string) reply {
			id := p.count(`SELECT max(id) FROM roster_uploads`)
			return p.do("GET", fmt.Sprintf("/api/roster/file/%d/1", id), nil, bearer(p.signIn(actor)))
		}
		p.want(file("road"), 200, "")
		p.want(file("rita"), 404, "")
		// Someone without the source sees only their own group's uploads.
		p.want(p.post(fmt.Sprintf("/roster/user/group/removeSource?groupId=%d&sourceId=201", owner), nil, bearer(p.signIn("isad"))),
			204, "")
		assert.Equal(t, "[] 0", history("road", owner))
		p.want(file("road"), 404, "")
		p.want(file("reed"), 200, "")

		// The rosters that a former group sent stay closed to a group that adds the source itself.
		p.want(p.post(fmt.Sprintf("/roster/user/group/removeSource?groupId=%d&sourceId=201", other), nil, bearer(p.signIn("reed"))),
			204, "")
		p.want(add("rita", p.groupOf("rita"), 201), 403,
			"Another group sent rosters for this source. Ask a system administrator to add it.")
		p.audited(2, `operation = 'addRosterSource' AND actor IN ('reed', 'rita') AND subject = 'source 201' AND result = 'refused'`)
		p.want(add("reed", other, 201), 204, "")
		p.want(file("reed"), 200, "")
	})
}

func TestRosterUpload(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterFileMB, c.Rosters.RosterFiles = 1, 3 }, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		group := p.groupOf("road")
		logs := func(actor string) []struct {
			LogID                                             int64
			GrpName, UploadDt, UpdateType, UploadedByUserName string
			FileName                                          string
			SourceID                                          int64
			Files                                             []struct {
				Number, Rows, BadRows int
				FileName              string
				Size                  int64
				Checked               bool
				Unread                string
			}
		} {
			t.Helper()
			var list []struct {
				LogID                                             int64
				GrpName, UploadDt, UpdateType, UploadedByUserName string
				FileName                                          string
				SourceID                                          int64
				Files                                             []struct {
					Number, Rows, BadRows int
					FileName              string
					Size                  int64
					Checked               bool
					Unread                string
				}
			}
			r := p.do("GET", fmt.Sprintf("/api/roster/uploadLogs/group/%d", group), nil, bearer(p.tokenOf(actor)))
			require.Equalf(t, 200, r.status, "%d %s", r.status, r.body)
			r.into(t, &list)
			return list
		}
		require.Equal(t, 0, len(logs("road")))

		// A rejected upload stores nothing.
		for name, c := range map[string]struct {
			change fields
			files  []sent
			status int
			says   string
		}{
			"no file":           {nil, nil, 400, "Error: Please select at least one file to upload"},
			"no provider group": {fields{"groupId": nil}, []sent{{"a.csv", "x"}}, 400, "Error: Select Provider Group"},
			"another source's": {fields{"sourceId": "202", "groupId": "20201"}, []sent{{"a.csv", "x"}}, 400,
				"Your roster group no longer has this provider group. Select another one."},
			"no type":              {fields{"rosterType": "other"}, []sent{{"a.csv", "x"}}, 400, ""},
			"somebody else's name": {fields{"username": "rous"}, []sent{{"a.csv", "x"}}, 403, ""},
			"an empty file":        {nil, []sent{{"a.csv", "x"}, {"b.pdf", ""}}, 400, "b.pdf is empty."},
			"a file too large": {nil, []sent{{"a.csv", "x"}, {"b.pdf", strings.Repeat("x", 1<<20+1)}}, 413,
				"b.pdf is larger than 1 MB. Split it, or remove what is not part of the roster."},
			"too many files": {nil, []sent{{"a", "x"}, {"b", "x"}, {"c", "x"}, {"d", "x"}}, 413,
				"You can send up to 3 files together."},
			"a field that is a lot": {fields{"groupName": strings.Repeat("x", 2000)}, []sent{{"a", "x"}}, 413, ""},
		} {
			if r := p.roster(road, "upload", c.change, c.files...); r.status != c.status || c.says != "" && r.code() != c.says {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		p.want(p.do("POST", "/api/roster/upload", fields{}, bearer(road)), 400, "Send the roster as a form (multipart/form-data).")
		p.want(p.roster(p.signIn("isad"), "upload", fields{"username": "isad"}, sent{"a", "x"}), 409,
			"Your account isn't in a roster group.")
		for _, actor := range []string{"prad", "prus", "nnus", "irad", "isad>prad"} {
			p.want(p.roster(p.tokenOf(actor), "upload", nil, sent{"a", "x"}), 403, "")
			p.want(p.roster(p.tokenOf(actor), "check", nil, sent{"a", "x"}), 403, "")
		}
		require.Equal(t, 0, p.count(`SELECT count(*) FROM roster_uploads`)+p.count(`SELECT count(*) FROM roster_files`))

		// Files of any type are stored under their own names.
		pdf := sent{`C:\rosters\notes "June".pdf`, "%PDF-1.7 \x00\xFF"}
		p.want(p.roster(road, "upload", fields{"rosterType": nil, "type": "full"}, sent{"June.csv", makeCSV(4, "8145550100")}, pdf),
			200, "")
		list := logs("isad")
		require.Len(t, list, 1)
		u := list[0]
		if u.GrpName != "edgewater" || u.UpdateType != "full" || u.UploadedByUserName != "road" || u.SourceID != 201 ||
			u.FileName != `June.csv, notes "June".pdf` ||
			u.UploadDt != "2026-03-02T15:00:00Z" || len(u.Files) != 2 || !u.Files[0].Checked || u.Files[0].Rows != 4 ||
			u.Files[0].BadRows != 0 || u.Files[1].Checked || u.Files[1].Size != int64(len(pdf.content)) {
			t.Errorf("%+v", u)
		}
		if u.Files[0].Unread != "" || u.Files[1].Unread != "" {
			t.Errorf("%+v", u.Files)
		}
		get := func(token, path string) reply {
			return p.do("GET", fmt.Sprintf("/api/roster/file/%d/%s", u.LogID, path), nil, cookie(httpapi.SessionCookie, token))
		}
		if r := get(road, "2"); r.status != 200 || string(r.body) != pdf.content || r.header.Get("Content-Type") !=
			"application/octet-stream" ||
			r.header.Get("Content-Disposition") != `attachment; filename="notes \"June\".pdf"` {
			t.Errorf("%d %q %v", r.status, r.body, r.header)
		}
		p.want(get(p.signIn("isad"), "1"), 200, "")
		p.want(get(p.signIn("rous"), "1"), 404, "") // in another group
		p.want(get(road, "3"), 404, "")
		p.want(get(road, "2/corrected"), 404, "")
		p.want(get(p.signIn("prad"), "1"), 403, "")
		p.want(p.do("GET", fmt.Sprintf("/api/roster/uploadLogs/group/%d", group), nil, bearer(p.signIn("rous"))), 404, "")
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation IN ('roster-upload', 'roster-open') AND result = 'ok'`); n != 3 {
			t.Errorf("%d audit entries", n)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM roster_providers`))

		// A roster with errors is still sent, and can be downloaded with its errors.
		p.want(p.roster(road, "upload", nil, sent{"July.csv", strings.Replace(makeCSV(4, "8145550100"), "PA", "ZZ", 1)}), 200, "")
		u = logs("road")[0]
		assert.Equal(t, 1, u.Files[0].BadRows, u)
		if r := get(road, "1/corrected"); !strings.Contains(string(r.body), "State: Enter a two-letter state code.") ||
			!strings.Contains(r.header.Get("Content-Disposition"), "July - errors.csv") {
			t.Errorf("%d %s %v", r.status, r.body, r.header)
		}
		assert.Equal(t, 3, p.count(`SELECT count(*) FROM roster_providers`))
	})
}

// report is a check's final result.
type report struct {
	Files []struct {
		FileName, Format, CheckID, Unreadable string
		Missing, Ignored, Sheets              []string
		HeaderRow                             int
		Chosen                                bool
		Columns                               []rosters.RosterColumn
		SentBefore                            *struct{ By, FileName string }
		Rows, BadRows, Found, Providers       int
		Adds, Changes, Terms                  int
		Problems                              []struct {
			Row                   int
			Column, Code, Message string
		}
	}
	Template   []string
	Comparison *struct {
		Before, Add, Change, End int
		MustConfirm              bool
	}
}

func decodeReport(t *testing.T, r reply) (found report) {
	t.Helper()
	_, last, ok := strings.Cut(string(r.body), "event: report\ndata: ")
	if r.status != 200 || !ok || r.header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	require.NoError(t, json.Unmarshal([]byte(last), &found))
	return found
}

func TestRosterCheck(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		found := decodeReport(t, p.roster(road, "check", nil, sent{"a.csv", makeCSV(3, "8145550100")}, sent{"b.csv", rosterHead + "A,1\n"},
			sent{"c.pdf", "x"}, sent{"d.csv", "a,b\n"}))
		if len(found.Files) != 4 || found.Comparison != nil {
			t.Fatalf("%+v", found)
		}
		a, b, c, d := found.Files[0], found.Files[1], found.Files[2], found.Files[3]
		if a.Format != "csv" || a.Rows != 3 || a.Found != 0 || a.Providers != 3 || a.CheckID != "" ||
			b.Rows != 1 || b.BadRows != 1 || b.Found < 5 || b.Problems[0].Row != 2 || b.Problems[0].Column != "NPI" || b.CheckID == "" ||
			c.Format != "" || c.Rows != 0 || c.CheckID != "" || d.Unreadable == "" || d.CheckID != "" {
			t.Errorf("%+v", found)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM roster_uploads`))
		corrected := func(token string) reply {
			return p.do("GET", "/api/roster/check/"+b.CheckID+"/corrected", nil, cookie(httpapi.SessionCookie, token))
		}
		if r := corrected(road); r.status != 200 || !strings.Contains(string(r.body), "NPI: Enter the 10 digits of the NPI.") {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(corrected(p.signIn("rous")), 404, "")
		p.clock.Advance(61 * time.Minute)
		require.NoError(t, p.Rosters.Cleanup(t.Context()))
		p.want(corrected(p.signIn("road")), 404, "This check has expired. Check the file again.")
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM roster_checks`))
	})
}

// A warning appears if the user's group already sent the file, under any name. It can still be
// sent again.
func TestSameRosterFileAgain(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road, content := p.signIn("road"), makeCSV(3, "8145550100")
		before := func() *struct{ By, FileName string } {
			return decodeReport(t, p.roster(road, "check", nil, sent{"b.csv", content})).Files[0].SentBefore
		}
		assert.Nil(t, before())
		p.want(p.roster(road, "upload", nil, sent{"a.csv", content}), 200, "")
		if b := before(); b == nil || b.By != "road" || b.FileName != "a.csv" {
			t.Errorf("sent: %+v", b)
		}
		p.want(p.roster(road, "upload", nil, sent{"b.csv", content}), 200, "")
	})
}

// The copies of a person's checked files are limited to the newest.
func TestRosterChecksKept(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterFiles = 2 }, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		bad := sent{"b.csv", rosterHead + "A,1\n"}
		var ids []string
		for range 3 {
			for _, f := range decodeReport(t, p.roster(road, "check", nil, bad, bad)).Files {
				ids = append(ids, f.CheckID)
			}
			p.clock.Advance(time.Minute)
		}
		for n, id := range ids {
			want := 200
			if n < 2 {
				want = 404
			}
			p.want(p.do("GET", "/api/roster/check/"+id+"/corrected", nil, cookie(httpapi.SessionCookie, road)), want, "")
		}
		assert.Equal(t, 4, p.count(`SELECT count(*) FROM roster_checks`))
	})
}

// A check stops if the client disconnects.
func TestRosterCheckGivenUp(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	p.sources()
	token := p.signIn("road")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for k, v := range map[string]string{"sourceId": "201", "groupName": "edgewater (G1)", "groupId": "G1", "rosterType": "full",
		"username": "road"} {
		_ = form.WriteField(k, v)
	}
	file, _ := form.CreateFormFile("files", "a.csv")
	_, _ = io.WriteString(file, rosterHead+strings.Repeat("A,1\n", 900_000))
	_ = form.Close() // writes to memory
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	// Chunked, so that the body's end comes after the form's end.
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/api/roster/check", struct{ io.Reader }{&body})
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	if _, err := res.Body.Read(make([]byte, 1)); err != nil { // the check has started
		t.Fatal(err)
	}
	leave()
	for range 600 {
		if log := p.logged(); strings.Contains(log, "roster check abandoned") {
			if strings.Contains(log, `"level":"ERROR"`) || p.count(`SELECT count(*) FROM roster_checks`) != 0 {
				t.Error("it counts as a failure, or keeps a copy")
			}
			return
		} else if strings.Contains(log, "POST /api/roster/check") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the check went on to its end")
}

// A full roster is compared with the last one, and stops if it would end many providers.
func TestRosterComparison(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		compare := func(want string, files ...sent) {
			t.Helper()
			c := decodeReport(t, p.roster(road, "check", nil, files...)).Comparison
			require.NotNilf(t, c, "not compared: %s", want)
			assert.Equal(t, want, fmt.Sprintf("%d: +%d ~%d -%d %v", c.Before, c.Add, c.Change, c.End, c.MustConfirm))
		}
		send := func(change fields, files ...sent) reply { return p.roster(road, "upload", change, files...) }
		compare("0: +5 ~0 -0 false", sent{"a.csv", makeCSV(5, "8145550100")})
		p.want(send(nil, sent{"a.csv", makeCSV(5, "8145550100")}), 200, "")
		compare("5: +0 ~0 -0 false", sent{"a.csv", makeCSV(5, "8145550100")})
		compare("5: +0 ~5 -0 false", sent{"a.csv", makeCSV(5, "8145550199")})
		compare("5: +0 ~0 -1 false", sent{"a.csv", makeCSV(4, "8145550100")}) // 20% may end
		compare("5: +0 ~0 -2 true", sent{"a.csv", makeCSV(3, "8145550100")})
		// Rows with errors don't end listings, and all files of a roster count together.
		compare("5: +0 ~0 -0 false", sent{"a.csv", strings.ReplaceAll(makeCSV(5, "8145550100"), "PA", "ZZ")})
		whole := strings.SplitAfterN(makeCSV(5, "8145550100"), "\n", 4)
		compare("5: +0 ~0 -0 false", sent{"a.csv", strings.Join(whole[:3], "")}, sent{"b.csv", rosterHead + whole[3]})

		r := send(nil, sent{"a.csv", makeCSV(2, "8145550100")})
		p.want(r, 409, "This roster would terminate 3 of 5 providers. Confirm to continue.")
		if !strings.Contains(string(r.body), `"code":"ROSTER_ENDS_MANY"`) || p.count(`SELECT count(*) FROM roster_uploads`) != 1 {
			t.Errorf("%s", r.body)
		}
		p.want(send(fields{"confirmed": "true"}, sent{"a.csv", makeCSV(2, "8145550100")}), 200, "")
		compare("2: +3 ~0 -0 false", sent{"a.csv", makeCSV(5, "8145550100")})

		// A partial roster adds, changes and ends only the listed providers.
		partial := rosterHead + "A," + validNPIs[2] + ",987654321,Hand,Lee,2 Shore Rd,Erie,PA,16501,8145550100,01/05/2026,\n" +
			"T," + validNPIs[0] + ",987654321,Hand,Lee,,,,,,,03/01/2026\n"
		found := decodeReport(t, p.roster(road, "check", fields{"rosterType": "delta"}, sent{"p.csv", partial}))
		if f := found.Files[0]; f.Adds != 1 || f.Terms != 1 || f.Found != 0 || found.Comparison != nil {
			t.Errorf("%+v", found)
		}
		p.want(send(fields{"rosterType": "delta"}, sent{"p.csv", partial}), 200, "")
		compare("2: +3 ~1 -0 false", sent{"a.csv", strings.Replace(makeCSV(5, "8145550100"), ",1 Shore Rd", ",9 Shore Rd", 1)})
		// Another provider group has its own roster.
		c := decodeReport(t, p.roster(road, "check", fields{"groupId": "G2"}, sent{"a.csv", makeCSV(5, "8145550100")})).Comparison
		if c == nil || c.Before != 0 || c.Add != 5 {
			t.Errorf("%+v", c)
		}
	})
}

// A roster of the same provider group that is stored during an upload counts too: the upload can't
// end its providers without confirmation, wherever it was.
func TestRosterComparisonCountsRostersUnderWay(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		files, err := blob.Open(t.Context(), "", p.Config.Data+"/files")
		require.NoError(t, err)
		for n := 1; ; n++ {
			var small reply
			if !p.stopBefore(n, func() {
				small = p.roster(road, "upload", nil, sent{"small.csv", makeCSV(1, "8145550100")})
			}, func() {
				p.want(p.roster(road, "upload", nil, sent{"large.csv", makeCSV(5, "8145550100")}), 200, "")
			}) {
				assert.GreaterOrEqual(t, n, 2, "the upload wasn't stopped")
				return
			}
			want := 1
			if small.status == 200 {
				want = 2 // it was stored first
			} else {
				p.want(small, 409, "This roster would terminate 4 of 5 providers. Confirm to continue.")
			}
			if got := p.count(`SELECT count(*) FROM roster_uploads`); got != want {
				t.Errorf("step %d: %d rosters, want %d", n, got, want)
			}
			if got := p.count(`SELECT count(*) FROM roster_providers`); got != 5 {
				t.Errorf("step %d: %d of 5 providers", n, got)
			}
			for f, err := range files.List(t.Context(), "rosters/") {
				if want--; err != nil || files.Delete(t.Context(), f.Key) != nil {
					t.Fatal(err)
				}
			}
			assert.Equalf(t, want, 0, "step %d: %d files too few", n, want)
			for _, table := range []string{"roster_providers", "roster_changes", "roster_files", "roster_uploads"} {
				p.exec(`DELETE FROM ` + table)
			}
		}
	})
}

// A roster isn't stored if the group's source is removed while its files are checked and copied.
func TestRosterOfARemovedSource(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road, isad, group := p.signIn("road"), p.signIn("isad"), p.groupOf("road")
		change := func(to string) {
			p.want(p.post(fmt.Sprintf("/roster/user/group/%sSource?groupId=%d&sourceId=201", to, group), nil, bearer(isad)), 204, "")
		}
		for n := 1; ; n++ {
			var sending reply
			var stored int // before the source was removed
			if !p.stopBefore(n, func() {
				sending = p.roster(road, "upload", fields{"confirmed": "true"}, sent{"a.csv", makeCSV(2, "8145550100")})
			}, func() {
				stored = p.count(`SELECT count(*) FROM roster_uploads WHERE status = 'DONE'`)
				change("remove")
			}) {
				assert.GreaterOrEqual(t, n, 2, "the upload wasn't stopped")
				return
			}
			if stored == 0 {
				p.want(sending, 400, "Your roster group no longer has this provider group. Select another one.")
			}
			if left := p.count(`SELECT count(*) FROM roster_uploads`); left != stored {
				t.Errorf("step %d: %d rosters and not %d", n, left, stored)
			}
			change("add")
		}
	})
}

// A confirmation counts for the number of providers that the sender saw. "true" confirms any number.
func TestRosterConfirmationHasANumber(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		p.want(p.roster(road, "upload", nil, sent{"a.csv", makeCSV(5, "8145550100")}), 200, "")
		for _, confirmed := range []string{"", "false", "0", "1", "-3", "99999999999999999999999"} {
			r := p.roster(road, "upload", fields{"confirmed": confirmed}, sent{"a.csv", makeCSV(3, "8145550100")})
			p.want(r, 409, "This roster would terminate 2 of 5 providers. Confirm to continue.")
			const number = `{"path":"confirmed","code":"ROSTER_ENDS_MANY","message":"Send 2 to confirm.","value":"2"}`
			assert.Containsf(t, string(r.body), number, "%q: %s", confirmed, r.body)
		}
		p.want(p.roster(road, "upload", fields{"confirmed": "2"}, sent{"a.csv", makeCSV(3, "8145550100")}), 200, "")
		p.want(p.roster(road, "upload", fields{"confirmed": "3"}, sent{"a.csv", makeCSV(2, "8145550100")}), 200, "")
		p.want(p.roster(road, "upload", fields{"confirmed": "true"}, sent{"a.csv", makeCSV(1, "8145550100")}), 200, "")
	})
}

// storedRosters returns the number of rows and stored files of rosters.
func (p *portal) storedRosters() (rows, stored int) {
	p.t.Helper()
	files, err := blob.Open(p.t.Context(), "", p.Config.Data+"/files")
	require.NoError(p.t, err)
	for _, err := range files.List(p.t.Context(), "rosters/") {
		require.NoError(p.t, err)
		stored++
	}
	return p.count(`SELECT count(*) FROM roster_uploads`) + p.count(`SELECT count(*) FROM roster_files`), stored
}

// A connection that fails during an upload leaves no data, also if a file has arrived.
func TestRosterBrokenUpload(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		p.want(p.roster(road, "upload", nil, sent{"a.csv", makeCSV(1, "8145550100")}), 200, "")
		if rows, stored := p.storedRosters(); rows != 2 || stored != 1 {
			t.Fatalf("%d rows and %d files of a whole upload", rows, stored)
		}
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for _, f := range [][2]string{{"sourceId", "201"}, {"groupName", "edgewater (G1)"}, {"groupId", "G1"}, {"rosterType", "full"},
			{"username", "road"}} {
			_ = form.WriteField(f[0], f[1])
		}
		for _, name := range []string{"a.csv", "b.csv"} { // the second one is cut
			part, err := form.CreateFormFile("files", name)
			require.NoError(t, err)
			_, _ = io.WriteString(part, makeCSV(1, "8145550101"))
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		require.NoError(t, err)
		_, _ = fmt.Fprintf(conn, "POST /api/roster/upload HTTP/1.1\r\nHost: portal.test\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: %s\r\nContent-Length: 100000\r\n\r\n%s", road, form.FormDataContentType(), body.String())
		require.NoError(t, conn.Close())
		ended := false
		for end := time.Now().Add(30 * time.Second); !ended; time.Sleep(10 * time.Millisecond) {
			ended = strings.Contains(p.logged(), "operation rejected")
			if rows, stored := p.storedRosters(); rows != 2 || stored != 1 {
				t.Fatalf("%d rows and %d files after a cut upload", rows, stored)
			}
			require.False(t, time.Now().After(end), "the upload doesn't end")
		}
	})
}

// An upload that the program didn't finish is deleted with its files after an hour.
func TestRosterAbandonedUpload(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		p.want(p.roster(p.signIn("road"), "upload", nil, sent{"a.csv", makeCSV(1, "8145550100")}), 200, "")
		for _, table := range []string{"roster_providers", "roster_changes", "roster_files"} { // written with the status
			p.exec(`DELETE FROM ` + table)
		}
		p.exec(`UPDATE roster_uploads SET status = 'RECEIVING'`)
		for _, c := range []struct {
			wait time.Duration
			want int
		}{{59 * time.Minute, 1}, {2 * time.Minute, 0}} {
			p.clock.Advance(c.wait)
			require.NoError(t, p.Rosters.Cleanup(t.Context()))
			if rows, stored := p.storedRosters(); rows != c.want || stored != c.want {
				t.Errorf("%d rows and %d files, want %d", rows, stored, c.want)
			}
		}
	})
}

func TestRosterTemplate(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		r := p.do("GET", "/api/roster/template", nil, cookie(httpapi.SessionCookie, road))
		if r.status != 200 || !strings.Contains(r.header.Get("Content-Disposition"), "Roster_Template.xlsx") {
			t.Fatalf("%d %v", r.status, r.header)
		}
		// The template's own header is recognized.
		found := decodeReport(t, p.roster(road, "check", nil, sent{"t.xlsx", string(r.body)}))
		if f := found.Files[0]; f.Unreadable != "" || len(f.Missing) != 0 || len(f.Ignored) != 0 || f.Rows != 0 {
			t.Errorf("%+v", found)
		}
		p.want(p.do("GET", "/api/roster/template", nil, bearer(p.signIn("prad"))), 403, "")
	})
}

// ownHeadings is a roster with an office's own headings, and chosenColumns maps them.
const (
	ownHeadings = "Prov ID,Fed No,Doctor,Given Name,Where,Town,ST,Zip,Phone #,From,Notes\n" +
		"1234567893,987654321,Hand,Lee,0 Shore Rd,Erie,PA,16501,8145550100,01/05/2026,call first\n"
	chosenColumns = `{"file":0,"headerRow":1,"columns":[{"index":0,"kind":"NPI"},{"index":1,"kind":"TIN"},{"index":2,` +
		`"kind":"Last Name"},{"index":3,"kind":"First Name"},{"index":4,"kind":"Address"},` +
		`{"index":5,"kind":"City"},{"index":6,"kind":"State"},{"index":7,"kind":"ZIP"},{"index":8,"kind":"Phone"},{"index":9,` +
		`"kind":"Effective Date"},{"index":10,"kind":""}]}`
)

// A file with other headings uses its sender's column mapping everywhere: in checks before and
// during sending, for staff, in both copies, in the directory and in the delivery.
func TestRosterColumnsChosen(t *testing.T) {
	dir := t.TempDir()
	each(t, func(c *app.Config) { c.Rosters.RosterUpdates, c.Rosters.RosterOut = true, "file://"+dir }, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		bad := ownHeadings + "1245319599,987654321,Foot,Ann,1 Shore Rd,Erie,ZZ,16501,8145550100,01/05/2026,\n"
		chosen := fields{"columns": chosenColumns, "confirmed": "true"}
		f := decodeReport(t, p.roster(road, "check", nil, sent{"own.csv", bad})).Files[0]
		if f.Rows != 0 || f.Chosen || len(f.Missing) == 0 || len(f.Columns) != 11 || f.Columns[3].Kind != "First Name" ||
			f.Columns[0].Kind != "" || f.Columns[0].Sample[1] != "1245319599" {
			t.Errorf("by its headings: %+v", f)
		}
		found := decodeReport(t, p.roster(road, "check", chosen, sent{"own.csv", bad}))
		if f = found.Files[0]; f.Rows != 2 || f.BadRows != 1 || f.Problems[0].Row != 3 || !f.Chosen || len(f.Missing) != 0 ||
			fmt.Sprint(f.Ignored) != "[Notes]" || len(found.Template) != 24 {
			t.Errorf("as it was chosen: %+v", found)
		}
		copied := p.do("GET", "/api/roster/check/"+f.CheckID+"/corrected", nil, cookie(httpapi.SessionCookie, road))
		const head = "NPI,TIN,Last Name,Given Name,Address,City,ST,Zip,Phone #,Effective Date,Notes,Errors"
		if !strings.Contains(string(copied.body), head) || !strings.Contains(string(copied.body), "State: Enter a two-letter state code.") {
			t.Errorf("%d %s", copied.status, copied.body)
		}

		for columns, says := range map[string]string{
			`{`:          "Send the columns of a file as JSON.",
			`{"file":1}`: "Select columns of a file you're sending.",
			strings.Replace(chosenColumns, `"TIN"`, `"NPI"`, 1):            "Use NPI for one column only.",
			strings.Replace(chosenColumns, `"index":1,`, `"index":11,`, 1): "The file doesn't have a column 12.",
		} {
			for _, call := range []string{"check", "upload"} {
				if r := p.roster(road, call, fields{"columns": columns}, sent{"own.csv", bad}); r.status != 400 ||
					r.fields() != "columns: "+says {
					t.Errorf("%s of %s: %d %s", call, columns, r.status, r.body)
				}
			}
		}
		p.want(p.roster(road, "check", fields{"columns": strings.Repeat("x", 20_001)}, sent{"own.csv", bad}), 413, "")

		r := p.roster(road, "upload", chosen, sent{"own.csv", bad})
		p.want(r, 200, "")
		var made struct{ LogID int64 }
		r.into(t, &made)
		copied = p.do("GET", fmt.Sprintf("/api/roster/file/%d/1/corrected", made.LogID), nil, cookie(httpapi.SessionCookie, road))
		assert.Containsf(t, string(copied.body), head, "%d %s", copied.status, copied.body)
		isad := bearer(p.signIn("isad"))
		opened := func(id int64) (o rosters.DeskRosterOpened) {
			t.Helper()
			p.do("GET", fmt.Sprintf("/api/desk/rosters/%d", id), nil, isad).into(t, &o)
			return o
		}
		if c := opened(made.LogID).Checks[0]; !c.Chosen || c.Columns[0].Name != "Prov ID" || c.Columns[0].Kind != "NPI" ||
			c.Columns[0].Sample != nil || c.HeaderRow != 1 || c.Rows != 2 {
			t.Errorf("%+v", c)
		}
		if n := p.count(`SELECT count(*) FROM roster_files WHERE report LIKE '%Shore%' OR report LIKE '%1234567893%'`); n != 0 {
			t.Error("the report of a file that was sent has values of its rows")
		}

		// A roster without errors updates the directory, and its delivery includes the column
		// mapping.
		p.exec(`INSERT INTO providers (provider_id, provider_type, npi, name_key) VALUES ('50000000', 'P', '1234567893', 'hand')`)
		r = p.roster(road, "upload", chosen, sent{"own.csv", ownHeadings})
		p.want(r, 200, "")
		r.into(t, &made)
		p.want(p.do("PUT", fmt.Sprintf("/api/desk/rosters/%d", made.LogID), fields{"seen": "NEW", "state": "TAKEN"}, isad), 200, "")
		p.want(p.post(fmt.Sprintf("/desk/rosters/%d/directory", made.LogID), nil, isad), 204, "")
		require.NoError(t, errors.Join(p.Rosters.UpdateDirectory(t.Context()), p.Rosters.HandOver(t.Context())))
		if d := opened(made.LogID).Roster.Directory; d == nil || d.State != rosters.Updated || d.Rows != 1 || d.Unknown != 0 {
			t.Errorf("%+v", d)
		}
		var m rosters.Manifest
		j, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("roster-%08d", made.LogID), "manifest.json"))
		if err = errors.Join(err, json.Unmarshal(j, &m)); err != nil || len(m.Files) != 1 || m.Files[0].HeaderRow != 1 ||
			m.Files[0].Columns[0].Kind != "NPI" {
			t.Errorf("%v %s", err, j)
		}
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil { // for the other engine
			t.Fatal(err)
		}
	})
}

// With a virus scanner, a roster with a virus, or one that can't be checked, isn't sent.
func TestRosterVirusCheck(t *testing.T) {
	d := clamdtest.Start(t)
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Scanner.Clamd = d.Address })
	p.sources()
	road := p.signIn("road")
	good := sent{"June.csv", makeCSV(4, "8145550100")}
	for _, call := range []string{"check", "upload"} {
		d.Answer(clamdtest.Answer)
		r := p.roster(road, call, nil, good, sent{"roster.xlsx", "PK\x03\x04" + clamdtest.EICAR})
		p.want(r, 400, "roster.xlsx was rejected: our virus scanner flagged it. Nothing was sent.")
		assert.Containsf(t, string(r.body), `"code":"VIRUS_FOUND"`, "%s: %s", call, r.body)
		p.clock.Advance(time.Minute)
		d.Answer(func([]byte) string { return "stream: Can't allocate memory ERROR\x00" })
		p.want(p.roster(road, call, nil, good), 503, "We couldn't check the file for viruses. Try again later.")
	}
	assert.Equal(t, 0, p.count(`SELECT count(*) FROM roster_uploads`)+p.count(`SELECT count(*) FROM roster_checks`))
	if _, systems := p.health(); systems["Virus scanner"].State != health.Fails ||
		systems["Virus scanner"].Failure != "The scanner didn't answer as clamd does." {
		t.Errorf("%+v", systems["Virus scanner"])
	}
	p.clock.Advance(time.Minute)
	d.Answer(clamdtest.Answer)
	p.want(p.roster(road, "check", nil, good), 200, "")
	p.want(p.roster(road, "upload", nil, good), 200, "")
	if _, systems := p.health(); systems["Virus scanner"].State != health.Works {
		t.Errorf("%+v", systems["Virus scanner"])
	}
	for _, want := range []string{`wcpp_files_scanned_total{result="clean"} 4`, `wcpp_files_scanned_total{result="found"} 2`,
		`wcpp_files_scanned_total{result="failed"} 2`} {
		assert.Containsf(t, p.metrics(), want+"\n", "no %s", want)
	}
	assert.Contains(t, p.logged(), "the virus scanner found "+clamdtest.Virus, "the virus isn't in the log")
}
