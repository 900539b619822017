package app_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// Roster uploads per hour are limited for a person and for a group. The response has
// Retry-After.
func TestRosterUploadsAreLimited(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.RosterUploads, c.Rosters.GroupUploads = 2, 3 }, func(t *testing.T, p *portal) {
		p.sources()
		p.add("colleague", access.ROUS, p.groupOf("road"))
		road, other := p.signIn("road"), p.signIn("colleague")
		send := func(token, user string) reply {
			return p.roster(token, "upload", fields{"username": user}, sent{"r.csv", makeCSV(1, "")})
		}
		for range 2 {
			p.want(send(road, "road"), 200, "")
		}
		r := send(road, "road")
		p.want(r, http.StatusTooManyRequests, "You can send 2 rosters per hour. Try again in 30 minutes.")
		assert.NotEmpty(t, r.header.Get("Retry-After"), "no Retry-After")
		p.want(send(other, "colleague"), 200, "")
		p.want(send(other, "colleague"), http.StatusTooManyRequests, "Your group can send 3 rosters per hour. Try again in 20 minutes.")
	})
}

// The number and total size of a group's stored roster files are limited.
func TestStoredRostersAreLimited(t *testing.T) {
	each(t, func(c *app.Config) { c.Rosters.GroupFiles = 2 }, func(t *testing.T, p *portal) {
		p.sources()
		road := p.signIn("road")
		send := func() reply { return p.roster(road, "upload", nil, sent{"r.csv", makeCSV(1, "")}) }
		p.want(send(), 200, "")
		if _, err := db.Exec(t.Context(), p.DB.Writer, `UPDATE roster_files SET size = $1`, int64(30)<<30); err != nil {
			t.Fatal(err)
		}
		p.want(send(), http.StatusConflict,
			"Your group has 1 roster file with 30720 MB stored, and these files don't fit. Contact support to have old rosters deleted.")
		if _, err := db.Exec(t.Context(), p.DB.Writer, `UPDATE roster_files SET size = 1`); err != nil {
			t.Fatal(err)
		}
		p.want(send(), 200, "")
		r := send()
		p.want(r, http.StatusConflict, "")
		assert.Contains(t, string(r.body), "2 roster files with 0 MB")
	})
}

// The number of a group's stored exports and lookups is limited. The response says what to
// delete.
func TestStoredFilesAreLimited(t *testing.T) {
	each(t, func(c *app.Config) { c.Files.GroupFiles = 1 }, func(t *testing.T, p *portal) {
		p.onFile()
		ada := p.add("ada", access.PRAD, 0, "444444444", "555555555")
		p.add("bob", access.PRUS, ada.GroupID, "444444444")
		first, second := bearer(p.signIn("ada")), bearer(p.signIn("bob"))
		export := func(who option) reply {
			return p.post("/work/bills/export", fields{"filter": fields{}, "columns": []string{"bill"}}, who)
		}
		p.want(export(first), 200, "")
		p.want(export(second), http.StatusConflict,
			"Your office already has 1 stored file of this kind. Delete exported files in Open bills, then try again.")

		p.exec(`INSERT INTO remittances (ftin, remittance, trace_number, trace_number_key, payer, payer_tax_id, payer_id, payer_name,
			payer_name_key, paid_on, handling, method, payees,
				amount, paid, adjusted, bills, reversals, balanced, contacts, file_sha256, set_offset, set_length, first_seen_at)
			VALUES ('444444444', 'r', 'CHECK-4', 'check4', 'P', '', '', 'Payer', 'payer', '2026-01-05', 'I', 'CHK', 1, 0, 0, 0, 0, 0, $1,
				'null', '', 0, 0, $2)`, true, db.At(p.clock.Now()))
		var checks struct{ Rows []fields }
		p.post("/remittances/search", fields{"number": "check 4", "table": fields{"page": 0, "pageSize": 5}}, first).into(t, &checks)
		zip := func(who option) reply {
			return p.post("/remittanceExports", fields{"ids": []any{checks.Rows[0]["id"]}}, who)
		}
		p.want(zip(first), 200, "")
		p.want(zip(second), http.StatusConflict,
			"Your office already has 1 stored file of this kind. Each file is deleted after 7 days. Try again later.")

		p.want(p.fileSent(p.signIn("ada"), "a.csv", "Bill #\nB4444\n"), 200, "")
		p.want(p.fileSent(p.signIn("bob"), "a.csv", "Bill #\nB4444\n"), http.StatusConflict,
			"Your office already has 1 stored file of this kind. Delete files in Bulk lookup, then try again. "+
				"Each file is deleted after 7 days.")
	})
}

// Concurrent requests can't exceed a group's limit.
func TestStoredFilesAreLimitedUnderConcurrency(t *testing.T) {
	each(t, func(c *app.Config) { c.Files.GroupFiles = 2 }, func(t *testing.T, p *portal) {
		p.onFile()
		ada := p.add("ada", access.PRAD, 0, "444444444", "555555555")
		p.add("bob", access.PRUS, ada.GroupID, "444444444")
		users := []option{bearer(p.signIn("ada")), bearer(p.signIn("bob"))}
		var stored atomic.Int32
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if p.post("/work/bills/export", fields{"filter": fields{}, "columns": []string{"bill"}}, users[i%2]).status == 200 {
					stored.Add(1)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, int32(2), stored.Load())
	})
}
