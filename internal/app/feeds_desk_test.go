package app_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/feeds"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/paging"
)

// bring uploads a file to the desk.
func (p *portal) bring(token, name, content, check string) reply {
	p.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("check", check)
	part, err := w.CreateFormFile("file", name)
	require.NoError(p.t, err)
	_, _ = io.WriteString(part, content)
	require.NoError(p.t, w.Close())
	return p.do("POST", "/api/desk/feeds/upload", body.String(), bearer(token), func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
	})
}

// ended polls a file until its import ends.
func (p *portal) ended(token option, id int64) (f feeds.FeedFile) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		r := p.do("GET", "/api/desk/feeds/files/"+fmt.Sprint(id), nil, token)
		p.want(r, 200, "")
		r.into(p.t, &f)
		if f.EndedAt != nil {
			return f
		}
	}
	p.t.Fatalf("%+v does not end", f)
	return f
}

// Authorized users check, import and re-import a file at the desk. Each step is audited.
func TestFeedsAtTheDesk(t *testing.T) {
	folder := t.TempDir()
	each(t, func(c *app.Config) {
		own := folder + "/" + strings.ReplaceAll(t.Name(), "/", "-")
		require.NoError(t, os.MkdirAll(own, 0o700))
		c.Ingest.FeedURL = "file://" + own
	}, func(t *testing.T, p *portal) {
		ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		served := make(chan error, 1)
		go func() { served <- p.Serve(ctx, listener) }()
		defer func() {
			stop()
			assert.NoError(t, <-served)
		}()
		isad, irad := p.signIn("isad"), p.signIn("irad")
		source := fields{"name": "North", "kind": "csv-groups", "pattern": "groups-*", "expected": "0 6 * * 1-5", "graceMinutes": 30,
			"ownerMail": "owner@example.com"}
		p.want(p.post("/desk/feeds/sources", source, bearer(irad)), 403, "")
		p.want(p.post("/desk/feeds/sources", source, bearer(isad)), 200, "")
		p.audited(1, `operation = 'feed-source-add' AND actor = 'isad'`)
		var list feeds.FeedSources
		p.do("GET", "/api/desk/feeds/sources", nil, bearer(irad)).into(t, &list)
		if len(list.Sources) != 1 || list.Sources[0].Light != feeds.OnTime || !list.Takes || list.Zone != "America/New_York" {
			t.Fatalf("%+v", list)
		}
		source["expected"] = "0 6 31 2 *"
		p.want(p.do("PUT", "/api/desk/feeds/sources/"+fmt.Sprint(list.Sources[0].ID), source, bearer(isad)), 400, "")

		const content = "group_id,name,kind\n77001,North,provider\nx,Secretive,provider\n"
		if r := p.bring(irad, "groups-1.csv", content, "true"); r.status != 403 {
			t.Errorf("%d %s", r.status, r.body)
		}
		var sent feeds.FeedFile
		r := p.bring(isad, "groups-1.csv", content, "true")
		p.want(r, 200, "")
		r.into(t, &sent)
		f := p.ended(bearer(irad), sent.ID)
		if f.Status != ingest.Checked || f.Rejected != 1 || f.Records != 2 || len(f.Problems) != 1 ||
			f.Problems[0].First != "line 3, group_id" || f.SourceID != list.Sources[0].ID || f.StartedBy != "isad" {
			t.Errorf("%+v", f)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM groups WHERE id = 77001`), "a check stores a group")
		p.bring(isad, "groups-1.csv", content, "").into(t, &sent)
		if f = p.ended(bearer(isad), sent.ID); f.Status != ingest.Done || f.Taken != 1 {
			t.Errorf("%+v", f)
		}
		p.want(p.bring(isad, "groups-2.csv", content, "false"), 409, "")
		r = p.do("POST", "/api/desk/feeds/files/"+fmt.Sprint(sent.ID)+"/again", nil, bearer(isad))
		p.want(r, 200, "")
		r.into(t, &sent)
		if f = p.ended(bearer(isad), sent.ID); f.Status != ingest.Done || f.Unchanged != 1 || !f.Again {
			t.Errorf("%+v", f)
		}
		r = p.do("GET", "/api/desk/feeds/files/"+fmt.Sprint(sent.ID)+"/places", nil, bearer(irad))
		if r.status != 200 || !strings.Contains(string(r.body), "error,,3,,group_id,") || strings.Contains(string(r.body), "Secretive") {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(p.bring(isad, "letter.pdf", content, ""), 400, "")
		p.want(p.do("POST", "/api/desk/feeds/upload", fields{}, bearer(isad)), 400,
			"Send a form (multipart/form-data) with the field check and the file.")
		p.audited(1, `operation = 'feed-check' AND actor = 'isad'`)
		p.audited(1, `operation = 'feed-take' AND actor = 'isad'`)
		p.audited(1, `operation = 'feed-take-again' AND actor = 'isad'`)
		var page paging.Page[feeds.FeedFile]
		p.post("/desk/feeds/files/page", fields{"days": 30, "table": fields{"page": 0, "pageSize": 2,
			"sort": fields{"id": "taken", "desc": true}}}, bearer(irad)).into(t, &page)
		if page.Count != 3 || len(page.Rows) != 2 || page.Rows[0].Taken != 1 {
			t.Errorf("%+v", page)
		}
		p.want(p.do("DELETE", "/api/desk/feeds/sources/"+fmt.Sprint(list.Sources[0].ID), nil, bearer(isad)), 204, "")
		assert.NotContains(t, p.logged(), "Secretive", "the log repeats a value of a file")
	})
}

// Without a watched folder, the message names the setting.
func TestFeedsWithoutAFolder(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := p.signIn("isad")
		r := p.bring(isad, "groups-1.csv", "group_id,name,kind\n77001,North,provider\n", "")
		if r.status != 409 || !strings.Contains(string(r.body), "WCPP_FEED_URL") {
			t.Errorf("%d %s", r.status, r.body)
		}
		var list feeds.FeedSources
		p.do("GET", "/api/desk/feeds/sources", nil, bearer(isad)).into(t, &list)
		assert.False(t, list.Takes, "files can be brought to no folder")
	})
}

// Staff see file quality without any values. A job sums up the days, not a request.
func TestQualityAtTheDesk(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		ctx, irad := t.Context(), p.signIn("irad")
		path := filepath.Join(t.TempDir(), "bills-1.csv")
		text := "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,claim_number,physician_npi\n" +
			"111111111,Q1,Secretive,Brook,2026-01-05,100,WC1,\n111111111,Q2,Secretive,Brook,2026-01-06,100,,1234567893\n111111111,Q3," +
			"Secretive,Brook,2026-01-07,100,WC3,\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if report, err := p.Feeds.Import(ctx, "bills", path, ingest.Options{}); err != nil || report.Imported != 3 {
			t.Fatal(err, report)
		}
		var all feeds.FeedQuality
		ask := func(address string) feeds.FeedMeasure {
			r := p.do("GET", "/api/desk/feeds/quality"+address, nil, bearer(irad))
			p.want(r, 200, "")
			assert.NotContains(t, string(r.body), "Secretive", "a value of a file is told")
			all = feeds.FeedQuality{}
			r.into(t, &all)
			return all.Measures[0]
		}
		if m := ask(""); m.Measure != "CLAIM_NUMBER" || len(m.Days) != 0 || all.CountedAt != nil || len(all.Measures) != 7 ||
			strings.Join(all.Kinds, " ") != "x12 csv-bills" {
			t.Errorf("%+v", all)
		}
		require.NoError(t, p.FeedDesk.SumDays(ctx))
		m := ask("?kind=csv-bills")
		if len(m.Days) != 1 || m.Days[0].Day != all.To || m.All != (feeds.FeedShare{Counted: 3, Good: 2}) || m.Verdict != feeds.Unknown ||
			all.CountedAt == nil {
			t.Errorf("%+v", all)
		}
		if m := ask("?kind=x12"); len(m.Days) != 0 {
			t.Errorf("%+v", m)
		}
		var worst feeds.FeedWorst
		p.do("GET", "/api/desk/feeds/quality/files?measure=NPI&day="+string(all.To), nil, bearer(irad)).into(t, &worst)
		if worst.Count != 1 || worst.Files[0].Name != "bills-1.csv" || worst.Files[0].FeedShare != (feeds.FeedShare{Counted: 3, Good: 1}) {
			t.Errorf("%+v", worst)
		}
		r := p.do("GET", "/api/desk/feeds/quality/files?measure=WEATHER&day=soon", nil, bearer(irad))
		if p.want(r, 400, ""); !strings.Contains(string(r.body), `"measure"`) || !strings.Contains(string(r.body), `"day"`) ||
			strings.Contains(string(r.body), "WEATHER") {
			t.Errorf("%s", r.body)
		}
		r = p.do("GET", "/api/desk/feeds/quality/days", nil, bearer(irad))
		if p.want(r, 200, ""); !strings.Contains(string(r.body), string(all.To)+",CLAIM_NUMBER,3,2,66.7") {
			t.Errorf("%s", r.body)
		}
		for _, path := range []string{"", "/days", "/files?measure=NPI&day=2026-01-01"} {
			p.want(p.do("GET", "/api/desk/feeds/quality"+path, nil, bearer(p.signIn("prad"))), 403, "")
		}
	})
}
