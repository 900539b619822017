package app_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// addStaffRoles adds read-only administrators with each staff role.
func (p *portal) addStaffRoles() {
	p.t.Helper()
	for name, role := range map[string]access.Role{"clerk": access.Cases, "lead": access.Lead} {
		p.add(name, access.IRAD, 0)
		p.exec(`UPDATE users SET staff_role = $2 WHERE user_name = $1`, name, role)
	}
}

// A staff role allows writing in questions only. Every other write that a read-only administrator
// can't do stays refused.
func TestStaffRolesWriteQuestionsOnly(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	p.addStaffRoles()
	reader := access.Actor{Person: access.Person{Type: access.IRAD}}
	granted := 0
	for name, role := range map[string]access.Role{"clerk": access.Cases, "lead": access.Lead} {
		token := p.signIn(name)
		staff := access.Actor{Person: access.Person{Type: access.IRAD, Role: role}}
		mirrored := access.Person{Type: access.PRAD}
		mirror, before := staff, reader
		mirror.Mirrored, before.Mirrored = &mirrored, &mirrored
		for _, op := range p.API.Operations() {
			if op.Effect != httpapi.Write || op.Access == httpapi.Public {
				continue
			}
			allowed := func(a access.Actor) bool { return access.Allow(a, op.Access, op.Effect) == nil }
			assert.Equalf(t, allowed(before), allowed(mirror), "%s: the role counts while mirroring", op.ID)
			want := allowed(reader) || op.Access == "cases.work" || op.Access == "cases.lead" && role == access.Lead
			assert.Equalf(t, want, allowed(staff), "%s with %s: allowed %t", op.ID, role, !want)
			if allowed(reader) {
				continue
			}
			r := p.do(op.Method, "/api"+parameter.ReplaceAllString(op.Path, "x"), fields{}, bearer(token))
			assert.Equalf(t, want, r.status != http.StatusForbidden, "%s with %s: %d, want it allowed", op.ID, role, r.status)
			if want {
				granted++
			}
		}
	}
	if granted < 9 { // answer, ask, take and release for both, and assign
		t.Errorf("the roles allow %d writes", granted)
	}
	for _, kind := range access.Types {
		with := access.Person{Type: kind, Role: access.Lead}
		if kind != access.IRAD && fmt.Sprint(on.Permissions(access.Actor{Person: with})) !=
			fmt.Sprint(on.Permissions(access.Actor{Person: access.Person{Type: kind}})) {
			t.Errorf("the role counts for %s", kind)
		}
	}
}

// A system administrator changes a role. The person's next request has it in the same session,
// at every instance.
func TestChangeStaffRole(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		second := p.another()

		var c struct {
			Number, Owner string
			Version       int64
		}
		p.post("/work/cases", fields{"requestKey": "k", "topic": "OTHER", "body": "Why?"}, bearer(p.signIn("prad"))).into(t, &c)
		p.add("kim", access.IRAD, 0)
		isad, kim := bearer(p.signIn("isad")), bearer(p.signIn("kim"))
		change := func(user, seen, role string, status int) {
			t.Helper()
			p.want(p.put("/desk/staff/"+user, fields{"role": role, "seen": seen}, isad), status, "")
		}
		at := func(step string, status int, more fields) {
			t.Helper()
			sent := fields{"version": c.Version}
			maps.Copy(sent, more)
			r := second.post("/desk/cases/"+c.Number+"/"+step, sent, kim)
			p.want(r, status, "")
			if status == http.StatusOK {
				r.into(t, &c)
			}
		}
		at("take", 403, nil)
		change("kim", "", "CASES", 204)
		at("take", 200, nil)
		at("release", 200, nil)
		at("assign", 403, fields{"userName": "isad"})
		at("take", 200, nil)
		p.want(p.do("GET", "/api/desk/cases/times", nil, kim), 403, "")
		change("kim", "", "LEAD", 409) // someone else changed it
		change("kim", "CASES", "LEAD", 204)
		p.want(second.do("GET", "/api/desk/cases/times", nil, kim), 200, "")
		staff := listStaff(t, second.do("GET", "/api/desk/staff", nil, kim))
		assert.Equal(t, "Irad IRAD  false, Isad ISAD  true, Kim IRAD LEAD true", staff)
		at("assign", 200, fields{"userName": "isad"})
		at("assign", 409, fields{"userName": "irad"})
		at("assign", 200, fields{"userName": "kim"})
		assert.Equal(t, "Kim Tester", c.Owner, c)
		change("kim", "LEAD", "", 204)
		at("answer", 403, fields{"requestKey": "a", "body": "By contract."})
		p.do("GET", "/api/desk/cases/"+c.Number, nil, isad).into(t, &c)
		assert.Empty(t, c.Owner, c)
		p.audited(1, `operation = 'user-staff-role' AND subject = 'kim' AND actor = 'isad' AND detail = 'none -> CASES'`)
		p.audited(1, `operation = 'user-staff-role' AND subject = 'kim' AND detail = 'CASES -> LEAD'`)
		p.audited(1, `operation = 'user-staff-role' AND subject = 'kim' AND detail = 'LEAD -> none'`)
		p.audited(1, `operation = 'case-unassign' AND actor = 'isad'`)

		change("kim", "", "BOSS", 400)
		for _, name := range []string{"prad", "isad"} {
			change(name, "", "CASES", 409)
		}
		p.want(p.put("/desk/staff/kim", fields{"role": "LEAD", "seen": ""}, kim), 403, "")
	})
}

func listStaff(t *testing.T, r reply) string {
	t.Helper()
	var list []struct {
		Name, TypeCd, Role string
		Answers            bool
	}
	r.into(t, &list)
	lines := make([]string, len(list))
	for i, s := range list {
		lines[i] = fmt.Sprintf("%s %s %s %t", strings.TrimSuffix(s.Name, " Tester"), s.TypeCd, s.Role, s.Answers)
	}
	return strings.Join(lines, ", ")
}

// A write is refused if the person loses the role while the request runs. The question stays as it was.
func TestRoleLostDuringARequest(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.addStaffRoles()
		var c struct{ Number string }
		p.post("/work/cases", fields{"requestKey": "k", "topic": "OTHER", "body": "Why?"}, bearer(p.signIn("prad"))).into(t, &c)
		clerk := bearer(p.signIn("clerk"))
		p.want(p.post("/desk/cases/"+c.Number+"/take", fields{"version": 1}, clerk), 200, "")
		p.API.Observe(func(op httpapi.Operation, _ context.Context) {
			if op.Access == "cases.work" {
				p.exec(`UPDATE users SET staff_role = '' WHERE user_name = 'clerk'`)
			}
		})
		for _, step := range []string{"release", "answer", "ask", "take"} {
			p.exec(`UPDATE users SET staff_role = 'CASES' WHERE user_name = 'clerk'`)
			w := fields{"requestKey": "a", "version": 2, "body": "By contract."}
			p.want(p.post("/desk/cases/"+c.Number+"/"+step, w, clerk), 403, "")
		}
		if n := p.count(`SELECT count(*) FROM cases WHERE version = 2 AND owner_id = $1`, p.user("clerk").ID); n != 1 {
			t.Error("a refused write changed the question")
		}
	})
}

// Without the Workspace, roles have no effect.
func TestStaffRolesWithoutWorkspace(t *testing.T) {
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = "off" })
	p.addStaffRoles()
	isad, lead := bearer(p.signIn("isad")), p.signIn("lead")
	p.want(p.put("/desk/staff/lead", fields{"role": "", "seen": "LEAD"}, isad), 404, "")
	p.want(p.do("GET", "/api/desk/staff", nil, isad), 404, "")
	var with, without struct{ Permissions, Routes []string }
	p.do("GET", "/api/session", nil, bearer(lead)).into(t, &with)
	p.do("GET", "/api/session", nil, bearer(p.signIn("irad"))).into(t, &without)
	assert.Equalf(t, fmt.Sprint(without), fmt.Sprint(with), "%v\n%v", with, without)
	p.want(p.do("PUT", "/api/users/terminateUser/isad/lead", fields{"userNm": "lead"}, isad), 200, "")
}
