package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/openbills"
	"wcpp/internal/identity/access"
)

// assign assigns a TIN's only open bill to a user in the actor's group.
func (p *portal) assign(actor, ftin, to string) {
	p.t.Helper()
	var found struct {
		Bills []struct {
			ID      string
			Changed int64
			Work    struct{ Version int64 }
		}
	}
	token := bearer(p.signIn(actor))
	p.post("/work/bills/search", fields{"filter": fields{"tins": []string{ftin}}}, token).into(p.t, &found)
	bill := found.Bills[0]
	p.want(p.put("/work/bills/work", fields{"bills": []fields{{"id": bill.ID, "version": bill.Work.Version, "changed": bill.Changed}},
		"assignTo": to}, token), 200, "")
}

func (p *portal) assigned() int {
	return p.count(`SELECT count(*) FROM bill_work WHERE assigned_to IS NOT NULL`)
}

// A bill has the same row ID in every response, in the list and on its page. Selected rows stay
// selected after a colleague's change.
func TestARowHasTheSameIDEachTime(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.add("ada", access.PRAD, 0, "444444444", "555555555")
		token := bearer(p.signIn("ada"))
		idsOf := func() (ids []string) {
			var found struct{ Bills []struct{ ID string } }
			p.post("/work/bills/search", fields{"filter": fields{}}, token).into(t, &found)
			for _, bill := range found.Bills {
				ids = append(ids, bill.ID)
			}
			return ids
		}
		first, again := idsOf(), idsOf()
		if len(first) < 2 || !slices.Equal(first, again) {
			t.Errorf("the rows are %q, and a moment later %q", first, again)
		}
		var page struct{ Bill struct{ Page string } }
		if p.do("GET", "/api/work/bills/"+first[0], nil, token).into(t, &page); page.Bill.Page != first[0] {
			t.Errorf("the page of %q is %q", first[0], page.Bill.Page)
		}
	})
}

// However a user loses a TIN, its bills become unassigned.
func TestLosingATINEndsItsAssignments(t *testing.T) {
	for way, lose := range map[string]func(p *portal, isad option){
		"Manage TINs": func(p *portal, _ option) {
			p.want(p.do("POST", "/api/ftin/managedUserFtins/ben", []fields{{"ftin": "444444444", "hasIt": false},
				{"ftin": "555555555", "hasIt": true}}, bearer(p.signIn("ada"))), 200, "")
		},
		"taken from many": func(p *portal, _ option) {
			p.want(p.post("/work/users/ftins", fields{"change": "take", "ftins": []string{"444444444"}, "userNames": []string{"ben"}},
				bearer(p.signIn("ada"))), 200, "")
		},
		"the group's TIN is taken": func(p *portal, _ option) {
			p.want(p.do("DELETE", fmt.Sprintf("/api/ftin/groupFtins/%d/444444444", p.groupOf("ada")), nil, bearer(p.signIn("ada"))),
				200, "")
		},
		"terminated": func(p *portal, isad option) {
			p.want(p.do("PUT", "/api/users/terminateUser/isad/ben", fields{}, isad), 200, "1")
		},
		"moved to another group": func(p *portal, _ option) {
			p.importTable("users", fmt.Sprintf("user_name,first_name,last_name,email,type,status,group_id\nben,Ben,Tester,"+
				"ben@example.com,PRUS,ACTIV,%d\n", p.groupOf("prad")))
		},
		"no longer one who sees bills": func(p *portal, _ option) {
			p.importTable("users", fmt.Sprintf("user_name,first_name,last_name,email,type,status,group_id\nben,Ben,Tester,"+
				"ben@example.com,ROUS,ACTIV,%d\n", p.groupOf("ada")))
		},
	} {
		t.Run(way, func(t *testing.T) {
			each(t, nil, func(t *testing.T, p *portal) {
				p.onFile()
				office := p.add("ada", access.PRAD, 0, "444444444", "555555555").GroupID
				p.add("ben", access.PRUS, office, "444444444", "555555555")
				p.add("cy", access.PRAD, 0, "444444444") // in another office that also has the TIN
				p.assign("ada", "444444444", "ben")
				p.assign("cy", "444444444", "cy")
				isad := bearer(p.signIn("isad"))
				lose(p, isad)
				assert.Equal(t, 0, p.count(`SELECT count(*) FROM bill_work WHERE group_id = $1 AND assigned_to IS NOT NULL`, office))
				assert.Equal(t, 1, p.assigned())
				p.audited(1, `operation = 'bill-work-lost' AND subject = '444444444'`)
				var losses []struct {
					ID    int64
					Name  string
					FTIN  string
					Bills int
				}
				p.do("GET", "/api/work/lost-assignments", nil, bearer(p.signIn("ada"))).into(t, &losses)
				if way == "the group's TIN is taken" {
					assert.Empty(t, losses)
					return
				}
				if len(losses) != 1 || losses[0].Name != "Ben Tester" || losses[0].FTIN != "444444444" || losses[0].Bills != 1 {
					t.Fatalf("%+v", losses)
				}
				for actor, status := range map[string]int{"ada": 200, "cy": 200, "isad>ada": 200, "prus": 403} {
					r := p.do("GET", "/api/work/lost-assignments", nil, bearer(p.tokenOf(actor)))
					if p.want(r, status, ""); actor != "ada" && status == 200 && strings.TrimSpace(string(r.body)) != "[]" {
						t.Errorf("%s got %s", actor, r.body)
					}
				}
				path := fmt.Sprintf("/api/work/lost-assignments/%d", losses[0].ID)
				p.want(p.do("DELETE", path, nil, bearer(p.tokenOf("isad>ada"))), 403, "")
				p.want(p.do("DELETE", path, nil, bearer(p.signIn("ada"))), http.StatusNoContent, "")
				p.audited(1, `operation = 'bill-work-lost-seen'`)
			})
		})
	}
}

// Views and files of open bills belong to their owner or group, never to someone who mirrors.
// Changes to them are audited.
func TestViewsAndFilesOfOpenBills(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		office := p.add("ada", access.PRAD, 0, "444444444", "555555555").GroupID
		p.add("ben", access.PRUS, office, "444444444")
		p.add("cy", access.PRAD, 0, "444444444")
		ben, ada := bearer(p.signIn("ben")), bearer(p.signIn("ada"))
		definition := fields{"filter": fields{"states": []string{"received"}, "ageFrom": 10}}
		var view struct {
			ID      string
			Version int64
		}
		r := p.post("/work/views", fields{"name": "Waiting", "shared": true, "pinned": true, "definition": definition}, ben)
		p.want(r, http.StatusCreated, "")
		r.into(t, &view)
		p.want(p.post("/work/views", fields{"name": "Waiting", "shared": true, "pinned": true, "definition": definition}, ben), 400, "")
		for actor, want := range map[string]string{"ben": `"bills":1}]`, "ada": `"bills":2}]`, "cy": "[]", "isad>ben": "[]"} {
			r := p.do("GET", "/api/work/views/counts", nil, bearer(p.tokenOf(actor)))
			if p.want(r, 200, ""); !strings.HasSuffix(strings.TrimSpace(string(r.body)), want) {
				t.Errorf("%s: %s", actor, r.body)
			}
		}
		change := fields{"name": "Waiting long", "shared": true, "pinned": true, "definition": definition, "version": view.Version,
			"position": 0}
		p.want(p.put("/work/views/"+view.ID, change, bearer(p.tokenOf("isad>ben"))), 403, "")
		p.want(p.put("/work/views/"+view.ID, change, ada), 200, "")
		if r := p.put("/work/views/"+view.ID, change, ben); r.status != 409 || !strings.Contains(string(r.body), `"name":"Waiting long"`) ||
			!strings.Contains(string(r.body), `"updatedBy":"ada"`) {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.audited(1, `operation = 'view-add'`)
		p.audited(1, `operation = 'view-change' AND actor = 'ada'`)

		p.want(p.post("/work/bills/export", definition, bearer(p.tokenOf("isad>ben"))), 403, "")
		r = p.post("/work/bills/export", definition, ben)
		p.want(r, 200, "")
		var file struct{ ID string }
		r.into(t, &file)
		p.audited(1, `operation = 'openBillsExport' AND actor = 'ben' AND keys LIKE '%about 444444444%'`)
		require.NoError(t, p.OpenBills.MakeExport(t.Context(), &river.Job[openbills.ExportArgs]{JobRow: &rivertype.JobRow{Attempt: 1,
			MaxAttempts: 5}, Args: openbills.ExportArgs{ID: file.ID}}))
		p.audited(1, `operation = 'openBillsExportPart' AND actor = 'ben' AND answered LIKE '%B4444%'`)
		for actor, status := range map[string]int{"ben": 200, "ada": 404, "cy": 404, "isad>ben": 404} {
			p.want(p.do("GET", "/api/work/exports/"+file.ID+"/result.csv", nil, bearer(p.tokenOf(actor))), status, "")
		}
		p.audited(1, `operation = 'openBillsExportFile'`)
		if r := p.do("GET", "/api/work/exports/"+file.ID+"/result.csv", nil, ben); !strings.HasPrefix(string(r.body),
			"\uFEFFBill,Claimant,") || !strings.Contains(string(r.body), "\nB4444,") {
			t.Errorf("%s", r.body)
		}
		p.want(p.do("DELETE", "/api/work/exports/"+file.ID, nil, ben), http.StatusNoContent, "")
		p.want(p.do("DELETE", "/api/work/views/"+view.ID, nil, ada), http.StatusNoContent, "")
		p.audited(1, `operation = 'view-remove'`)
	})
}

// A request accepts the maximum number of bills, however long their IDs are.
func TestFiveHundredBillsAtOnce(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.add("ben", access.PRUS, 0, "444444444")
		token := bearer(p.signIn("ben"))
		ids, targets := make([]string, 500), make([]fields, 500)
		for i := range ids {
			ids[i] = fmt.Sprintf("%0*d", 400, i)
			targets[i] = fields{"id": ids[i], "version": 1 << 40, "changed": 1 << 40}
		}
		for path, body := range map[string]fields{
			"/work/bills/search":  {"filter": fields{"bills": ids}},
			"/work/bills/summary": {"bills": ids},
			"/work/bills/export":  {"filter": fields{"bills": ids}},
		} {
			if r := p.post(path, body, token); r.status == http.StatusRequestEntityTooLarge {
				t.Errorf("%s: %d %s", path, r.status, r.body)
			}
		}
		if r := p.put("/work/bills/work", fields{"bills": targets, "marked": "done"}, token); r.status == http.StatusRequestEntityTooLarge {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}
