package app_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/version"
)

// stale checks that a save is rejected as stale. It returns the other person's changes by field,
// and the stored version.
func (p *portal) stale(r reply) (theirs map[string]string, current string) {
	p.t.Helper()
	var refused httpapi.Problem
	if r.status != 409 || !httpProblem(r, &refused) || refused.Code != version.CodeStale || refused.Version == "" {
		p.t.Fatalf("%d %s", r.status, r.body)
	}
	theirs = map[string]string{}
	for _, f := range refused.Fields {
		theirs[f.Path] = *f.Value
	}
	return theirs, refused.Version
}

// A save is rejected if it would undo a change that its form hasn't loaded. The response lists
// the changes. The save succeeds with the version from the response, and also without a version,
// as specified.
func TestLostUpdates(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		prad, isad := p.signIn("prad"), p.signIn("isad")
		type form struct {
			name string
			// read returns the version that a screen reads.
			read func() any
			// save saves two people's values. theirs and mine are their changes.
			save         func(value string, version any) reply
			theirs, mine string
			field        string
			// mustSend is true if every save sends a version.
			mustSend bool
		}
		versionIn := func(r reply, name string) any {
			var f fields
			r.into(t, &f)
			return f[name]
		}
		with := func(f fields, version any) fields {
			if version != nil {
				f["version"] = version
			}
			return f
		}
		group := p.user("prus").GroupID
		source := versionIn(p.post("/desk/feeds/sources", fields{"name": "North", "kind": "x12", "pattern": "", "expected": "",
			"graceMinutes": 5, "ownerMail": ""}, bearer(isad)), "id")
		notification := p.written(nil, "prus")
		p.put("/notifications/create", notification, bearer(isad)).into(t, &notification)
		for _, c := range []form{
			{
				name: "a profile", field: "jobTitle", theirs: "Coder", mine: "Manager",
				read: func() any {
					return versionIn(p.do("GET", "/api/users/userByName/prus", nil, bearer(isad)), "version")
				},
				save: func(value string, version any) reply {
					return p.put("/users/updateUser", with(details("prus", func(f fields) { f["jobTitle"] = value }), version),
						bearer(prad))
				},
			},
			{
				name: "the required profile dialog", field: "companyNm", theirs: "Lakeside", mine: "Hillside",
				read: func() any {
					return versionIn(p.do("GET", "/api/users/userByName/prad", nil, bearer(isad)), "version")
				},
				save: func(value string, version any) reply {
					return p.post("/users/updateBackfill", with(fields{"userNm": "prad", "jobTitle": "Lead", "companyNm": value,
						"affiliationCd": "OFC_STAFF"}, version), bearer(prad))
				},
			},
			{
				name: "the List a user's TINs", field: "222222222", theirs: "true", mine: "false",
				read: func() any {
					var list []fields
					p.do("GET", "/api/ftin/managedUserFtins/prus", nil, bearer(prad)).into(t, &list)
					return list[0]["version"]
				},
				save: func(value string, version any) reply {
					return p.post("/ftin/managedUserFtins/prus", []fields{
						with(fields{"ftin": "111111111", "hasIt": true}, version),
						with(fields{"ftin": "222222222", "hasIt": value == "true"}, version),
					}, bearer(prad))
				},
			},
			{
				name: "the name of a group", field: "name", theirs: "Lakeside East", mine: "Lakeside West",
				read: func() any {
					var found []fields
					p.post("/admin/groupList", fields{"portalUserGroupId": fmt.Sprint(group)}, bearer(isad)).into(t, &found)
					return found[0]["nameVersion"]
				},
				save: func(value string, version any) reply {
					return p.put(fmt.Sprintf("/desk/groups/%d/name", group), with(fields{"name": value}, version), bearer(isad))
				},
			},
			{
				name: "a source of feeds", field: "pattern", theirs: "north-*", mine: "n-*",
				read: func() any {
					var list struct{ Sources []fields }
					p.do("GET", "/api/desk/feeds/sources", nil, bearer(isad)).into(t, &list)
					return list.Sources[0]["version"]
				},
				save: func(value string, version any) reply {
					return p.put(fmt.Sprint("/desk/feeds/sources/", source),
						with(fields{"name": "North", "kind": "x12", "pattern": value, "expected": "", "graceMinutes": 5, "ownerMail": ""},
							version), bearer(isad))
				},
			},
			{
				name: "a notification", field: "campaign", theirs: "Summer", mine: "Autumn",
				read: func() any {
					var list []fields
					p.do("GET", "/api/notifications/list", nil, bearer(isad)).into(t, &list)
					return list[0]["lastUpdate"]
				},
				save: func(value string, version any) reply {
					f := fields{}
					for name, v := range notification {
						f[name] = v
					}
					f["campaign"] = value
					delete(f, "lastUpdate")
					if version != nil {
						f["lastUpdate"] = version
					}
					return p.put("/notifications/update", f, bearer(isad))
				},
			},
			{
				name: "a deadline rule", field: "text", theirs: "Within 45 days.", mine: "Within 60 days.", mustSend: true,
				read: func() any { return fmt.Sprint(p.rule("TX-WC-ANSWER")["version"]) },
				save: func(value string, version any) reply {
					read, _ := strconv.Atoi(version.(string))
					return p.setRule("isad", "TX-WC-ANSWER", fields{"text": value, "version": read})
				},
			},
			{
				name: "the text of a reason code", field: "plain", theirs: "Not payable.", mine: "Paid elsewhere.", mustSend: true,
				read: func() any {
					var desk struct{ Codes []fields }
					p.do("GET", "/api/codes/desk", nil, bearer(isad)).into(t, &desk)
					at := slices.IndexFunc(desk.Codes, func(c fields) bool { return c["list"] == "CARC" && c["code"] == "Q1" })
					if at < 0 {
						return "0"
					}
					return fmt.Sprint(desk.Codes[at]["version"])
				},
				save: func(value string, version any) reply {
					read, _ := strconv.Atoi(version.(string))
					return save(p, bearer(isad), "CARC/Q1", fields{"title": "Over the allowance.", "plain": value, "version": read})
				},
			},
		} {
			passes := func(when string, r reply) {
				t.Helper()
				if r.status != 200 && r.status != 204 {
					t.Errorf("%s, %s: %d %s", c.name, when, r.status, r.body)
				}
			}
			read := c.read()
			passes("the first of two", c.save(c.theirs, read))
			theirs, current := p.stale(c.save(c.mine, read))
			if len(theirs) != 1 || theirs[c.field] != c.theirs || current != c.read() {
				t.Errorf("%s: %v, version %v of %v", c.name, theirs, current, c.read())
			}
			passes("the same again, after an answer was lost", c.save(c.theirs, read))
			passes("over theirs", c.save(c.mine, current))
			if !c.mustSend {
				passes("without a version", c.save(c.theirs, nil))
			}
		}
	})
}

// If two people save from the same version at the same time, one succeeds.
func TestLostUpdatesAtTheSameTime(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad := p.signIn("prad")
		var read fields
		p.do("GET", "/api/users/userByName/prus", nil, bearer(prad)).into(t, &read)
		var replies [8]reply
		var wg sync.WaitGroup
		for i := range replies {
			wg.Go(func() {
				replies[i] = p.put("/users/updateUser", details("prus", func(f fields) {
					f["jobTitle"], f["version"] = fmt.Sprint("Job ", i), read["version"]
				}), bearer(prad))
			})
		}
		wg.Wait()
		passed := 0
		for i, r := range replies {
			if r.status == 200 {
				passed++
				assert.Equal(t, fmt.Sprint("Job ", i), p.user("prus").JobTitle)
			} else if r.status != 409 || !strings.Contains(string(r.body), version.CodeStale) {
				t.Errorf("%d %s", r.status, r.body)
			}
		}
		assert.Equal(t, 1, passed)
	})
}
