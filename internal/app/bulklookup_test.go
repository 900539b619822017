package app_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// fileSent uploads a file with lines to look up.
func (p *portal) fileSent(token, name, content string) reply {
	p.t.Helper()
	return p.formSent("/api/work/findMany/files", token, name, content)
}

// formSent uploads a file in a form.
func (p *portal) formSent(path, token, name, content string) reply {
	p.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	require.NoError(p.t, err)
	_, _ = io.WriteString(part, content)
	require.NoError(p.t, w.Close())
	return p.do("POST", path, body.String(), bearer(token), func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
	})
}

// Users who may see bills can look up lines for their own TINs. Only they themselves can look up
// files, not someone who mirrors them.
func TestFindMany(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.add("ada", access.PRAD, 0, "444444444", "555555555")
		token := p.signIn("ada")
		ada := bearer(token)
		column := []fields{{"index": 0, "kind": "billControlNumber"}}
		table := fields{"columns": column, "headerRows": 1, "rows": [][]string{{"Bill #"}, {"b-4444"}, {"B6666"}, {"4.4E+09"}}}

		for actor, want := range map[string]struct {
			status int
			counts string
		}{
			"ada":      {200, `"received":1,"other":0,"several":0,"notFound":1,"unreadable":1`},
			"isad>ada": {200, `"received":1,"other":0,"several":0,"notFound":1,"unreadable":1`},
			"nnus":     {200, `"received":0,"other":0,"several":0,"notFound":2,"unreadable":1`},
			"irad":     {200, `"received":0,"other":0,"several":0,"notFound":2,"unreadable":1`},
			"road":     {403, ""}, "rous": {403, ""}, "nobody": {401, ""},
		} {
			var opts []option
			if token := p.tokenOf(actor); token != "" {
				opts = append(opts, bearer(token))
			}
			r := p.post("/work/findMany", table, opts...)
			p.want(r, want.status, "")
			assert.Containsf(t, string(r.body), want.counts, "%s: %s", actor, r.body)
		}
		r := p.post("/work/findMany/columns", fields{"rows": table["rows"]}, ada)
		if want := `{"columns":[{"index":0,"name":"Bill #","kind":"billControlNumber"}],"headerRows":1}`; strings.TrimSpace(
			string(r.body)) != want {
			t.Errorf("%s, want %s", r.body, want)
		}
		if r := p.post("/work/findMany", fields{"columns": []fields{}, "headerRows": 0, "rows": [][]string{{"1"}}}, ada); r.status != 400 ||
			r.fields() != "columns: Select what each column contains" {
			t.Errorf("%d %s", r.status, r.body)
		}
		// A column of check numbers alone finds the bills that each check pays.
		r = p.post("/work/findMany", fields{"columns": []fields{{"index": 0, "kind": "checkNumber"}}, "headerRows": 0,
			"rows": slices.Repeat([][]string{{"40000017"}}, 25)}, ada)
		if p.want(r, 200, ""); !strings.Contains(string(r.body), `"notFound":25`) {
			t.Errorf("%s", r.body)
		}
		r = p.post("/work/findMany/export", fields{"columns": column, "headerRows": 1, "rows": table["rows"], "format": "csv"}, ada)
		if p.want(r, 200, ""); !strings.HasPrefix(string(r.body), "\uFEFFBill #,Found,Bill Control Number,") ||
			!strings.Contains(string(r.body), "\nb-4444,1,B4444,444444444,") {
			t.Errorf("%s", r.body)
		}

		p.want(p.fileSent(p.tokenOf("isad>ada"), "a.csv", "Bill #\nB4444\n"), 403, "")
		p.want(p.fileSent(token, "a.pdf", "x"), 400, "")
		p.want(p.fileSent(token, "a.csv", strings.Repeat("1\n", bulklookup.MaxBytesPerFile/2+1)), 413,
			"a.csv is larger than 5 MB. Split it into smaller files.")
		p.want(p.fileSent(token, "a.csv", ""), 400, "a.csv is empty.")
		p.want(p.post("/work/findMany/files", fields{}, ada), 400, "Upload a CSV, XLSX or 837 file.")
		var file struct{ ID string }
		r = p.fileSent(token, `C:\lists\june.csv`, "Bill #\nB4444\nB6666\n")
		p.want(r, 200, "")
		r.into(t, &file)
		job := "/api/work/findMany/jobs/" + file.ID
		p.want(p.post("/work/findMany/files/"+file.ID+"/run", fields{"columns": column, "headerRows": 1}, ada), 200, "")
		p.want(p.do("GET", job+"/result.csv", nil, ada), 409, "")
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM river_job WHERE kind = 'look-up' AND queue = 'slow'`))
		require.NoError(t, p.Lookups.LookUp(t.Context(), &river.Job[bulklookup.JobArgs]{JobRow: &rivertype.JobRow{Attempt: 1,
			MaxAttempts: 5}, Args: bulklookup.JobArgs{ID: file.ID}}))
		if r := p.do("GET", job, nil, ada); !strings.Contains(string(r.body),
			`"fileName":"june.csv","status":"done","done":2,"rows":2,"found":1`) {
			t.Errorf("%s", r.body)
		}
		r = p.do("GET", job+"/result.csv", nil, cookie(httpapi.SessionCookie, token))
		if p.want(r, 200, ""); r.header.Get("Content-Disposition") != `attachment; filename="june - bills.csv"` ||
			!strings.Contains(string(r.body), "B4444,1,B4444,") || !strings.Contains(string(r.body), "B6666,None,") {
			t.Errorf("%v %s", r.header, r.body)
		}
		p.want(p.do("GET", job+"/result.xlsx", nil, ada), 200, "")
		p.want(p.do("GET", job, nil, bearer(p.signIn("prad"))), 404, "")
		p.want(p.do("DELETE", job, nil, bearer(p.tokenOf("isad>ada"))), 403, "")
		p.want(p.do("DELETE", job, nil, ada), 204, "")
		p.want(p.do("GET", job, nil, ada), 404, "")
		p.audited(2, `operation = 'findManyResult' AND actor = 'ada'`)
		p.audited(1, `operation = 'findMany' AND actor = 'isad' AND acting_for = 'ada'`)
		for line := range strings.Lines(p.logged()) {
			assert.NotContains(t, line, "B4444")
		}
	})
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = "off" })
	p.want(p.post("/work/findMany", fields{}, bearer(p.signIn("prad"))), 404, "")
}
