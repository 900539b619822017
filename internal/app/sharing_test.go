package app_test

import (
	"database/sql"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
)

// sharing tests TIN sharing between groups.
type sharing struct {
	*portal
	tokens map[string]string
}

// newSharing returns a portal where the offices of ada and cal have the TIN that prad's adds.
func newSharing(p *portal) sharing {
	p.onFile()
	p.add("ada", access.PRAD, 0, "444444444", "555555555")
	p.add("cal", access.PRAD, 0, "444444444", "777777777")
	return sharing{p, map[string]string{}}
}

func (s sharing) as(actor string) option {
	if s.tokens[actor] == "" {
		s.tokens[actor] = s.tokenOf(actor)
	}
	return bearer(s.tokens[actor])
}

func (s sharing) adds(actor, owner, ftin string) reply {
	s.t.Helper()
	s.exec(`DELETE FROM rate_limits`)
	return s.post(fmt.Sprintf("/ftin/validateandSaveFtin/%d/%s?bcn=B%s", s.groupOf(owner), ftin, ftin[:4]), nil, s.as(actor))
}

// later lets a minute pass, after which everyone signs in again.
func (s sharing) later() {
	s.t.Helper()
	s.clock.Advance(time.Minute)
	clear(s.tokens)
}

// addAndRevoke adds a TIN to prad's group that is revoked after ada's objection. It returns the id of the sharing.
func (s sharing) addAndRevoke(ftin string) string {
	s.t.Helper()
	s.want(s.adds("prad", "prad", ftin), 200, "success")
	list, _ := s.shared("ada")
	s.want(s.objects("ada", list[0].ID, "Ours"), 204, "")
	s.later()
	s.want(s.decides("isad", list[0].ID, "take-away"), 204, "")
	return list[0].ID
}

func (s sharing) removes(actor, owner, ftin string) reply {
	s.t.Helper()
	return s.do("DELETE", fmt.Sprintf("/api/ftin/groupFtins/%d/%s?lastUpdatedUserName=", s.groupOf(owner), ftin), nil, s.as(actor))
}

// withdraws removes a TIN only before its review.
func (s sharing) withdraws(actor, ftin string) reply {
	s.t.Helper()
	path := fmt.Sprintf("/api/ftin/groupFtins/%d/%s?lastUpdatedUserName=&withdraw=true", s.groupOf(actor), ftin)
	return s.do("DELETE", path, nil, s.as(actor))
}

// scope lists the TINs that a user's bill search covers.
func (s sharing) scope(actor string) string {
	s.t.Helper()
	var list []struct{ FTIN string }
	s.do("GET", "/api/ftin/userFtins/"+actor+"?activeFlag=true", nil, s.as(actor)).into(s.t, &list)
	var tins []string
	for _, t := range list {
		tins = append(tins, t.FTIN)
	}
	return strings.Join(tins, " ")
}

func (s sharing) awaited(actor string) string {
	s.t.Helper()
	var list []struct{ FTIN, AddedDate, AddedBy string }
	s.do("GET", fmt.Sprintf("/api/ftin/groupFtins/%d/awaited", s.groupOf(actor)), nil, s.as(actor)).into(s.t, &list)
	var tins []string
	for _, t := range list {
		tins = append(tins, t.FTIN+" by "+t.AddedBy)
	}
	return strings.Join(tins, ", ")
}

type sharedRow struct{ ID, FTIN, AddedDate, Office, StatusCd, ObjectionCd, Reason string }

// shared lists the sharing notices for a TIN holder.
func (s sharing) shared(actor string) (list []sharedRow, short string) {
	s.t.Helper()
	r := s.post("/ftin/shared/page", fields{"table": fields{"page": 0, "pageSize": 10}}, s.as(actor))
	s.want(r, 200, "")
	var found struct {
		Rows  []sharedRow
		Count int
	}
	r.into(s.t, &found)
	var texts []string
	for _, row := range found.Rows {
		texts = append(texts, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s %s", row.FTIN, row.Office, row.StatusCd, row.ObjectionCd,
			row.Reason)), " "))
	}
	assert.Equal(s.t, len(found.Rows), found.Count)
	return found.Rows, strings.Join(texts, ", ")
}

type sharingRow struct {
	ID, FTIN, GroupName, StatusCd, AddedBy, BillControlNumber, ProviderID, DecidedDate, DecidedBy string
	GroupID                                                                                       int64
	Named                                                                                         bool
	Holders                                                                                       []struct {
		GroupID                                                  int64
		GroupName, ObjectionCd, Reason, ObjectedDate, ObjectedBy string
	}
}

// sharings lists what system administrators see.
func (s sharing) sharings(undecided bool) []sharingRow {
	s.t.Helper()
	r := s.post("/ftin/sharings/page", fields{"undecided": undecided, "table": fields{"page": 0, "pageSize": 10}}, s.as("isad"))
	s.want(r, 200, "")
	var found struct{ Rows []sharingRow }
	r.into(s.t, &found)
	return found.Rows
}

func (s sharing) undecided() string {
	s.t.Helper()
	return strings.TrimSpace(string(s.do("GET", "/api/ftin/sharings/undecided", nil, s.as("isad")).body))
}

func (s sharing) objects(actor, id, reason string) reply {
	s.t.Helper()
	return s.post("/ftin/shared/"+id+"/objection", fields{"reason": reason}, s.as(actor))
}

func (s sharing) decides(actor, id, decision string) reply {
	s.t.Helper()
	return s.post("/ftin/sharings/"+id+"/decision", fields{"decision": decision}, s.as(actor))
}

// subjects returns the subjects of new emails to a user.
func (s sharing) subjects(name string) string {
	s.t.Helper()
	var list []string
	for _, m := range s.inbox(name + "@example.com") {
		list = append(list, m.Subject)
		for _, secret := range []string{"444444444", "Prad", "Ada", "Cal", "Tester"} {
			assert.NotContainsf(s.t, m.Subject+m.Text, secret, "the email to %s contains %q: %s", name, secret, m.Text)
		}
	}
	return strings.Join(list, ", ")
}

func (s sharing) equal(what, have, want string) {
	s.t.Helper()
	assert.Equal(s.t, want, have, what)
}

const (
	sharedMail  = "Another office added your TIN"
	askedMail   = "Another office requested your TIN"
	decidedMail = "Your TIN objection was decided"
)

// Groups with a TIN get a notice without the name when another group adds it, and can object.
// Nothing changes until a system administrator decides.
func TestHoldersOfATINAreTold(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		s := newSharing(p)
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.equal("scope", s.scope("prad"), "111111111 222222222 444444444")
		s.equal("prad's mail", s.subjects("prad"), "A TIN was added to your group")
		s.equal("ada's mail", s.subjects("ada"), sharedMail)
		s.equal("cal's mail", s.subjects("cal"), sharedMail)
		for _, who := range []string{"ada", "cal"} {
			_, short := s.entries(s.as(who), fields{"operation": "tin-shared"}, nil)
			s.equal(who+"'s log", strings.Join(short, "|"), "another office> tin-shared 444444444 ok")
			if r := s.post("/audit/export", fields{"subject": "444444444"},
				s.as(who)); !strings.HasSuffix(strings.TrimSpace(string(r.body)), ",another office,,tin-shared,444444444,,ok,,,") {
				t.Errorf("%s exports %s", who, r.body)
			}
		}
		if _, short := s.entries(s.as("prad"), fields{"operation": "tin-shared"}, nil); short != nil {
			t.Errorf("prad learns who has the TIN: %q", short)
		}

		list, short := s.shared("ada")
		s.equal("ada sees", short, "444444444 IN_USE")
		if _, own := s.shared("prad"); own != "" {
			t.Errorf("prad, who had nothing, sees %s", own)
		}
		id := list[0].ID
		if r := s.objects("ada", id, "  "); r.status != 400 || r.fields() != "reason: Enter a reason." {
			t.Errorf("%d %s", r.status, r.body)
		}
		if r := s.objects("ada", id, strings.Repeat("x", 401)); r.status != 400 || !strings.HasPrefix(r.fields(), "reason: ") {
			t.Errorf("%d %s", r.status, r.body)
		}
		for _, who := range []string{"prad", "nnus"} {
			s.want(s.objects(who, id, "Mine"), 404, "") // not one of their TINs
		}
		for who, status := range map[string]int{"prus": 403, "isad": 403, "irad": 403, "isad>ada": 403} {
			s.want(s.objects(who, id, "Mine"), status, "")
		}
		s.equal("undecided", s.undecided(), `{"count":0}`)
		s.want(s.decides("isad", id, "keep"), 409, "") // nobody objected
		s.want(s.objects("ada", id, "They closed\n in 2019"), 204, "")
		s.want(s.objects("ada", id, "Again"), 409, "")
		_, short = s.shared("ada")
		s.equal("ada sees", short, "444444444 IN_USE OPEN They closed in 2019")
		_, short = s.shared("cal")
		s.equal("cal sees", short, "444444444 IN_USE")
		s.equal("scope", s.scope("prad"), "111111111 222222222 444444444")
		s.equal("undecided", s.undecided(), `{"count":1}`)
		row := s.sharings(true)[0]
		if len(row.Holders) != 2 || row.GroupID != p.groupOf("prad") || row.GroupName != "Prad Tester" || row.AddedBy != "prad" ||
			row.BillControlNumber != "B4444" || row.ProviderID != "" ||
			row.StatusCd != "DISPUTED" || row.Holders[0].Reason != "They closed in 2019" || row.Holders[0].ObjectedBy != "ada" ||
			row.Holders[0].GroupName != "Ada Tester" || row.Holders[1].ObjectionCd != "" {
			t.Errorf("%+v", row)
		}

		// The name is visible only while a system administrator allows it.
		name := func(actor string, named bool) reply {
			return s.do("PUT", "/api/ftin/sharings/"+id+"/name", fields{"named": named}, s.as(actor))
		}
		s.want(name("ada", true), 403, "")
		s.want(name("isad", true), 204, "")
		_, short = s.shared("cal")
		s.equal("cal sees", short, "444444444 Prad Tester IN_USE")
		s.pages("/ftin/shared/page", "office", []pageCase{
			{"cal", nil, filtered("office", "prad"), "Prad Tester of 1"},
			{"cal", nil, filtered("office", "another"), " of 0"},
			{"cal", nil, filtered("status", "in use"), "Prad Tester of 1"},
			{"cal", nil, filtered("status", "refused"), " of 0"},
			{"cal", nil, filtered("objection", "pending"), " of 0"},
			{"ada", nil, filtered("objection", "pending"), "Prad Tester of 1"},
			{"cal", nil, fields{"sort": fields{"id": "nonsense"}}, "400"},
			{"isad", nil, nil, "403"}, {"prus", nil, nil, "403"}, {"irad", nil, nil, "403"}, {"isad>cal", nil, nil, "Prad Tester of 1"},
		})
		s.pages("/ftin/sharings/page", "groupName", []pageCase{
			{"isad", fields{"undecided": true}, filtered("group", "prad"), "Prad Tester of 1"},
			{"isad", fields{"undecided": true}, filtered("status", "objection"), "Prad Tester of 1"},
			{"isad", fields{"undecided": false}, nil, " of 0"},
			{"irad", fields{"undecided": true}, nil, "403"}, {"ada", fields{"undecided": true}, nil, "403"},
			{"isad>ada", fields{"undecided": true}, nil, "403"},
		})
		s.want(name("isad", false), 204, "")
		_, short = s.shared("cal")
		s.equal("cal sees", short, "444444444 IN_USE")
		s.pages("/ftin/shared/page", "office", []pageCase{{"cal", nil, filtered("office", "prad"), " of 0"}})

		// After the decision to keep it, the objection is closed. Another holder can still
		// object.
		s.want(s.decides("isad", id, "approve"), 409, "")
		if r := s.decides("isad", id, "whatever"); r.status != 400 || !strings.HasPrefix(r.fields(), "decision: ") {
			t.Errorf("%d %s", r.status, r.body)
		}
		s.want(s.decides("ada", id, "take-away"), 403, "")
		s.want(s.decides("isad", id, "keep"), 204, "")
		s.want(s.decides("isad", id, "keep"), 409, "")
		s.equal("prad's mail", s.subjects("prad"), "Your group keeps a TIN")
		s.equal("ada's mail", s.subjects("ada"), decidedMail)
		s.equal("cal's mail", s.subjects("cal"), "")
		_, short = s.shared("ada")
		s.equal("ada sees", short, "444444444 IN_USE DISMISSED They closed in 2019")
		s.want(s.objects("ada", id, "Again"), 409, "")
		s.want(s.objects("cal", id, "Ours alone"), 204, "")

		// Removing and re-adding it leaves the objection unchanged and sends no second notice.
		s.want(s.removes("prad", "prad", "444444444"), 200, "success")
		_, short = s.shared("cal")
		s.equal("cal sees", short, "444444444 ENDED Ours alone")
		s.want(s.decides("isad", id, "take-away"), 409, "")
		s.equal("undecided", s.undecided(), `{"count":0}`)
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.equal("cal's mail", s.subjects("cal"), "")
		s.equal("undecided", s.undecided(), `{"count":1}`)

		// Revoked: removed from the group and its users.
		s.want(s.post("/ftin/managedUserFtins/prus", []fields{{"ftin": "444444444", "hasIt": true}, {"ftin": "111111111", "hasIt": true}},
			s.as("prad")), 200, "success")
		s.equal("scope", s.scope("prus"), "111111111 444444444")
		s.subjects("prad")
		s.want(s.decides("isad", id, "take-away"), 204, "")
		s.equal("scope", s.scope("prad"), "111111111 222222222")
		s.equal("scope", s.scope("prus"), "111111111")
		s.equal("prad's mail", s.subjects("prad"), "A TIN was revoked from your group")
		s.equal("cal's mail", s.subjects("cal"), decidedMail)
		_, short = s.shared("cal")
		s.equal("cal sees", short, "444444444 TAKEN UPHELD Ours alone")
		p.audited(1, `operation = 'tin-remove' AND actor = 'isad' AND detail = '444444444'`)
		for who, want := range map[string]string{
			"ada": "isad> tin-sharing-take-away 444444444 ok|isad> tin-sharing-keep 444444444 ok|isad> tin-sharing-unname 444444444 " +
				"ok|isad> tin-sharing-name 444444444 ok|ada> tin-objection 444444444 ok|another office> tin-shared 444444444 ok",
			"prad": "isad> tin-sharing-take-away 444444444 ok|isad> tin-sharing-keep 444444444 ok|isad> tin-sharing-unname 444444444 " +
				"ok|isad> tin-sharing-name 444444444 ok",
		} {
			page, short := s.entries(s.as(who), fields{"subject": "444444444"}, nil)
			s.equal(who+"'s log", strings.Join(short, "|"), want)
			for _, e := range page.Rows {
				if who == "ada" && strings.Contains(e.Who+e.Subject+e.Detail, "prad") {
					t.Errorf("ada reads %+v", e)
				}
			}
		}

		// Added again, it waits for review, as an upheld objection requires.
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.equal("scope", s.scope("prad"), "111111111 222222222")
		s.equal("awaited", s.awaited("prad"), "444444444 by prad")
		_, short = s.shared("cal")
		s.equal("cal sees", short, "444444444 WAITING OPEN Ours alone")
		s.equal("cal's mail", s.subjects("cal"), askedMail)
		s.want(s.decides("isad", id, "refuse"), 204, "")
		s.equal("prad's mail", s.subjects("prad"), "A TIN of your group is under review, Your TIN was denied")

		// Feeds are authoritative, and an administrator's assignment skips the review. A TIN
		// with an upheld objection needs a new decision.
		s.want(s.post(fmt.Sprintf("/ftin/groupFtins/%d/444444444", p.groupOf("prad")), nil, s.as("isad")), 200, "success")
		s.equal("scope", s.scope("prad"), "111111111 222222222 444444444")
		s.equal("undecided", s.undecided(), `{"count":1}`)

		// Someone without the TIN gets no more notices about it.
		s.want(s.removes("cal", "cal", "444444444"), 200, "success")
		if _, short = s.shared("cal"); short != "" {
			t.Errorf("cal sees %s", short)
		}
		s.want(s.objects("cal", id, "Still"), 404, "")
	})
}

// A denied or revoked TIN waits again even if the group withdrew a request since.
func TestADecisionOutlivesAWithdrawal(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		s := newSharing(p)
		const ftin = "444444444"
		before := s.scope("prad")
		id := s.addAndRevoke(ftin)
		s.subjects("ada")
		s.subjects("cal")
		for range 2 {
			s.later()
			s.want(s.adds("prad", "prad", ftin), 200, "success")
			s.equal("scope", s.scope("prad"), before)
			s.equal("awaited", s.awaited("prad"), ftin+" by prad")
			s.equal("ada's mail", s.subjects("ada"), askedMail)
			s.equal("cal's mail", s.subjects("cal"), askedMail)
			if row := s.sharings(true)[0]; row.StatusCd != "WAITING" || row.DecidedBy != "isad" || row.DecidedDate == "" {
				t.Errorf("%+v", row)
			}
			s.later()
			s.want(s.removes("prad", "prad", ftin), 200, "success")
			_, short := s.shared("cal")
			s.equal("cal sees", short, ftin+" ENDED")
		}

		// An approved TIN that is removed and added again doesn't need a review.
		s.later()
		s.want(s.adds("prad", "prad", ftin), 200, "success")
		s.later()
		s.want(s.decides("isad", id, "approve"), 204, "")
		for range 2 {
			s.later()
			s.want(s.removes("prad", "prad", ftin), 200, "success")
			s.later()
			s.want(s.adds("prad", "prad", ftin), 200, "success")
			s.equal("scope", s.scope("prad"), before+" "+ftin)
		}
	})
}

// A TIN that a system administrator removes waits for review when the group adds it again, shared or not. Objections to it are upheld.
func TestARemovalByTheNetworkIsADecision(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		s := newSharing(p)
		before := s.scope("prad")
		for _, ftin := range []string{"444444444", "666666666"} { // the second is nobody else's
			s.want(s.adds("prad", "prad", ftin), 200, "success")
			if list, _ := s.shared("ada"); ftin == "444444444" {
				s.want(s.objects("ada", list[0].ID, "Ours"), 204, "")
				s.subjects("ada")
			}
			s.later()
			s.want(s.removes("isad", "prad", ftin), 200, "success")
			s.want(s.removes("isad", "prad", ftin), 404, "")
			rows := s.sharings(false)
			row := rows[slices.IndexFunc(rows, func(r sharingRow) bool { return r.FTIN == ftin })]
			if row.StatusCd != "TAKEN" || row.AddedBy != "prad" || row.DecidedBy != "isad" {
				t.Errorf("%+v", row)
			}
			for range 2 {
				s.later()
				s.want(s.adds("prad", "prad", ftin), 200, "success")
				s.equal("scope", s.scope("prad"), before)
				s.equal("awaited", s.awaited("prad"), ftin+" by prad")
				s.want(s.withdraws("prad", ftin), 200, "success")
			}
		}
		s.equal("ada's mail", s.subjects("ada"), decidedMail+", "+askedMail+", "+askedMail)
		_, short := s.shared("ada")
		s.equal("ada sees", short, "444444444 ENDED Ours")

		// The network's own assignment ends it.
		s.later()
		s.want(s.post(fmt.Sprintf("/ftin/groupFtins/%d/666666666", p.groupOf("prad")), nil, s.as("isad")), 200, "success")
		s.later()
		s.want(s.removes("prad", "prad", "666666666"), 200, "success")
		s.want(s.adds("prad", "prad", "666666666"), 200, "success")
		s.equal("scope", s.scope("prad"), before+" 666666666")
	})
}

// A TIN that a file gives to a group doesn't need a review later, whatever was decided before.
func TestAFeedEndsADecision(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		s := newSharing(p)
		const ftin = "444444444"
		before := s.scope("prad")
		s.addAndRevoke(ftin)
		s.later()
		s.want(s.adds("prad", "prad", ftin), 200, "success")
		s.equal("awaited", s.awaited("prad"), ftin+" by prad")
		s.later()
		s.want(s.removes("prad", "prad", ftin), 200, "success")
		require.NoError(t, p.DB.Tx(t.Context(), func(tx *sql.Tx) error {
			_, _, err := p.TINs.ImportLink(t.Context(), tx, tins.Link{GroupID: p.groupOf("prad"), FTIN: ftin})
			return err
		}))
		s.later()
		s.want(s.removes("prad", "prad", ftin), 200, "success")
		s.later()
		s.want(s.adds("prad", "prad", ftin), 200, "success")
		s.equal("awaited", s.awaited("prad"), "")
		s.equal("scope", s.scope("prad"), before+" "+ftin)
	})
}

// With the approve setting, a shared TIN isn't in any scope before the review.
func TestSharedTINsWaitForTheReview(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.TINSharing = "approve" }, func(t *testing.T, p *portal) {
		s := newSharing(p)
		before := s.scope("prad")
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.want(s.adds("prad", "prad", "444444444"), 400, "TIN_EXISTS_INTGRP")
		s.equal("prad's mail", s.subjects("prad"), "A TIN of your group is under review")
		s.equal("ada's mail", s.subjects("ada"), askedMail)
		p.audited(1, `operation = 'tin-add' AND actor = 'prad' AND result = 'waits'`)
		nothing := func() {
			t.Helper()
			s.equal("scope", s.scope("prad"), before)
			for _, path := range []string{"/ftin/managedUserFtins/prus", fmt.Sprintf("/ftin/groupFtins/%d", p.groupOf("prad"))} {
				if r := s.do("GET", "/api"+path, nil, s.as("prad")); r.status != 200 || strings.Contains(string(r.body), "444444444") {
					t.Errorf("%s: %d %s", path, r.status, r.body)
				}
			}
			for path, body := range map[string]any{
				"POST /billSearch/searchByAssorted": fields{"ftin": "444444444", "billControlNumber": "B4444"},
				"GET /provider/list/444444444":      nil, "GET /clients/list/444444444": nil,
			} {
				method, path, _ := strings.Cut(path, " ")
				s.want(s.do(method, "/api"+path, body, s.as("prad")), 404, "")
			}
			s.want(s.post("/ftin/managedUserFtins/prus", []fields{{"ftin": "444444444", "hasIt": true}}, s.as("prad")), 400, "")
			var found []struct{ GrpInfoID int64 }
			r := s.post("/admin/groupList", fields{"taxIdNumber": "444444444"}, s.as("isad"))
			r.into(t, &found)
			assert.Len(t, found, 2, r.body)
		}
		nothing()
		// It can be withdrawn and requested again. The other holders get no second notice.
		s.want(s.removes("prad", "prad", "444444444"), 200, "success")
		s.equal("awaited", s.awaited("prad"), "")
		s.want(s.removes("prad", "prad", "444444444"), 404, "")
		_, short := s.shared("ada")
		s.equal("ada sees", short, "444444444 ENDED")
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.equal("ada's mail", s.subjects("ada"), "")
		nothing()
		s.equal("awaited", s.awaited("prad"), "444444444 by prad")
		for who, status := range map[string]int{"prus": 403, "ada": 404, "isad": 403, "isad>prad": 200} {
			s.want(s.do("GET", fmt.Sprintf("/api/ftin/groupFtins/%d/awaited", p.groupOf("prad")), nil, s.as(who)), status, "")
		}
		list, _ := s.shared("ada")
		id := list[0].ID
		s.want(s.objects("ada", id, "No"), 204, "")
		s.want(s.decides("isad", id, "keep"), 409, "")
		s.want(s.decides("isad", id, "refuse"), 204, "")
		nothing()
		_, short = s.shared("ada")
		s.equal("ada sees", short, "444444444 REFUSED UPHELD No")
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		nothing()
		_, short = s.shared("ada")
		s.equal("ada sees", short, "444444444 WAITING OPEN No")
		s.subjects("prad")
		s.want(s.decides("isad", id, "approve"), 204, "")
		s.equal("prad's mail", s.subjects("prad"), "Your TIN was approved")
		s.equal("scope", s.scope("prad"), before+" 444444444")
		_, short = s.shared("ada")
		s.equal("ada sees", short, "444444444 IN_USE DISMISSED No")
		s.want(s.adds("prad", "prad", "444444444"), 400, "TIN_EXISTS_INTGRP")
		if row := s.sharings(false)[0]; row.DecidedBy != "isad" || row.DecidedDate == "" {
			t.Errorf("%+v", row)
		}

		// An unassigned TIN skips the review. So does a system administrator's assignment, but
		// its holders are notified.
		s.want(s.adds("prad", "prad", "666666666"), 200, "success")
		s.equal("awaited", s.awaited("prad"), "")
		s.inbox("ada@example.com")
		s.want(s.adds("isad", "prad", "555555555"), 200, "success")
		s.equal("scope", s.scope("prad"), before+" 444444444 555555555 666666666")
		s.equal("ada's mail", s.subjects("ada"), sharedMail)
		s.want(s.post(fmt.Sprintf("/ftin/nonNetworkGroupFtins/%d/666666666", p.groupOf("nnus")), fields{}, s.as("isad")), 200, "success")
		s.equal("prad's mail", s.subjects("prad"), "A TIN was added to your group, A TIN was added to your group, "+sharedMail)
		s.inbox("nnus@example.com")
		nora := fields{
			"userFirstName": "Nora", "userLastName": "Newman", "emailAddr": "nora@example.com", "phoneNum": "2165550148",
			"affiliationCd": "OFC_STAFF",
			"jobTitle":      "Biller", "companyNm": "Newman", "typeCd": "PRAD",
			"userFtins":   []fields{{"ftin": "666666666"}, {"ftin": "666666666"}, {"ftin": "123123123"}},
			"sharedFtins": []string{"666666666"},
		}
		s.want(s.do("PUT", "/api/users/createUser", nora, s.as("isad")), 200, "")
		s.equal("prad's mail", s.subjects("prad"), sharedMail)
		s.equal("nnus' mail", s.subjects("nnus"), sharedMail)
		_, short = s.shared("nnus")
		s.equal("nnus sees", short, "666666666 IN_USE")
		list, _ = s.shared("nnus")
		s.want(s.objects("nnus", list[0].ID, "Mine"), 204, "")
		// A group's only TIN stays.
		p.exec(`DELETE FROM group_tins WHERE ftin = '123123123'`)
		s.want(s.decides("isad", list[0].ID, "take-away"), 409, "You cannot remove all TINs.")
		s.equal("undecided", s.undecided(), `{"count":1}`)
	})
}

// An administrator who withdraws a TIN that was approved first doesn't remove it.
func TestWithdrawingDoesNotRemoveAnApprovedTIN(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.TINSharing = "approve" }, func(t *testing.T, p *portal) {
		s := newSharing(p)
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.want(s.withdraws("prad", "444444444"), 200, "success")
		s.want(s.withdraws("prad", "444444444"), 404, "")
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.later()
		s.want(s.decides("isad", s.sharings(true)[0].ID, "approve"), 204, "")
		before := s.scope("prad")
		s.want(s.withdraws("prad", "444444444"), 409,
			"This TIN was approved, so it's in use now. To stop using it, remove it from the list.")
		assert.Contains(t, before, "444444444")
		s.equal("prad's scope", s.scope("prad"), before)
		s.want(s.removes("prad", "prad", "444444444"), 200, "success")
	})
}

// Feeds are authoritative. They don't notify anyone, and pending TINs become active.
func TestFeedsEndTheWait(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.TINSharing = "approve" }, func(t *testing.T, p *portal) {
		s := newSharing(p)
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		s.subjects("ada")
		for _, ftin := range []string{"444444444", "555555555"} {
			require.NoError(t, p.DB.Tx(t.Context(), func(tx *sql.Tx) error {
				_, _, err := p.TINs.ImportLink(t.Context(), tx, tins.Link{GroupID: p.groupOf("prad"), FTIN: ftin})
				return err
			}))
		}
		s.equal("scope", s.scope("prad"), "111111111 222222222 444444444 555555555")
		s.equal("awaited", s.awaited("prad"), "")
		s.equal("ada's mail", s.subjects("ada"), "")
		_, short := s.shared("ada")
		s.equal("ada sees", short, "444444444 IN_USE")
	})
}

// An approval waits for another group that is adding the TIN, so that each notices the other.
func TestApprovingWhileATINIsAdded(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.TINSharing = "approve" }, func(t *testing.T, p *portal) {
		s := newSharing(p)
		s.want(s.adds("prad", "prad", "444444444"), 200, "success")
		list, _ := s.shared("ada")
		s.as("isad")
		decided := make(chan struct{})
		require.NoError(t, p.DB.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := p.DB.Lock(t.Context(), tx, 7723504, int(crc32.ChecksumIEEE([]byte("444444444"))>>1)); err != nil {
				return err
			}
			go func() {
				defer close(decided)
				s.want(s.decides("isad", list[0].ID, "approve"), 204, "")
			}()
			select {
			case <-decided:
				t.Error("approved during the change")
			case <-time.After(300 * time.Millisecond):
			}
			return nil
		}))
		<-decided
		s.equal("scope", s.scope("prad"), "111111111 222222222 444444444")
	})
}

// If several groups add a TIN at the same time, one gets it and the others wait.
func TestAddingATINAtOnce(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.TINSharing = "approve" }, func(t *testing.T, p *portal) {
		s := newSharing(p)
		names := []string{"prad", "ada", "cal", "dan", "eve"}
		p.add("dan", access.PRAD, 0, "123123123")
		p.add("eve", access.PRAD, 0, "123123124")
		for _, name := range names {
			s.as(name)
		}
		p.exec(`DELETE FROM rate_limits`)
		var wait sync.WaitGroup
		for _, name := range names {
			path := fmt.Sprintf("/ftin/validateandSaveFtin/%d/666666666?bcn=B6666", p.groupOf(name))
			wait.Go(func() {
				if r := s.post(path, nil, bearer(s.tokens[name])); r.status != http.StatusOK {
					t.Errorf("%s: %d %s", name, r.status, r.body)
				}
			})
		}
		wait.Wait()
		if has, waits := p.count(`SELECT count(*) FROM group_tins
			WHERE ftin = '666666666'`), p.count(`SELECT count(*) FROM tin_sharings WHERE ftin = '666666666'
				AND status_cd = 'WAITING'`); has != 1 || waits != 4 {
			t.Errorf("%d have it, %d wait", has, waits)
		}
	})
}
