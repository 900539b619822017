package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
)

// many previews or makes a TIN change for many users and returns a line for each.
func (p *portal) many(token option, call, change string, ftins []string, names ...string) []string {
	p.t.Helper()
	var list []struct {
		UserNm, UserFirstName, Outcome, Reason string
		Gains, Loses                           []string
	}
	r := p.post("/work/users/ftins"+call, fields{"change": change, "ftins": ftins, "userNames": names}, token)
	p.want(r, 200, "")
	r.into(p.t, &list)
	lines := make([]string, len(list))
	for i, o := range list {
		line := []string{o.UserNm, o.UserFirstName, o.Outcome}
		for _, ftin := range o.Gains {
			line = append(line, "+"+ftin)
		}
		for _, ftin := range o.Loses {
			line = append(line, "-"+ftin)
		}
		lines[i] = strings.Join(append(line, o.Reason), " ")
	}
	return lines
}

func (p *portal) wantLines(what string, got []string, want ...string) {
	p.t.Helper()
	assert.Equalf(p.t, want, got, "%s:\n%s\nand not\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// Each user in a batch gets the same rules as a single user. The preview matches the result, and
// repeating the request changes nothing.
func TestTINsOfManyUsers(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		p.add("una", access.PRUS, group, "111111111")
		p.add("ute", access.PRUS, group, "111111111", "222222222")
		p.add("gone", access.PRUS, group, "111111111")
		p.setStatus("gone", users.Terminated)
		p.add("half", access.PRUS, group, "111111111")
		p.setStatus("half", users.Draft)
		p.add("waits", access.PRUS, group, "111111111")
		p.setStatus("waits", users.New)
		prad := bearer(p.signIn("prad"))
		names := []string{"UNA", "una", "ute", "gone", "half", "waits", "prad", "nnus", "isad", "nobody"}
		want := []string{
			"UNA Una done +222222222 ", "ute Ute nothing ",
			"gone Gone refused This account is terminated.", "half Half refused This account is a draft. Continue its registration first.",
			"waits Waits done +222222222 ", "prad Prad refused A provider administrator has all of the group's TINs.",
		}
		for _, name := range names[7:] {
			want = append(want, name+"  refused Unknown account, or you don't manage it.")
		}
		both := []string{"22-2222222", "111111111"}
		before := p.state()
		p.wantLines("preview", p.many(prad, "/preview", "give", both, names...), want...)
		assert.Equal(t, before, p.state(), "a preview changes something")
		p.audited(2, `operation = 'user-tins' AND result = 'refused'`) // nnus and isad
		p.wantLines("done", p.many(prad, "", "give", both, names...), want...)
		p.audited(2, `operation = 'user-tins' AND result = 'ok' AND actor = 'prad'`)
		p.wantLines("again", p.many(prad, "", "give", both, "una", "waits"), "una Una nothing ", "waits Waits nothing ")
		p.audited(2, `operation = 'user-tins' AND result = 'ok'`)

		p.wantLines("of another group", p.many(prad, "", "give", []string{"333333333", "111111111"}, "una", "prus"),
			"una Una refused The user's group doesn't have 333333333.", "prus Prus refused The user's group doesn't have 333333333.")
		p.wantLines("taken", p.many(prad, "", "take", []string{"111111111", "333333333"}, "una", "prus"),
			"una Una done -111111111 ", "prus Prus refused You cannot remove all TINs.")
		p.wantLines("taken again", p.many(prad, "", "take", []string{"111111111"}, "una"), "una Una nothing ")
		p.wantLines("made these", p.many(prad, "", "set", []string{"111111111"}, "una", "ute", "prus"),
			"una Una done +111111111 -222222222 ", "ute Ute done -222222222 ", "prus Prus nothing ")
		if n := p.count(`SELECT count(*) FROM user_tins WHERE user_id = $1 AND ftin = '111111111'
			AND updated_by = 'prad'`, p.user("una").ID); n != 1 {
			t.Errorf("%d", n)
		}
		p.want(p.do("POST", "/api/ftin/managedUserFtins/gone", []fields{{"ftin": "111111111", "hasIt": true}}, prad), 409,
			"This account is terminated.")

		isad := bearer(p.signIn("isad"))
		p.wantLines("by the network", p.many(isad, "", "give", []string{"222222222"}, "una", "road", "isad"),
			"una Una done +222222222 ", "road Road refused You can assign TINs only to provider users and non-network users.",
			"isad Isad refused You can assign TINs only to provider users and non-network users.")
		for _, who := range []string{"irad", "prus", "nnus", "road"} {
			for _, call := range []string{"", "/preview"} {
				p.want(p.post("/work/users/ftins"+call, fields{"change": "give", "ftins": both, "userNames": []string{"una"}},
					bearer(p.signIn(who))), 403, "")
			}
		}
		p.want(p.post("/work/users/ftins", fields{"change": "give", "ftins": both, "userNames": []string{"una"}},
			bearer(p.tokenOf("isad>prad"))), 403, "You can't make changes while mirroring a user. Use Revert first.")
		for message, body := range map[string]fields{
			"ftins: Entry 2 isn't a Tax ID Number (TIN). Enter 9 digits.": {"change": "give", "ftins": []string{"111111111", "12"},
				"userNames": []string{"una"}},
		} {
			if r := p.post("/work/users/ftins", body, prad); r.status != 400 || r.fields() != message {
				t.Errorf("%d %s", r.status, r.fields())
			}
		}
		for _, body := range []fields{
			{"change": "swap", "ftins": both, "userNames": []string{"una"}},
			{"change": "give", "ftins": []string{}, "userNames": []string{"una"}},
			{"change": "give", "ftins": both, "userNames": []string{}},
			{"change": "give", "ftins": both, "userNames": slices.Repeat([]string{"una"}, 501)},
			{"change": "give", "ftins": slices.Repeat([]string{"111111111"}, 501), "userNames": []string{"una"}},
		} {
			p.want(p.post("/work/users/ftins", body, prad), 400, "")
		}
	})
}

// In a batch, non-network users get and lose the TINs of their own groups. The same rules,
// messages and single email apply to current holders.
func TestTINsOfManyNonNetworkUsers(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.RestrictedTINs = []string{"999999999"} }, func(t *testing.T, p *portal) {
		p.onFile()
		p.add("nell", access.NNUS, 0, "333333333")
		isad := bearer(p.signIn("isad"))
		for ftin, reason := range map[string]string{
			"444444444": "In network. Non-network users can have only out-of-network TINs.",
			"888888888": "No bills on file.", "999999999": "Not available for registration.",
		} {
			line := fmt.Sprintf("nnus Nnus refused TIN %s: %s", ftin, reason)
			p.wantLines(ftin, p.many(isad, "/preview", "give", []string{ftin}, "nnus"), line)
			p.wantLines(ftin, p.many(isad, "", "give", []string{ftin}, "nnus"), line)
		}
		p.wantLines("given", p.many(isad, "", "give", []string{"666666666", "555555555"}, "nnus"), "nnus Nnus done +555555555 +666666666 ")
		p.only("nnus@example.com", "A TIN was added to your account")
		p.wantLines("given", p.many(isad, "", "give", []string{"666666666"}, "nnus", "nell"), "nnus Nnus nothing ",
			"nell Nell done +666666666 ")
		p.only("nell@example.com", "A TIN was added to your account")
		p.only("nnus@example.com", "Another office added your TIN")
		p.audited(2, `operation = 'tin-add' AND result = 'ok' AND detail = '666666666' AND actor = 'isad'`)
		// The second user shares the TIN with the first, who is notified.
		if n := p.count(`SELECT count(*) FROM tin_sharings WHERE ftin = '666666666' AND group_id = $1
			AND status_cd = 'IN_USE'`, p.groupOf("nell")); n != 1 {
			t.Errorf("%d sharings", n)
		}
		p.audited(1, `operation = 'tin-shared' AND subject = '666666666'`)
		p.wantLines("the last", p.many(isad, "", "take", []string{"333333333", "555555555", "666666666"}, "nnus"),
			"nnus Nnus refused Cannot delete the last record")
		p.wantLines("others", p.many(isad, "", "set", []string{"666666666"}, "nnus"), "nnus Nnus done -333333333 -555555555 ")
		p.audited(1, `operation = 'tin-remove' AND detail = '333333333'`)
	})
}

// breaks makes a table reject new rows that match a condition, like a failing database, until
// mend is called.
func (p *portal) breaks(table, condition string) (mend func()) {
	p.t.Helper()
	if p.DB.Dialect.Name != "postgres" {
		p.exec(`CREATE TRIGGER broken BEFORE INSERT ON ` + table + ` WHEN ` + condition + ` BEGIN SELECT RAISE(ABORT, 'broken'); END`)
		return func() { p.exec(`DROP TRIGGER broken`) }
	}
	p.exec(`CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''broken''; END'`)
	p.exec(`CREATE TRIGGER broken BEFORE INSERT ON ` + table + ` FOR EACH ROW WHEN (` + condition + `) EXECUTE FUNCTION broken()`)
	return func() { p.exec(`DROP FUNCTION broken CASCADE`) }
}

// A failure midway reverts nothing and reports the completed changes. Repeating the request does
// the rest.
func TestManyTINsStopInTheMiddle(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		for _, name := range []string{"ann", "bob", "cid"} {
			p.add(name, access.PRUS, group, "111111111")
		}
		bob, prad := p.user("bob").ID, bearer(p.signIn("prad"))
		mend := p.breaks("user_tins", fmt.Sprintf("NEW.user_id = %d", bob))
		const left = "Not processed yet. Submit again to continue. Completed changes are kept."
		p.wantLines("stopped", p.many(prad, "", "give", []string{"222222222"}, "ann", "bob", "cid"),
			"ann Ann done +222222222 ", "bob Bob left "+left, "cid  left "+left)
		assert.Contains(t, p.logged(), "a change of many users was interrupted", "nobody is told why")
		mend()
		p.wantLines("the rest", p.many(prad, "", "give", []string{"222222222"}, "ann", "bob", "cid"),
			"ann Ann nothing ", "bob Bob done +222222222 ", "cid Cid done +222222222 ")
		p.audited(3, `operation = 'user-tins' AND result = 'ok'`)
	})
}
