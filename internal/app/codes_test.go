package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

type reasonCode struct{ List, Code, Jurisdiction, Title, Plain, Advice, Official, Status, Ended string }

// collectCodes returns the texts that a user sees, by list, code and jurisdiction.
func collectCodes(t *testing.T, body []byte) map[string]reasonCode {
	t.Helper()
	var list []reasonCode
	require.NoError(t, json.Unmarshal(body, &list))
	byKey := map[string]reasonCode{}
	for _, c := range list {
		byKey[strings.TrimSpace(c.List+" "+c.Code+" "+c.Jurisdiction)] = c
	}
	return byKey
}

// save sets the network's text for a code, with version 0 unless the test sets another.
func save(p *portal, who option, code string, wording fields) reply {
	sent := fields{"jurisdiction": "", "version": 0, "title": "", "plain": "", "advice": "", "official": "", "status": "ACTIVE"}
	maps.Copy(sent, wording)
	return p.do(http.MethodPut, "/api/codes/"+code, sent, who)
}

// The network's texts take precedence over the portal's. A jurisdiction's text is listed next to
// the general one. A browser downloads them again only after a change.
func TestReasonCodes(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.tokenOf("prus")
		first := p.do(http.MethodGet, "/api/codes", nil, bearer(token))
		own := collectCodes(t, first.body)
		if c := own["CARC 45"]; c.Title == "" || c.Plain == "" || c.Advice == "" || c.Status != "ACTIVE" || c.Official != "" {
			t.Errorf("the portal's own: %+v", c)
		}
		tag := first.header.Get("ETag")
		if tag == "" || first.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%q, %q", tag, first.header.Get("Cache-Control"))
		}
		again := func(tag string) reply {
			return p.do(http.MethodGet, "/api/codes", nil, bearer(token), func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
		}
		for _, known := range []string{tag, "W/" + tag, `"x", ` + tag} {
			if r := again(known); r.status != http.StatusNotModified || len(r.body) != 0 {
				t.Errorf("%s: %d with %d bytes", known, r.status, len(r.body))
			}
		}
		staff := bearer(p.tokenOf("isad"))
		for code, wording := range map[string]fields{
			"CARC/45":    {"title": "Ours.", "status": "ACTIVE"},
			"CARC/45 CA": {"title": "California's.", "status": "ACTIVE", "jurisdiction": "CA"},
			"RARC/qx1":   {"official": "The owner's text.", "status": "ENDED", "ended": "2025-12-31"},
		} {
			code, _, _ = strings.Cut(code, " ")
			if r := save(p, staff, code, wording); r.status != http.StatusOK {
				t.Errorf("%s: %d %s", code, r.status, r.body)
			}
		}
		changed := again(tag)
		texts := collectCodes(t, changed.body)
		if changed.status != http.StatusOK || changed.header.Get("ETag") == tag {
			t.Errorf("%d, %s", changed.status, changed.header.Get("ETag"))
		}
		if c := texts["CARC 45"]; c.Title != "Ours." || c.Plain != own["CARC 45"].Plain || c.Advice != own["CARC 45"].Advice {
			t.Errorf("the network's over the portal's: %+v", c)
		}
		if c := texts["CARC 45 CA"]; c.Title != "California's." || c.Plain != own["CARC 45"].Plain {
			t.Errorf("a jurisdiction's: %+v", c)
		}
		if c := texts["RARC QX1"]; c.Official != "The owner's text." || c.Status != "ENDED" || c.Ended != "2025-12-31" {
			t.Errorf("one that ended: %+v", c)
		}
		remarks := collectCodes(t, p.do(http.MethodGet, "/api/codes?list=RARC", nil, bearer(token)).body)
		if len(remarks) != 1 || len(texts) != len(own)+2 {
			t.Errorf("%d remarks, %d in all, %d before", len(remarks), len(texts), len(own))
		}
	})
}

// Two people who change the same text don't overwrite each other, and earlier texts stay
// readable.
func TestReasonsAreChanged(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		staff := bearer(p.tokenOf("isad"))
		type version struct {
			Version              int
			Title, Plain, Code   string
			UpdatedBy, UpdatedAt string
		}
		changed := func(wording fields) version {
			t.Helper()
			r := save(p, staff, "CARC/q1", wording)
			var v version
			r.into(t, &v)
			require.Equalf(t, http.StatusOK, r.status, "%d %s", r.status, r.body)
			return v
		}
		first := changed(fields{"title": " The  sum is <b>wrong</b>. ", "plain": "It is."})
		if first.Version != 1 || first.Title != "The sum is <b>wrong</b>." || first.Code != "Q1" || first.UpdatedBy != "isad" ||
			first.UpdatedAt != "2026-03-02T15:00:00Z" {
			t.Errorf("%+v", first)
		}
		assert.Equal(t, http.StatusConflict, save(p, staff, "CARC/Q1", fields{"title": "Mine."}).status)
		p.clock.Advance(10 * time.Minute)
		assert.Equal(t, 1, changed(fields{"title": "The sum is <b>wrong</b>.", "plain": "It is.", "version": 1}).Version)
		if second := changed(fields{"title": "It does not add up.", "version": 1}); second.Version != 2 || second.Plain != "" {
			t.Errorf("%+v", second)
		}
		assert.Equal(t, http.StatusConflict, save(p, staff, "CARC/Q1", fields{"title": "Mine.", "version": 1}).status)

		var earlier []struct{ Title, Plain, Until, By string }
		p.do(http.MethodGet, "/api/codes/CARC/Q1/earlier", nil, bearer(p.tokenOf("irad"))).into(t, &earlier)
		if len(earlier) != 2 || earlier[0].Title != "The sum is <b>wrong</b>." || earlier[0].Plain != "It is." ||
			earlier[0].By != "isad" || earlier[0].Until != "2026-03-02T15:10:00Z" || earlier[1].Title != "" {
			t.Errorf("%+v", earlier)
		}
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'reason-code-change' AND subject = 'CARC Q1' AND actor = 'isad'
			AND detail = $1`,
			`{"old":{"title":"The sum is \u003cb\u003ewrong\u003c/b\u003e.","plain":"It is.","advice":"","official":"",`+
				`"status":"ACTIVE"},"new":{"title":"It does not add up.","plain":"","advice":"","official":"","status":"ACTIVE"}}`); n !=
			1 {
			t.Errorf("%d audit entries with the old text and the new", n)
		}

		// The portal's own text isn't stored again.
		own := collectCodes(t, p.do(http.MethodGet, "/api/codes", nil, staff).body)["CARC 45"]
		if r := save(p, staff, "CARC/45", fields{"title": own.Title, "plain": own.Plain, "advice": "Ask us."}); r.status != http.StatusOK {
			t.Errorf("%d %s", r.status, r.body)
		}
		if n := p.count(`SELECT count(*) FROM reason_codes WHERE code = '45' AND title = '' AND plain = ''
			AND advice = 'Ask us.'`); n != 1 {
			t.Error("the portal's own texts were stored as the network's")
		}
	})
}

// A state's text inherits what it leaves blank. A form that was loaded before the all-states text
// changed doesn't store the old one as the state's own.
func TestInheritedReasonsStayInherited(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		staff := bearer(p.tokenOf("isad"))
		type version struct {
			Version int
			Title   string
		}
		changed := func(wording fields) (v version) {
			t.Helper()
			r := save(p, staff, "CARC/45", wording)
			require.Equal(t, http.StatusOK, r.status, string(r.body))
			r.into(t, &v)
			return v
		}
		all := changed(fields{"title": "Over the fee schedule."})
		state := changed(fields{"jurisdiction": "CA", "plain": "California's details."})
		assert.Equal(t, "Over the fee schedule.", state.Title)
		changed(fields{"title": "Above the fee schedule.", "version": all.Version})

		edited := fields{"jurisdiction": "CA", "title": state.Title, "plain": "California's details.", "advice": "Call us.",
			"version": state.Version}
		stale := save(p, staff, "CARC/45", edited)
		var refusal httpapi.Problem
		require.True(t, httpProblem(stale, &refusal), string(stale.body))
		require.Equal(t, http.StatusConflict, stale.status, string(stale.body))
		require.Len(t, refusal.Fields, 2)
		assert.Equal(t, "title", refusal.Fields[0].Path)
		assert.Equal(t, "Above the fee schedule.", *refusal.Fields[0].Value)

		// The form takes the newer texts and their version.
		current, err := strconv.Atoi(refusal.Version)
		require.NoError(t, err)
		edited["title"], edited["version"] = "Above the fee schedule.", current
		assert.Equal(t, current+1, changed(edited).Version)
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM reason_codes WHERE jurisdiction = 'CA' AND title = '' AND advice = 'Call us.'`))
	})
}

func TestReasonsThatAreRefused(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		staff := bearer(p.tokenOf("isad"))
		for name, c := range map[string]struct {
			code    string
			wording fields
			field   string
		}{
			"unknown list":          {"NUCC/1", fields{"title": "A."}, "list"},
			"long code":             {"CARC/12345678901", fields{"title": "A."}, "code"},
			"code of other signs":   {"CARC/A+1", fields{"title": "A."}, "code"},
			"no state":              {"CARC/Q1", fields{"title": "A.", "jurisdiction": "ZZ"}, "jurisdiction"},
			"no text":               {"CARC/Q1", fields{"plain": "A."}, "title"},
			"long title":            {"CARC/Q1", fields{"title": strings.Repeat("ä", 161)}, "title"},
			"long plain":            {"CARC/Q1", fields{"title": "A.", "plain": strings.Repeat("a", 401)}, "plain"},
			"long advice":           {"CARC/Q1", fields{"title": "A.", "advice": strings.Repeat("a", 401)}, "advice"},
			"long official":         {"CARC/Q1", fields{"title": "A.", "official": strings.Repeat("a", 1001)}, "official"},
			"ended before it began": {"CARC/Q1", fields{"title": "A.", "effective": "2026-01-02", "ended": "2026-01-01"}, "ended"},
			"before 1900":           {"CARC/Q1", fields{"title": "A.", "effective": "1026-01-02"}, "effective"},
			"the same for a state":  {"CARC/45", fields{"jurisdiction": "CA"}, "title"},
		} {
			r := save(p, staff, c.code, c.wording)
			var refusal httpapi.Problem
			if !httpProblem(r, &refusal) || r.status != http.StatusBadRequest || len(refusal.Fields) != 1 || refusal.Fields[0].Path !=
				c.field {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM reason_codes`))
		for who, want := range map[string]int{"prus": http.StatusForbidden, "irad": http.StatusForbidden,
			"isad>prus": http.StatusForbidden} {
			assert.Equal(t, want, save(p, bearer(p.tokenOf(who)), "CARC/Q1", fields{"title": "A."}).status, who)
		}
	})
}

// A table is imported row by row. Errors have a line and column, and those rows are skipped.
func TestReasonsComeAsTable(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		staff := bearer(p.tokenOf("isad"))
		type done struct {
			Rows, Taken, Updated, Unchanged, Rejected, More int
			Problems                                        []struct {
				Line            int
				Column, Message string
			}
		}
		send := func(table string) done {
			t.Helper()
			r := p.do(http.MethodPost, "/api/codes/import", fields{"csv": table}, staff)
			require.Equalf(t, http.StatusOK, r.status, "%d %s", r.status, r.body)
			var d done
			r.into(t, &d)
			return d
		}
		got := send("list,code,jurisdiction,title,official,status,effective,ended\n" +
			"CARC,q1,,A sum is wrong.,,,,\n" +
			"NUCC,1,,A.,,,,\n" +
			"CARC,12345678901,,A.,,,,\n" +
			"CARC,Q2,,," + strings.Repeat("a", 1001) + ",,,\n" +
			"carc,Q1,,Twice.,,,,\n" +
			"RARC,QX1,,,Theirs.,ended,,2025-12-31\n" +
			"RARC,QX2,,,,,,\n" +
			"RARC,QX3,,A.,,,2026-01-02,2026-01-01\n" +
			"CARC,45,CA,California's.,,,,\n")
		var problems []string
		for _, p := range got.Problems {
			problems = append(problems, fmt.Sprint(p.Line, " ", p.Column, ": ", p.Message))
		}
		want := []string{
			"3 list: must be one of CAGC, CARC, RARC, PLB, CLP02, HCP13, LOCAL", "4 code: has more than 10 characters",
			"5 official: has more than 1000 characters",
			"6 : is the same code as on line 2", "8 : title and official are empty, and the code doesn't have a text yet",
			"9 : ended is before effective",
		}
		if !slices.Equal(problems, want) || got.Rows != 9 || got.Taken != 3 || got.Rejected != 6 || got.More != 0 {
			t.Errorf("%+v\n%q", got, problems)
		}
		// An empty cell leaves the stored value unchanged.
		if got := send("list,code,plain\nCARC,Q1,=1+1\n"); got.Updated != 1 {
			t.Errorf("%+v", got)
		}
		codes := collectCodes(t, p.do(http.MethodGet, "/api/codes", nil, staff).body)
		if c := codes["CARC Q1"]; c.Title != "A sum is wrong." || c.Plain != "=1+1" {
			t.Errorf("%+v", c)
		}
		assert.Equal(t, 4, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'reason-code-change' AND actor = 'isad'`))

		// Importing an export changes nothing.
		out := p.do(http.MethodGet, "/api/codes/export", nil, bearer(p.tokenOf("irad")))
		if out.status != http.StatusOK || out.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
			!strings.Contains(string(out.body), "\nCARC,Q1,,A sum is wrong.,'=1+1,,,ACTIVE,,\n") {
			t.Errorf("%d %s", out.status, out.body)
		}
		if got := send(string(out.body)); got.Rows != len(codes) || got.Unchanged != len(codes) {
			t.Errorf("again: %+v", got)
		}

		for name, c := range map[string]struct{ csv, message string }{
			"empty": {"", "line 1: the file is empty; the first line must have the column names"},
			"unknown column": {"list,code,kind\n",
				"line 1, kind: unknown column; use these columns: list, code, jurisdiction, title, plain, advice, official, status, " +
					"effective, ended"},
			"open quote": {"list,code\nCARC,\"A\n", "line 2: extraneous or missing \" in quoted-field at character 9"},
		} {
			r := p.do(http.MethodPost, "/api/codes/import", fields{"csv": c.csv}, staff)
			var refused httpapi.Problem
			if !httpProblem(r, &refused) || r.status != http.StatusBadRequest || len(refused.Fields) != 1 || refused.Fields[0].Path !=
				"csv" || refused.Fields[0].Message != c.message {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		for _, who := range []string{"prus", "irad"} {
			if r := p.do(http.MethodPost, "/api/codes/import", fields{"csv": "list,code,title\nCARC,Q3,A.\n"},
				bearer(p.tokenOf(who))); r.status != http.StatusForbidden {
				t.Errorf("%s: %d", who, r.status)
			}
		}
	})
}

// Payment codes are counted by bills. Unexplained codes come first.
func TestReasonsAreCounted(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		paid := func(name, day string, claims ...string) {
			t.Helper()
			head := slices.Clone(x12test.PaymentHead)
			head[0], head[1], head[2] = "BPR*I*80*C*CHK************"+day, "TRN*1*"+name+"*1512345678", "DTM*405*"+day
			path := filepath.Join(t.TempDir(), name)
			file := x12test.Interchange("005010X221A1", x12test.Set("835", "005010X221A1", append(head, claims...)...))
			require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
			if _, err := p.Feeds.Import(t.Context(), "x12", path, ingest.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		paid("A", "20260201", "CLP*A*1*100*80**12*I", "SVC*HC:99213*100*80", "CAS*CO*45*20", "LQ*HE*N999", "CLP*B*1*100*80**12*J",
			"CAS*CO*45*20")
		paid("B", "20260210", "CLP*A*22*-100*-80**12*I", "CAS*CO*45*-20", "CLP*A*1*100*90**12*I", "CAS*CO*45*10")
		paid("C", "20251120", "CLP*C*1*100*80**12*K", "CAS*CO*QZ9*20") // too long ago
		type row struct {
			List, Code, Title, LastSeen string
			Bills                       int
		}
		desk := func(who string) (rows []row, at, since string) {
			t.Helper()
			r := p.do(http.MethodGet, "/api/codes/desk", nil, bearer(p.tokenOf(who)))
			var answer struct {
				Codes            []row
				CountedAt, Since string
			}
			r.into(t, &answer)
			return answer.Codes, answer.CountedAt, answer.Since
		}
		if rows, at, _ := desk("isad"); at != "" || len(rows) < 100 || rows[0].Bills != 0 {
			t.Errorf("before a count: %q %+v", at, rows[0])
		}
		require.NoError(t, p.Codes.CountWhenDue(t.Context()))
		rows, at, since := desk("irad")
		assert.Equal(t, "2026-03-02T15:00:00Z", at)
		assert.Equal(t, "2025-12-02", since)
		var shown []string
		for _, r := range rows[:6] {
			shown = append(shown, fmt.Sprint(r.List, " ", r.Code, " ", r.Bills, " ", r.LastSeen, " ", r.Title != ""))
		}
		if want := []string{
			"RARC N999 1 2026-02-01 false", "CAGC CO 2 2026-02-10 true", "CARC 45 2 2026-02-10 true", "CLP02 1 2 2026-02-10 true",
			"CLP02 22 1 2026-02-10 true", "CAGC CR 0  true",
		}; !slices.Equal(shown, want) {
			t.Errorf("%q", shown)
		}
		for _, who := range []string{"prus", "isad>prus"} {
			assert.Equal(t, http.StatusForbidden, p.do(http.MethodGet, "/api/codes/desk", nil, bearer(p.tokenOf(who))).status, who)
		}
	})
}
