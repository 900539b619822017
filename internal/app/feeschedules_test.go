package app_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/xuri/excelize/v2"

	"wcpp/internal/feeschedules"
	"wcpp/internal/platform/httpapi"
)

func (p *portal) rates() {
	p.t.Helper()
	p.inTx(func(tx *sql.Tx) error {
		for _, r := range []feeschedules.RateCode{
			{ProviderID: "700", LineOfBusiness: "DPWC", FTIN: "111111111", NationalRateCode: "OH-01", LocationName: "Lake Center",
				ZIP: "44114"},
			{ProviderID: "700", LineOfBusiness: "DPWC", FTIN: "111111111", NationalRateCode: "OH-02", LocationName: "Airport",
				LocationAddress: "1 Runway"},
			{ProviderID: "700", LineOfBusiness: "DPAUT", FTIN: "222222222", NationalRateCode: "OH-03", LocationName: "Elsewhere"},
		} {
			if _, err := feeschedules.ImportRateCode(p.t.Context(), tx, r); err != nil {
				return err
			}
		}
		for n := range 2500 {
			a := feeschedules.Allowance{NationalRateCode: "OH-01", ProcedureCode: fmt.Sprintf("%05d", n), Description: "=1+1",
				Allowance: int64(n), EffectiveDate: "2026-01-01"}
			if _, err := feeschedules.ImportAllowance(p.t.Context(), tx, a); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestFeeSchedules(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		prus := p.signIn("prus")
		codes := func(actor, path string) reply {
			return p.do("GET", "/api/feeSchedule/getNationalRateCodes/"+path, nil, bearer(p.signIn(actor)))
		}
		var list []struct{ NationalRateCd, ProvLctnName, ProvLctnAddr, LctnZipCd, CpdProvID string }
		codes("prus", "DPWC/700/111111111").into(t, &list)
		if len(list) != 2 || list[0].ProvLctnName != "Airport" || list[0].ProvLctnAddr != "1 Runway" || list[1].NationalRateCd != "OH-01" ||
			list[1].LctnZipCd != "44114" || list[1].CpdProvID != "700" {
			t.Errorf("%+v", list)
		}
		p.want(codes("prus", "DPAUT/700/222222222"), 404, "")
		p.want(codes("prad", "DPAUT/700/111111111"), 200, "[]")
		p.want(codes("nnus", "DPWC/700/333333333"), 403, "")
		p.want(codes("prus", "OTHER/700/111111111"), 400, "")

		ask := func(token, user, rate, name, zip string) reply {
			return p.post(fmt.Sprintf("/feeSchedule/addFeeSchedRequest/%s/%s/700/%s/%s", user, rate, name, zip), nil, bearer(token))
		}
		// Repeated clicks make one request.
		ids := p.clickRepeatedly(func() reply { return ask(prus, "prus", "OH-01", "Lake%20Center", "44114") })
		require.Len(t, ids, 1)
		require.Equal(t, 1, p.count(`SELECT count(*) FROM river_job WHERE kind = 'fee-schedule'`))
		id := ids[0]
		p.want(ask(prus, "prus", "OH-03", "Elsewhere", "-"), 404, "") // with another group's TIN
		p.want(ask(prus, "prus", "XX-99", "x", "-"), 404, "")
		p.want(ask(prus, "prus", "OH-01", "Lake%20Centre", "44114"), 404, "") // not a location of the rate code
		p.want(ask(prus, "prus", "OH-01", "Lake%20Center", "-"), 404, "")
		p.want(ask(prus, "prad", "OH-01", "x", "-"), 403, "")
		p.want(ask(p.signIn("nnus"), "nnus", "OH-01", "x", "-"), 403, "")

		mine := func(token, user string) string {
			return strings.TrimSpace(string(p.do("GET", "/api/feeSchedule/getUserFeeSchedRequests/"+user, nil, bearer(token)).body))
		}
		assert.Equal(t, `{"successCount":0,"feeSchedList":[]}`, mine(prus, "prus"))
		file := func(token, query string) reply {
			return p.do("GET", "/api/feeSchedule/file/"+id+query, nil, cookie(httpapi.SessionCookie, token))
		}
		p.want(file(prus, "?usrName=prus&mirrorNm="), 404, "") // not available yet
		p.clock.Advance(12 * time.Hour)                        // tomorrow in UTC, this evening in New York
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		p.clock.Advance(-12 * time.Hour)
		name := "Fee_Schedule_OH-01_700_111111111_WC_2026-03-02.xlsx"
		want := fmt.Sprintf(`{"successCount":1,"feeSchedList":[{"feeSchedRqstId":%s,"fileName":%q,"schedUri":"/feeSchedule/file/%s",`+
			`"fileViwed":%%q}]}`, id, name, id)
		assert.Equal(t, fmt.Sprintf(want, "N"), mine(prus, "prus"))
		if r := ask(prus, "prus", "OH-01", "Lake%20Center", "44114"); strings.TrimSpace(string(r.body)) != id {
			t.Errorf("asked again at once: %s", r.body)
		}
		if r := p.do("GET", "/api/session", nil, bearer(prus)); !strings.Contains(string(r.body), `"feeSchedRqstsCnt":1`) {
			t.Errorf("%s", r.body)
		}

		// While mirroring, a file can be read but not marked or requested.
		isad := p.signIn("isad")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
		assert.Equal(t, fmt.Sprintf(want, "N"), mine(isad, "prus"))
		p.want(file(isad, "?usrName=isad&mirrorNm=prus"), 200, "")
		p.want(file(isad, "?usrName=prus&mirrorNm=prus"), 403, "")
		p.want(ask(isad, "prus", "OH-02", "Airport", "-"), 403, "")
		p.want(p.do("GET", "/api/feeSchedule/submitFeeScheduleAndNotify?userName=prus&feeSchedRqstId="+id, nil, bearer(isad)), 403, "")
		assert.Equal(t, fmt.Sprintf(want, "N"), mine(prus, "prus"))
		p.want(file(p.signIn("prad"), "?usrName=prad"), 404, "")
		p.want(file(prus, "?usrName=prad"), 403, "")
		r := file(prus, "?usrName=prus&mirrorNm=")
		if r.status != 200 || !strings.Contains(r.header.Get("Content-Disposition"), name) || r.header.Get("Content-Length") !=
			strconv.Itoa(len(r.body)) {
			t.Fatalf("%d %v", r.status, r.header)
		}
		assert.Equal(t, fmt.Sprintf(want, "Y"), mine(prus, "prus"))
		book, err := excelize.OpenReader(bytes.NewReader(r.body))
		require.NoError(t, err)
		rows, err := book.GetRows("Fee Schedule")
		if err != nil || len(rows) != 8+2500 || strings.Join(rows[2], " ")+", "+strings.Join(rows[3], " ") !=
			"Tax ID  111111111, Line of Business  Workers' Comp" || strings.Join(rows[7], "|") !=
			"Procedure Code|Modifier|Description|Allowance|Effective Date|End Date" {
			t.Fatalf("%d rows, %v: %v", len(rows), rows[7], err)
		}
		assert.Equal(t, "01234||=1+1|12.34|01/01/2026", strings.Join(rows[8+1234], "|"))
		if formula, err := book.GetCellFormula("Fee Schedule", "C7"); err != nil || formula != "" {
			t.Errorf("a text became the formula %q, %v", formula, err)
		}
		p.want(p.do("GET", "/api/feeSchedule/submitFeeScheduleAndNotify?userName=prus&feeSchedRqstId="+id, nil,
			cookie(httpapi.SessionCookie, prus)), 401, "")
		// A user who lost the TIN can't open its rates.
		p.exec(`DELETE FROM user_tins WHERE user_id = $1 AND ftin = '111111111'`, p.user("prus").ID)
		p.want(file(prus, "?usrName=prus&mirrorNm="), 404, "")
		p.want(file(isad, "?usrName=isad&mirrorNm=prus"), 404, "")
		p.exec(`UPDATE fee_schedule_requests SET ftin = ''`)
		p.want(file(prus, "?usrName=prus&mirrorNm="), 404, "")
	})
}

// One request marks all of a user's completed files. Users can't mark other users' files.
func TestFeeSchedulesAreMarkedAsViewed(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		prus := p.signIn("prus")
		ask := func(path string) {
			p.want(p.post("/feeSchedule/addFeeSchedRequest/prus/"+path, nil, bearer(prus)), 200, "")
		}
		ask("OH-01/700/Lake%20Center/44114")
		ask("OH-02/700/Airport/-")
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		viewed := func() int {
			files := p.do("GET", "/api/feeSchedule/getUserFeeSchedRequests/prus", nil, bearer(prus))
			return strings.Count(string(files.body), `"fileViwed":"Y"`)
		}
		mark := func(actor, user string) reply {
			return p.do("PATCH", "/api/feeSchedule/viewed/"+user, nil, bearer(actor))
		}
		isad, prad := p.signIn("isad"), p.signIn("prad")
		p.want(mark(prad, "prus"), 403, "")
		p.want(mark(prad, "prad"), 204, "")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
		p.want(mark(isad, "prus"), 403, "")
		assert.Equal(t, 0, viewed())
		p.want(mark(prus, "prus"), 204, "")
		assert.Equal(t, 2, viewed())
	})
}

// A stream reports progress, then the result, and closes. A late or repeated connection gets the
// result immediately.
func TestFeeScheduleProgress(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go p.Listen(ctx)
		token := p.signIn("prus")
		id := strings.TrimSpace(string(p.post("/feeSchedule/addFeeSchedRequest/prus/OH-01/700/Lake%20Center/44114", nil, bearer(token)).
			body))
		open := func() *http.Response {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				p.url+"/api/feeSchedule/submitFeeScheduleAndNotify?userName=prus&feeSchedRqstId="+id, nil)
			require.NoError(t, err)
			req.Header.Set("Authorization", "Bearer "+token)
			res, err := http.DefaultTransport.RoundTrip(req)
			require.NoError(t, err)
			return res
		}
		res := open()
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		next := func() string {
			for lines.Scan() {
				if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
					return data
				}
			}
			return ""
		}
		if got := next(); got != "Request in process" || res.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%q %s", got, res.Header.Get("Content-Type"))
		}
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		if got := next(); !strings.HasPrefix(got, `{"successCount":1,`) {
			t.Errorf("%q", got)
		}
		assert.Empty(t, next())
		again := open()
		defer again.Body.Close()
		lines = bufio.NewScanner(again.Body)
		next()
		if got := next(); !strings.HasPrefix(got, `{"successCount":1,`) {
			t.Errorf("again: %q", got)
		}
	})
}

// Another job doesn't take over a fee schedule in progress. A request whose job was killed in its last
// attempt fails, and its user can request the file again.
func TestAbandonedFeeSchedule(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		token := p.signIn("prus")
		request := func() {
			p.post("/feeSchedule/addFeeSchedRequest/prus/OH-01/700/Lake%20Center/44114", nil, bearer(token))
		}
		check := func(status string) {
			t.Helper()
			assert.Equalf(t, 1, p.count(`SELECT count(*) FROM fee_schedule_requests WHERE status = '`+status+`'`), "not %s", status)
		}
		request()
		p.exec(`UPDATE fee_schedule_requests SET worked_at = '2026-03-02T15:00:00Z'`)
		assert.NoError(t, p.MakeFeeSchedules(t.Context()))
		check("QUEUED")
		assert.NoError(t, p.FeeSchedules.Cleanup(t.Context()))
		check("QUEUED")
		p.exec(`UPDATE river_job SET state = 'discarded', finalized_at = CURRENT_TIMESTAMP WHERE kind = 'fee-schedule'`)
		assert.NoError(t, p.FeeSchedules.Cleanup(t.Context()))
		check("FAILED")
		request()
		assert.NoError(t, p.MakeFeeSchedules(t.Context()))
		check("DONE")
	})
}

// If the storage loses a fee schedule, only its requester sees that. The notice stays until it's
// requested again in any way, or dismissed.
func TestLostFeeSchedules(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		prus, prad := p.signIn("prus"), p.signIn("prad")
		ask := func() string {
			r := p.post("/feeSchedule/addFeeSchedRequest/prus/OH-01/700/Lake%20Center/44114", nil, bearer(prus))
			p.want(r, 200, "")
			return strings.TrimSpace(string(r.body))
		}
		files := filepath.Join(p.Config.Data, "files", ".unfinished") // where each file starts
		outage := func(begins bool) {
			t.Helper()
			err := os.RemoveAll(files)
			if begins {
				err = errors.Join(err, os.WriteFile(files, nil, 0o600))
			} else {
				err = errors.Join(err, os.Mkdir(files, 0o700))
			}
			require.NoError(t, err)
		}
		last := feeschedules.JobArgs{}.InsertOpts().MaxAttempts
		lose := func() string {
			t.Helper()
			id := ask()
			outage(true)
			defer outage(false)
			if err := p.TryFeeSchedules(t.Context(), last-1); err == nil || p.count(`SELECT count(*) FROM fee_schedule_requests
				WHERE status = 'QUEUED' AND id = `+id) != 1 {
				t.Fatalf("not in process after the last attempt but one: %v", err)
			}
			require.Error(t, p.TryFeeSchedules(t.Context(), last), "made without a storage")
			return id
		}
		lost := func(token string) []feeschedules.LostFeeSchedule {
			t.Helper()
			var list []feeschedules.LostFeeSchedule
			p.do("GET", "/api/feeSchedule/lost", nil, bearer(token)).into(t, &list)
			return list
		}
		act := func(token, id, what string) reply {
			return p.post("/feeSchedule/lost/"+id+"/"+what, nil, bearer(token))
		}
		audited := func(operation string) int {
			return p.count(`SELECT count(*) FROM audit_log WHERE operation = '` + operation + `'`)
		}

		id := lose()
		list := lost(prus)
		if len(list) != 1 || fmt.Sprint(list[0].ID) != id || list[0].NationalRateCd != "OH-01" || list[0].ProvLctnName != "Lake Center" ||
			list[0].LctnZipCd != "44114" || !list[0].AskedAt.Equal(p.clock.Now()) {
			t.Fatalf("%+v", list)
		}
		assert.Empty(t, lost(prad))
		p.want(act(prad, id, "again"), 404, "")
		p.want(act(prad, id, "dismiss"), 404, "")
		p.want(p.do("GET", "/api/feeSchedule/lost", nil, bearer(p.signIn("nnus"))), 403, "")

		// Mirroring is read-only.
		isad := p.signIn("isad")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
		assert.Len(t, lost(isad), 1)
		p.want(act(isad, id, "again"), 403, "")
		p.want(act(isad, id, "dismiss"), 403, "")

		// Repeated clicks make one request.
		ids := p.clickRepeatedly(func() reply { return act(prus, id, "again") })
		if len(ids) != 1 || ids[0] == id || len(lost(prus)) != 0 || audited("fee-schedule-request") != 2 {
			t.Errorf("%v, %+v, %d", ids, lost(prus), audited("fee-schedule-request"))
		}
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		if r := p.do("GET", "/api/feeSchedule/getUserFeeSchedRequests/prus", nil, bearer(prus)); !strings.Contains(string(r.body),
			`"successCount":1`) {
			t.Errorf("%s", r.body)
		}
		p.clock.Advance(2 * time.Minute)
		p.want(act(prus, id, "again"), 409, "")

		// A regular new request clears the notice.
		lose()
		ask()
		assert.Empty(t, lost(prus))
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		p.clock.Advance(2 * time.Minute)

		// Dismissing works once.
		id = lose()
		for range 2 {
			p.want(act(prus, id, "dismiss"), 204, "")
		}
		if len(lost(prus)) != 0 || audited("fee-schedule-dismiss") != 1 {
			t.Errorf("%+v, %d", lost(prus), audited("fee-schedule-dismiss"))
		}
		p.want(act(prus, id, "again"), 409, "")

		// Someone without permission to request it can't get it this way either.
		id = lose()
		p.exec(`DELETE FROM rate_codes`)
		p.want(act(prus, id, "again"), 404, "")
	})
}

// A user who lost the right to a fee schedule while it waited gets no file.
func TestFeeSchedulesOfLostRights(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		prus := p.signIn("prus")
		id := p.user("prus").ID
		for name, c := range map[string]struct{ table, lost, kept string }{
			"a TIN":         {"user_tins", "ftin = '222222222' WHERE user_id = $1", "ftin = '111111111' WHERE user_id = $1"},
			"their account": {"users", "status_cd = 'TERM' WHERE id = $1", "status_cd = 'ACTIV' WHERE id = $1"},
			"their group":   {"users", "group_ended = true WHERE id = $1", "group_ended = false WHERE id = $1"},
			"their type":    {"users", "type_cd = 'NNUS' WHERE id = $1", "type_cd = 'PRUS' WHERE id = $1"},
		} {
			r := p.post("/feeSchedule/addFeeSchedRequest/prus/OH-01/700/Lake%20Center/44114", nil, bearer(prus))
			p.want(r, 200, "")
			request := strings.TrimSpace(string(r.body))
			p.exec(`UPDATE `+c.table+` SET `+c.lost, id)
			assert.Errorf(t, p.MakeFeeSchedules(t.Context()), "without %s, it was made", name)
			p.exec(`UPDATE `+c.table+` SET `+c.kept, id)
			file := filepath.Join(p.Config.Data, "files", "fee-schedules", request+".xlsx")
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("without %s, a file was stored: %v", name, err)
			}
			p.want(p.do("GET", "/api/feeSchedule/file/"+request+"?usrName=prus&mirrorNm=", nil, bearer(prus)), 404, "")
			if p.count(`SELECT count(*) FROM fee_schedule_requests WHERE status = 'FAILED' AND id = `+request) != 1 {
				t.Errorf("without %s, it hasn't failed", name)
			}
			p.clock.Advance(2 * time.Minute)
		}
	})
}

func TestAllFeeSchedulesAreCounted(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prus := p.signIn("prus")
		for n := range 53 {
			p.exec(`INSERT INTO fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip, status, file_name,
				storage_key, created_at)
				SELECT id, $1, '700', '', '', 'DONE', 'x.xlsx', 'x', created_at FROM users
					WHERE user_name = 'prus'`, fmt.Sprintf("OH-%d", n))
		}
		var files struct {
			SuccessCount int
			FeeSchedList []struct{ FeeSchedRqstID int }
		}
		p.do("GET", "/api/feeSchedule/getUserFeeSchedRequests/prus", nil, bearer(prus)).into(t, &files)
		assert.Equal(t, 53, files.SuccessCount)
		assert.Len(t, files.FeeSchedList, 50)
		if r := p.do("GET", "/api/session", nil, bearer(prus)); !strings.Contains(string(r.body), `"feeSchedRqstsCnt":53,`) {
			t.Errorf("%s", r.body)
		}
	})
}

// Two fee schedules with the same rate code but another TIN or line of business are two
// distinguishable files.
func TestFeeSchedulesSayWhoseTheyAre(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		p.inTx(func(tx *sql.Tx) error {
			for _, r := range []feeschedules.RateCode{
				{ProviderID: "700", LineOfBusiness: "DPAUT", FTIN: "111111111", NationalRateCode: "OH-01", LocationName: "Lake Center",
					ZIP: "44114"},
				{ProviderID: "700", LineOfBusiness: "DPWC", FTIN: "222222222", NationalRateCode: "OH-01", LocationName: "Lake Center",
					ZIP: "44114"},
			} {
				if _, err := feeschedules.ImportRateCode(t.Context(), tx, r); err != nil {
					return err
				}
			}
			return nil
		})
		prad := p.signIn("prad")
		for _, query := range []string{"?tin=111111111&lob=DPWC", "?tin=111111111&lob=DPAUT", "?tin=222222222&lob=DPWC", "?tin=222222222",
			""} {
			p.want(p.post("/feeSchedule/addFeeSchedRequest/prad/OH-01/700/Lake%20Center/44114"+query, nil, bearer(prad)), 200, "")
		}
		p.want(p.post("/feeSchedule/addFeeSchedRequest/prad/OH-01/700/Lake%20Center/44114?tin=222222222&lob=DPAUT", nil, bearer(prad)),
			404, "")
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		var files struct {
			FeeSchedList []struct{ FileName, SchedURI string }
		}
		p.do("GET", "/api/feeSchedule/getUserFeeSchedRequests/prad", nil, bearer(prad)).into(t, &files)
		var names []string
		for _, f := range files.FeeSchedList {
			names = append(names, f.FileName)
		}
		slices.Sort(names)
		want := []string{
			"Fee_Schedule_OH-01_700_111111111_Auto_2026-03-02.xlsx", "Fee_Schedule_OH-01_700_111111111_WC_2026-03-02.xlsx",
			"Fee_Schedule_OH-01_700_2026-03-02.xlsx", "Fee_Schedule_OH-01_700_222222222_WC_2026-03-02.xlsx",
		}
		assert.Equal(t, want, names)
	})
}
