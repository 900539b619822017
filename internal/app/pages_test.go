package app_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/access"
)

// page requests a page of rows and returns one field of each, with the total count.
func (p *portal) page(actor, path, field string, of, table fields) string {
	p.t.Helper()
	body := fields{"table": fields{"page": 0, "pageSize": 3}}
	for name, value := range of {
		body[name] = value
	}
	for name, value := range table {
		body["table"].(fields)[name] = value
	}
	r := p.post(path, body, bearer(p.tokenOf(actor)))
	if r.status != 200 {
		return fmt.Sprint(r.status)
	}
	var found struct {
		Rows  []map[string]any
		Count int
	}
	r.into(p.t, &found)
	names := make([]string, len(found.Rows))
	for i, row := range found.Rows {
		names[i] = fmt.Sprint(row[field])
	}
	return fmt.Sprintf("%s of %d", strings.Join(names, "; "), found.Count)
}

func descending(column string) fields {
	return fields{"sort": fields{"id": column, "desc": true}}
}

func filtered(column, typed string) fields { return fields{"filters": fields{column: typed}} }

type pageCase struct {
	actor     string
	of, table fields
	want      string
}

func (p *portal) pages(path, field string, cases []pageCase) {
	p.t.Helper()
	for _, c := range cases {
		assert.Equalf(p.t, c.want, p.page(c.actor, path, field, c.of, c.table), "%s %s %v %v", c.actor, path, c.of, c.table)
	}
}

func TestProviderPage(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.exec(`INSERT INTO providers (provider_id, provider_type, first_name, first_name_key, last_name, last_name_key, name_key,
			middle_name)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
			SELECT cast(70000 + i AS text), 'P', 'Ann', 'ann', 'Doe' || (10000 + i), 'doe' || (10000 + i), 'doe' || (10000 + i) || ' ann',
				'Q' FROM n`)
		p.exec(`INSERT INTO providers (provider_id, provider_type, facility_name, name_key)
			VALUES ('80001', 'H', 'Zion Hospital', 'zion hospital')`)
		p.exec(`INSERT INTO provider_tins (ftin, provider_id) SELECT '111111111', provider_id FROM providers`)
		own := fields{"ftin": "111111111"}
		p.pages("/provider/page", "prvName", []pageCase{
			{"prus", own, nil, "Doe10001, Ann Q; Doe10002, Ann Q; Doe10003, Ann Q of 1501"},
			{"prus", own, fields{"page": 500}, "Zion Hospital of 1501"},
			{"prus", own, descending("name"), "Zion Hospital; Doe11500, Ann Q; Doe11499, Ann Q of 1501"},
			{"prus", own, filtered("type", "hosp"), "Zion Hospital of 1"},
			{"prus", own, filtered("name", "11500, ann q"), "Doe11500, Ann Q of 1"},
			{"prus", own, filtered("provider", "zion hospital (8"), "Zion Hospital of 1"},
			{"prus", own, filtered("provider", "(71499)"), "Doe11499, Ann Q of 1"},
			{"prus", own, descending("npi"), "400"},
			{"prus", own, fields{"pageSize": 1001}, "400"},
			{"prus", fields{"ftin": "222222222"}, nil, "404"},
			{"prad", fields{"ftin": "222222222"}, nil, " of 0"},
			{"isad", own, filtered("type", "hospital"), "Zion Hospital of 1"},
			{"nnus", fields{"ftin": "333333333"}, nil, "403"},
			{"nobody", own, nil, "401"},
		})
		// Lists without paging indicate that there are more rows.
		for path, limited := range map[string]string{
			"/api/provider/list/111111111": "1000", "/api/clients/list/111111111": "1000",
			"/api/provider/list/111111111?phy-last-nm=doe114": "",
		} {
			r := p.do("GET", path, nil, bearer(p.signIn("prus")))
			var list []fields
			r.into(t, &list)
			if n := len(list); r.header.Get("X-Limited-To") != limited || n != 1000 && limited != "" || n == 0 {
				t.Errorf("%s: %d rows, limited to %q", path, n, r.header.Get("X-Limited-To"))
			}
		}
	})
}

// Users see office names for their own TINs only.
func TestOfficeNames(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.exec(`INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc, ftin) VALUES
			('700', '1', 'Annex', $1, $2, '111111111'), ('700', '2', 'Lake Center', $2, $2, '111111111'),
			('701', '3', 'Lake Center', $2, $2, '111111111'),
			('701', '4', 'Shore Clinic', $1, $2, '222222222'), ('701', '5', 'Elsewhere', $2, $2, '999999999')`, false, true)
		for actor, want := range map[string]string{
			"prus": `[{"ftin":"111111111","name":"Lake Center","names":2}]`,
			"prad": `[{"ftin":"111111111","name":"Lake Center","names":2},{"ftin":"222222222","name":"Shore Clinic","names":1}]`,
			"isad": `[]`,
		} {
			r := p.do("GET", "/api/provider/officeNames", nil, bearer(p.signIn(actor)))
			if have := strings.TrimSpace(string(r.body)); r.status != 200 || have != want {
				t.Errorf("%s: %d %s", actor, r.status, have)
			}
		}
		// Internal staff can ask for any TIN, everyone else for their own.
		for actor, want := range map[string]string{
			"prus": `[{"ftin":"111111111","name":"Lake Center","names":2}]`,
			"irad": `[{"ftin":"111111111","name":"Lake Center","names":2},{"ftin":"999999999","name":"Elsewhere","names":1}]`,
		} {
			r := p.post("/provider/officeNames", fields{"ftins": []string{"999999999", "111111111", "123123123"}}, bearer(p.signIn(actor)))
			if have := strings.TrimSpace(string(r.body)); r.status != 200 || have != want {
				t.Errorf("%s: %d %s", actor, r.status, have)
			}
		}
		p.want(p.post("/provider/officeNames", fields{"ftins": []string{}}, bearer(p.signIn("nnus"))), 403, "")
		p.want(p.do("GET", "/api/provider/officeNames", nil, bearer(p.signIn("nnus"))), 403, "")
		p.want(p.do("GET", "/api/provider/officeNames", nil), 401, "")
	})
}

func TestRateCodePage(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.inTx(func(tx *sql.Tx) error {
			for n := range 2100 {
				code := feeschedules.RateCode{ProviderID: "700", LineOfBusiness: "DPWC", FTIN: "111111111",
					NationalRateCode: fmt.Sprintf("OH-%04d", n), LocationName: "Lake Center"}
				if _, err := feeschedules.ImportRateCode(t.Context(), tx, code); err != nil {
					return err
				}
			}
			return nil
		})
		of := func(tin string) fields { return fields{"lob": "DPWC", "providerId": "700", "tin": tin} }
		p.pages("/feeSchedule/rateCodes/page", "nationalRateCd", []pageCase{
			{"prus", of("111111111"), fields{"page": 699}, "OH-2097; OH-2098; OH-2099 of 2100"},
			{"prus", of("111111111"), descending("code"), "OH-2099; OH-2098; OH-2097 of 2100"},
			{"prus", of("111111111"), filtered("code", "oh-2099"), "OH-2099 of 1"},
			{"prus", of("111111111"), filtered("other", "x"), "400"},
			{"prus", of("222222222"), nil, "404"},
			{"nnus", of("333333333"), nil, "403"},
		})
	})
}

func TestUserPages(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		p.exec(`INSERT INTO users (group_id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email,
			email_key, type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 2200)
			SELECT $1, 'many' || i, 'many' || i, 'Many', 'People', 'many', 'people', 'many' || i || '@example.com', 'many' || i
				|| '@example.com', 'PRUS', 'ACTIV', '2025-06-04T03:30:00Z', 'test', '2026-01-01T00:00:00Z', 'test' FROM n`, group)
		own := fields{"groupId": group}
		p.pages("/users/manageUsers/page", "userNm", []pageCase{
			{"prad", own, fields{"page": 400}, "prad; prus of 1202"},
			{"prad", own, descending("userName"), "prus; prad; many2200 of 1202"},
			{"prad", own, filtered("type", "admin"), "prad of 1"},
			{"prad", own, fields{"filters": fields{"created": "6/3/2025", "userName": "2200"}, "zone": "America/New_York"},
				"many2200 of 1"},
			{"prad", own, fields{"filters": fields{"created": "6/3/2025", "userName": "2200"}}, " of 0"},
			{"prad", own, fields{"zone": "Nowhere"}, "400"},
			{"prad", fields{"groupId": p.groupOf("nnus")}, nil, "404"},
			{"irad", own, filtered("userName", "prus"), "prus of 1"},
			{"rous", own, nil, "403"},
		})
		p.pages("/admin/userList/page", "userNm", []pageCase{
			{"irad", fields{"userName": "many"}, fields{"page": 399}, "many2198; many2199; many2200 of 1200"},
			{"irad", fields{"name": "people many"}, descending("email"), "many2200; many2199; many2198 of 1200"},
			{"irad", fields{"name": "many"}, filtered("email", "2200@"), "many2200 of 1"},
			{"irad", fields{"name": "many", "userTypeCD": string(access.PRAD)}, nil, " of 0"},
			{"irad", fields{}, nil, "400"},
			{"irad", fields{"userName": "many"}, descending("password"), "400"},
			{"prad", fields{"userName": "many"}, nil, "403"},
		})
	})
}

func TestRosterUploadPage(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		group := p.groupOf("road")
		p.exec(`INSERT INTO roster_uploads (group_id, source_id, source_group_id, update_type, status, uploaded_at, uploaded_by)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
			SELECT $1, source_id, source_group_id, 'delta', 'DONE', '2026-01-02T03:04:05Z', 'person' || i FROM n,
				(SELECT source_id, source_group_id FROM roster_source_groups ORDER BY source_group_id LIMIT 1) s`, group)
		p.exec(`INSERT INTO roster_files (upload_id, number, name, storage_key, size, sha256)
			SELECT id, 0, 'Roster of ' || uploaded_by || '.csv', 'k', 1, '' FROM roster_uploads WHERE uploaded_by = 'person600'`)
		own := fields{"groupId": group}
		p.pages("/roster/uploadLogs/page", "uploadedByUserName", []pageCase{
			{"road", own, fields{"page": 199}, "person3; person2; person1 of 600"},
			{"road", own, descending("by"), "person99; person98; person97 of 600"},
			{"road", own, filtered("files", "ROSTER of person6"), "person600 of 1"},
			{"road", own, fields{"filters": fields{"type": "partial", "by": "person59", "date": "1/2/2026", "files": "n/a"}, "page": 3},
				"person590; person59 of 11"},
			{"road", own, filtered("size", "1"), "400"},
			{"rous", own, nil, "404"},
			{"prad", own, nil, "403"},
		})
	})
}
