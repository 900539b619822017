package remittances

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
)

const ours = "111111111"

type sentences map[string]string

func (s sentences) LoadTexts(context.Context) (CodeTexts, error) {
	return func(list, code, jurisdiction string) string {
		return cmp.Or(s[strings.TrimSpace(list+" "+code+" "+jurisdiction)], s[list+" "+code])
	}, nil
}

// The advice explains a bill's codes with the texts of its jurisdiction, like its page. Pharmacy
// codes only use their own list.
func TestAdviceUsesJurisdictionTexts(t *testing.T) {
	sentence, _ := sentences{"CARC 45": "Too high.", "CARC 45 CA": "Too high in California.", "CAGC CO": "Written off.",
		"RARC 70": "Another list's."}.LoadTexts(t.Context())
	codes := map[explainedCode]bool{}
	for _, state := range []string{"", "CA", "NV"} {
		codes[sentence.explain("CARC", "45", state)], codes[sentence.explain("CAGC", "CO", state)] = true, true
	}
	if got := strings.Join((&Page{}).legend(codes, sentence), " "); got !=
		"CO: Written off. 45: Too high. 45 in CA: Too high in California." {
		t.Error(got)
	}
	r := Row{Bill: &facts.Bill{StateOfJurisdiction: "CA"},
		Codes: facts.Codes{Remarks: []facts.Remark{{List: facts.PharmacyCodes, Code: "70"}}}}
	p := Page{Bills: []Row{r}}
	if r.jurisdiction() != "CA" || (&Row{}).jurisdiction() != "" {
		t.Error(r.jurisdiction())
	}
	var asked []string
	if _, err := p.render(func(list, code, jurisdiction string) string {
		asked = append(asked, list+" "+code)
		return ""
	}, "", "2026-05-04"); err != nil || len(asked) > 0 {
		t.Errorf("asked for %v, %v", asked, err)
	}
}

var (
	jane = billtest.Jane
	zoe  = access.Actor{Person: access.Person{ID: 4, UserName: "zoe", Type: access.PRAD, GroupID: 8}}
)

// portal is the service with its dependencies.
type portal struct {
	*Service
	feeds *ingest.Importer
	clock *time.Time
}

func newPortal(t *testing.T, d *db.DB, ftins ...string) *portal {
	t.Helper()
	clock := billtest.Midsummer
	now := func() time.Time { return clock }
	kit := billtest.NewKit(t, d, now, billtest.Midsummer.Location())
	identitytest.SetTINs(t, d.Writer, jane.Person, ftins...)
	identitytest.Add(t, d.Writer, zoe.Person, "Zoe Quinn", ftins...)
	runner, err := jobs.New(d, "test", jobs.Settings{JobKeepDays: 7}, kit.Log)
	require.NoError(t, err)
	l := billtest.NewLedger(d, now)
	kit.Jobs = runner
	records := record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(d)}, record.Settings{})
	feeds := ingest.New(ingest.Deps{DB: d, Clock: now, Files: kit.Files},
		ingest.Settings{Retention: ingest.Retention{FeedKeepDays: 100}}, l.Feeds()...)
	reasonTexts := sentences{"PLB WO": "An earlier overpayment is taken back.", "CARC 45": "The charge is above what the contract allows."}
	s := NewService(Deps{Kit: kit, Records: records, Scopes: tins.NewScopes(d), Users: identitytest.NewUsers(d),
		Reasons: reasonTexts, Stored: feeds, Desk: billtest.NoDesk{}}, Settings{}, fileexport.Quota{})
	jobs.Work(runner, s.Work)
	return &portal{s, feeds, &clock}
}

// take imports an X12 file like the program does.
func (p *portal) take(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	report, err := p.feeds.Import(t.Context(), "x12", path, ingest.Options{AllowTest: true})
	if err != nil || report.Refused != nil || report.Rejected > 0 || report.SetsNotImported > 0 {
		t.Fatalf("%s: %+v, %v", name, report, err)
	}
}

// all returns the remittances on file, newest first.
func (p *portal) all(t *testing.T) []facts.Remittance {
	t.Helper()
	list, err := store.Remittances.Select(t.Context(), p.db.Reader, "ORDER BY paid_on DESC, trace_number, ftin")
	require.NoError(t, err)
	return list
}

func (p *portal) sealed(t *testing.T, r facts.Remittance) string {
	t.Helper()
	sealed, err := p.records.SealRemittance(ID{FTIN: r.FTIN, Remittance: r.Remittance})
	require.NoError(t, err)
	return sealed
}

// opened is an empty database of the kind, with tables.
func opened(t *testing.T, kind string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.MigratedURL(t, kind))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}
