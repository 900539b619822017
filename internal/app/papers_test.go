package app_test

import (
	"archive/zip"
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/ingest"
)

const paperBills = `tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,allowance,eor,pricing_sheet
111111111,B-1,Ada,Ortiz,2026-01-10,100.00,80.00,Y,
111111111,B-2,Ada,Ortiz,2026-01-11,100.00,,,
111111111,S-1,Ada,Ortiz,2026-01-12,100.00,80.00,,Y
`

func textPDF(t *testing.T, text string) []byte {
	t.Helper()
	f := fpdf.New("P", "mm", "Letter", "")
	f.AddPage()
	f.SetFont("Helvetica", "", 10)
	f.Cell(40, 10, text)
	var b bytes.Buffer
	require.NoError(t, f.Output(&b))
	return b.Bytes()
}

func picture(t *testing.T) []byte {
	t.Helper()
	shown := image.NewGray(image.Rect(0, 0, 60, 80))
	shown.Set(3, 4, color.White)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, shown))
	return b.Bytes()
}

// takeDocuments imports an archive with the given manifest rows and files, and returns the
// report.
func (p *portal) takeDocuments(name, rows string, files map[string][]byte, opts ingest.Options) ingest.Report {
	p.t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	files["manifest.csv"] = []byte("tin,bill_control_number,kind,file\n" + rows)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(files[name])
		}
		require.NoError(p.t, err)
	}
	path := filepath.Join(p.t.TempDir(), name)
	require.NoError(p.t, z.Close())
	require.NoError(p.t, os.WriteFile(path, b.Bytes(), 0o600))
	report, err := p.Feeds.Import(p.t.Context(), "documents", path, opts)
	require.NoError(p.t, err)
	return report
}

func (p *portal) takeTable(kind, text string) {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), kind+".csv")
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o600))
	report, err := p.Feeds.Import(p.t.Context(), kind, path, ingest.Options{})
	if err != nil || report.ExitCode() != ingest.ExitAllImported {
		p.t.Fatalf("%v %+v", err, report)
	}
}

// The specified endpoints return the network's documents instead of generated ones. Generated
// documents are labeled as such.
func TestPapersOfBills(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.takeTable("bills", paperBills)
		eor, image, sheet, later := textPDF(t, "Their EOR"), picture(t), textPDF(t, "Their sheet"), textPDF(t, "Corrected EOR")
		office := bearer(p.tokenOf("prus"))
		type found struct {
			EOR                       bool
			BillImageURL, EorImageURL string
		}
		bill := func(number string) found {
			t.Helper()
			var list []found
			p.do(http.MethodPost, "/api/billSearch/searchByAssorted", map[string]string{"ftin": "111111111", "billControlNumber": number},
				office).into(t, &list)
			require.Lenf(t, list, 1, "%d bills of %s", len(list), number)
			return list[0]
		}
		open := func(url string) reply { return p.do(http.MethodGet, url, nil, office) }

		if b := bill("B-2"); b.EOR || open(b.BillImageURL).status != http.StatusNotFound {
			t.Error("a bill without lines and papers has an image or an EOR")
		}
		report := p.takeDocuments("documents-1.zip", strings.Join([]string{
			"111111111,b-1,eor,a", "111111111,B-2,image,b", "111111111,B-2,eor,a2", "111111111,S-1,pricing-sheet,c",
			"111111111,B-9,eor,a3", "222222222,B-1,eor,a4", "111111111,S-1,eor,a5", "111111111,B-1,pricing-sheet,c2",
			"111111111,B-1,eor,d", "111111111,B-1,image,e", "111111111,B-1,scan,a6", "",
		}, "\n"), map[string][]byte{"a": eor, "a2": eor, "a3": eor, "a4": eor, "a5": eor, "a6": eor, "b": image, "c": sheet, "c2": sheet,
			"d": later, "e": []byte("no document")}, ingest.Options{})
		if report.Imported != 4 || report.Rejected != 7 || report.ExitCode() != ingest.ExitSomeRejected {
			t.Errorf("%+v", report)
		}
		for _, want := range []string{
			"line 6: this TIN doesn't have the bill", "line 7: this TIN doesn't have the bill",
			"line 8: the bill has a pricing sheet, not an EOR",
			"line 9: the bill has an EOR, not a pricing sheet", "line 10: the archive has another document of this kind",
			"line 11, file: isn't a PDF", "line 12, kind: ",
		} {
			if !slices.ContainsFunc(report.Problems, func(r ingest.Problem) bool { return strings.Contains(r.String(), want) }) {
				t.Errorf("no problem %q in %v", want, report.Problems)
			}
		}
		b1, b2 := bill("B-1"), bill("B-2")
		if r := open(b1.EorImageURL); !bytes.Equal(r.body, eor) || r.header.Get("Content-Type") != "application/pdf" {
			t.Errorf("the EOR of B-1: %d, %d bytes", r.status, len(r.body))
		}
		if !b2.EOR || !bytes.Equal(open(b2.EorImageURL).body, eor) {
			t.Error("an EOR that came as a paper only is not there")
		}
		if r := open(b2.BillImageURL); r.status != http.StatusOK || !bytes.HasPrefix(r.body, []byte("%PDF-")) {
			t.Errorf("the picture of B-2: %d", r.status)
		}
		if r := p.do(http.MethodPost, "/api/billSearch/searchBillPriceSheet", map[string]string{"billRefNumber": "S-1"},
			office); !bytes.Equal(r.body, sheet) {
			t.Errorf("the sheet of S-1: %d", r.status)
		}
		if n := p.count("SELECT count(*) FROM audit_log WHERE operation IN ('open-eor', 'open-image', 'open-pricing-sheet') AND result " +
			"= 'ok'"); n != 4 {
			t.Errorf("%d documents audited, want 4", n)
		}
		assert.Equal(t, 4, p.count("SELECT count(*) FROM bill_changes WHERE kind = 'DOCUMENT'"))

		p.clock.Advance(time.Minute)
		// A later document replaces the earlier one. Importing the same one again changes
		// nothing.
		if r := p.takeDocuments("documents-2.zip", "111111111,B-1,eor,d\n", map[string][]byte{"d": later}, ingest.Options{}); r.Imported !=
			1 {
			t.Errorf("%+v", r)
		}
		assert.True(t, bytes.Equal(open(b1.EorImageURL).body, later), "the EOR that came later is not shown")
		if r := p.takeDocuments("documents-2.zip", "111111111,B-1,eor,d\n", map[string][]byte{"d": later},
			ingest.Options{Again: true}); r.Unchanged != 1 {
			t.Errorf("%+v", r)
		}
		// Another office can't see it.
		assert.Equal(t, http.StatusNotFound, p.do(http.MethodGet, b1.EorImageURL, nil, bearer(p.tokenOf("nnus"))).status)
		// Storage names don't reveal the bill.
		err := filepath.WalkDir(filepath.Join(p.Config.Data, "files"), func(path string, _ os.DirEntry, err error) error {
			if name := filepath.Base(path); err == nil && (strings.Contains(name, "B-") || strings.Contains(path, "111111111")) {
				t.Errorf("%s tells of a bill", path)
			}
			return err
		})
		assert.NoError(t, err)
		// If the storage loses a document, the request fails and doesn't fall back to a
		// generated one.
		require.NoError(t, os.RemoveAll(filepath.Join(p.Config.Data, "files", "papers")))
		assert.Equal(t, http.StatusServiceUnavailable, open(b1.EorImageURL).status)
	})
}

// Generated documents are labeled, except if the portal must follow the specifications exactly.
func TestDrawnDocumentsSaySo(t *testing.T) {
	lengths := map[string]int{}
	for _, setting := range []string{"on", "off"} {
		p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = setting })
		p.takeTable("bills", paperBills)
		p.exec(`UPDATE submissions SET detail = '{"lines":[{"number":1,"procedure":"99213","charge":10000}]}'`)
		var list []struct{ BillImageURL string }
		office := bearer(p.tokenOf("prus"))
		p.do(http.MethodPost, "/api/billSearch/searchByAssorted", map[string]string{"ftin": "111111111", "billControlNumber": "B-1"},
			office).into(t, &list)
		r := p.do(http.MethodGet, list[0].BillImageURL, nil, office)
		require.Equal(t, http.StatusOK, r.status)
		lengths[setting] = len(r.body)
	}
	assert.Greaterf(t, lengths["on"], lengths["off"], "bytes of the drawn image: %v", lengths)
}
