package app_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"

	"wcpp/internal/access"
	"wcpp/internal/rosters"
)

// sources puts three sources on file, of which the first has two groups and
// the last none, and gives the first to the group of road.
func (p *portal) sources() {
	p.t.Helper()
	p.inTx(func(tx *sql.Tx) error {
		for _, s := range []rosters.Source{{SourceID: 201, Name: "lakes Hub"}, {SourceID: 202, Name: "Prairie Hub"}, {SourceID: 203, Name: "Coast Hub"}} {
			if _, err := rosters.TakeSource(p.t.Context(), tx, s); err != nil {
				return err
			}
		}
		for _, g := range []rosters.SourceGroup{
			{SourceGroupID: 20102, SourceID: 201, GroupID: "G2", Name: "Valley Physicians"},
			{SourceGroupID: 20101, SourceID: 201, GroupID: "G1", Name: "edgewater", IsAdmin: true},
			{SourceGroupID: 20201, SourceID: 202, GroupID: "20201"},
		} {
			if _, reason, err := rosters.TakeSourceGroup(p.t.Context(), tx, g); err != nil || reason != "" {
				return fmt.Errorf("%s %w", reason, err)
			}
		}
		_, _, err := p.Rosters.TakeGroupSource(p.t.Context(), tx, p.groupOf("road"), 201)
		return err
	})
}

func TestRosterSources(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		group := p.groupOf("road")
		get := func(actor, path string) reply { return p.do("GET", "/api/roster/"+path, nil, bearer(p.tokenOf(actor))) }
		body := func(r reply) string { return strings.TrimSpace(string(r.body)) }

		if got := body(get("prad", "sources")); got != `[{"sourceId":203,"sourceName":"Coast Hub"},{"sourceId":201,"sourceName":"lakes Hub"},{"sourceId":202,"sourceName":"Prairie Hub"}]` {
			t.Errorf("sources: %s", got)
		}
		of201 := `{"sourceGroupId":20101,"grpName":"edgewater","grpId":"G1","sourceId":201,"adminGroupFlag":"Y"},{"sourceGroupId":20102,"grpName":"Valley Physicians","grpId":"G2","sourceId":201,"adminGroupFlag":"N"}`
		if got := body(get("irad", "sourceGroups")); got != `[{"sourceGroupId":20201,"grpName":"","grpId":"20201","sourceId":202,"adminGroupFlag":"N"},`+of201+`]` {
			t.Errorf("source groups: %s", got)
		}
		for _, actor := range []string{"road", "isad", "irad"} {
			if got := body(get(actor, fmt.Sprintf("source/group/%d", group))); got != `[201]` {
				t.Errorf("%s: sources of the group: %s", actor, got)
			}
			if got := body(get(actor, fmt.Sprintf("sourceGroup/%d", group))); got != `[`+of201+`]` {
				t.Errorf("%s: source groups of the group: %s", actor, got)
			}
		}
		for _, actor := range []string{"rous", "prad"} { // of other groups
			p.want(get(actor, fmt.Sprintf("source/group/%d", group)), 404, "")
			p.want(get(actor, fmt.Sprintf("sourceGroup/%d", group)), 404, "")
		}
		p.want(get("prus", "sources"), 403, "")
		p.want(get("nnus", "sourceGroups"), 403, "")

		change := func(actor, what string, group, source int64) reply {
			return p.post(fmt.Sprintf("/roster/user/group/%sSource?groupId=%d&sourceId=%d", what, group, source), nil, bearer(p.tokenOf(actor)))
		}
		p.want(change("road", "add", group, 202), 204, "")
		p.want(change("isad", "add", group, 202), 409, `Error: The Roster Hub Source "Prairie Hub" is already associated with this Portal User Group.`)
		p.want(change("road", "add", group, 999), 404, "Error: The source was not found.")
		p.want(change("road", "add", p.groupOf("rous"), 202), 404, "") // not the own group
		p.want(change("isad", "add", p.groupOf("prad"), 202), 409, "Only a roster group has roster hub sources.")
		p.want(change("isad", "add", 999_999, 202), 404, "")
		for _, actor := range []string{"rous", "irad", "prad", "prus", "nnus", "isad>prad"} {
			p.want(change(actor, "add", group, 203), 403, "")
			p.want(change(actor, "remove", group, 201), 403, "")
		}
		p.want(change("isad", "remove", group, 201), 204, "")
		p.want(change("road", "remove", group, 201), 204, "") // somebody else was faster
		if got := body(get("road", fmt.Sprintf("source/group/%d", group))); got != `[202]` {
			t.Errorf("after all: %s", got)
		}
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation IN ('roster-source-add', 'roster-source-remove') AND result = 'ok'`); n != 3 {
			t.Errorf("%d audit entries", n)
		}

		// Two administrators add the same source at once: one of them did.
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
			{fields{"portalUserGroupId": fmt.Sprint(road)}, road}, {fields{"rosterHubSource": "201"}, road}, {fields{"providerHubGroupId": "20102"}, road},
			{fields{"username": "ROA"}, road}, {fields{"emailAddress": "ROAD@example.com "}, road},
			{fields{"taxIdNumber": "222222222"}, prad}, {fields{"username": "pru"}, prad},
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
			if c.want == road && (g.GroupTypeCd != "ROS" || g.StatusCd != "LOCK" || len(g.GroupRosterSources) != 1 || g.GroupRosterSources[0].SourceName != "lakes Hub") ||
				c.want == prad && (g.GroupTypeCd != "PRV" || g.StatusCd != "ACTIV" || len(g.GroupRosterSources) != 0) || !strings.HasPrefix(g.CreatedDate, "2026-03-02T") {
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
		p.want(search(fields{"username": "prad", "taxIdNumber": "222222222"}), 400, "Error: Enter at least one search criteria")
		p.want(search(fields{"username": "ab"}), 400, "Error: Enter a minimum of 3 characters in username field")
		p.want(search(fields{"emailAddress": "@a"}), 400, "")
		p.want(search(fields{"portalUserGroupId": "one"}), 400, "")
		for _, actor := range []string{"prad", "prus", "nnus", "road", "rous", "isad>prad"} {
			p.want(p.post("/admin/groupList", fields{"username": "road"}, bearer(p.tokenOf(actor))), 403, "")
		}
	})
}

// The sources chosen for a new roster group become its own once the account is
// completed; until then the draft keeps them.
func TestRosterAdminWithSources(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		token := p.signIn("isad")
		chosen := []fields{{"sourceId": 203, "sourceName": "Coast Hub"}, {"sourceId": 202, "sourceName": "x"}, {"sourceId": 202, "sourceName": "x"}}
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
		p.want(save(draft), 400, "A chosen roster hub source does not exist any more. Remove it and choose again.")

		draft["groupInfo"] = fields{"groupRosterSources": chosen}
		draft["isSaveAsDraftOperation"], draft["completeProfile"] = false, true
		r = save(draft)
		p.want(r, 200, "")
		r.into(t, &made)
		if made.GrpInfoID == nil || *made.GrpInfoID == 0 {
			t.Fatalf("%s", r.body)
		}
		if n := p.count(`SELECT count(*) FROM group_roster_sources WHERE group_id = $1`, *made.GrpInfoID); n != 2 {
			t.Errorf("%d sources", n)
		}
		// A second one joins the group, and brings nothing.
		p.want(save(newUser("ROAD", "hub2@example.com", fields{
			"completeProfile": true, "jobTitle": "Clerk", "companyNm": "Hub Roster Group", "grpInfoId": *made.GrpInfoID,
		})), 200, "")
		if n := p.count(`SELECT count(*) FROM users WHERE group_id = $1 AND type_cd = $2`, *made.GrpInfoID, string(access.ROAD)); n != 2 {
			t.Errorf("%d administrators", n)
		}
	})
}
