package decode

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

// claimStream is a file of n claims, generated while it's read.
func claimStream(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		text := x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1", x12test.ProfessionalHead...))
		head, _, _ := strings.Cut(text, "SE*")
		segments := 2 + len(x12test.ProfessionalHead)
		_, err := io.WriteString(w, head)
		for i := range n {
			claim := x12test.ProfessionalClaim(fmt.Sprint("PCN", i))
			segments += len(claim)
			if err == nil {
				_, err = io.WriteString(w, strings.Join(claim, "~\n")+"~\n")
			}
		}
		tail := fmt.Sprintf("SE*%d*0001~GE*1*1~IEA*1*000000001~", segments)
		if err == nil {
			_, err = io.WriteString(w, tail)
		}
		w.CloseWithError(err)
	}()
	return r
}

// liveAfter returns the memory in use while the last of n claims is read.
func liveAfter(t *testing.T, n int) uint64 {
	t.Helper()
	decoded, live := 0, uint64(0)
	err := ingest.Decode(claimStream(n), ingest.Sink{
		Record: func(r ingest.Record) error {
			if decoded++; decoded == n {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				live = m.HeapAlloc
			}
			return nil
		},
		Note: func(ingest.Problem) {}, NotImported: func(ingest.Problem) {}, Unknown: func(ingest.Problem) {},
	}, transactions()...)
	require.NoError(t, err)
	require.Equal(t, n, decoded)
	return live
}

func TestMemoryIsFlatInTheFilesSize(t *testing.T) {
	small, large := liveAfter(t, 200), liveAfter(t, 200*200)
	assert.LessOrEqualf(t, large, small*3/2, "%d bytes in use after 200 claims, %d after 200 times as many", small, large)
}

func BenchmarkParse837(b *testing.B) {
	text := x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1", func() (all []string) {
		all = append(all, x12test.ProfessionalHead...)
		for i := range 1000 {
			all = append(all, x12test.ProfessionalClaim(fmt.Sprint("PCN", i))...)
		}
		return all
	}()...))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		claims := 0
		err := ingest.Decode(strings.NewReader(text), ingest.Sink{
			Record: func(ingest.Record) error { claims++; return nil }, Note: func(ingest.Problem) {}, NotImported: func(ingest.Problem) {},
			Unknown: func(ingest.Problem) {},
		}, transactions()...)
		require.NoError(b, err)
		require.Equal(b, 1000, claims)
	}
}

// fuzz checks the decoder with any segments in complete envelopes. It must finish, emit only
// complete rows, and give the same result twice.
func fuzz(f *testing.F, code string, guides []string, seeds ...[]string) {
	for i := range guides {
		for _, s := range seeds {
			f.Add(i, strings.Join(s, "~"))
		}
	}
	f.Fuzz(func(t *testing.T, guide int, body string) {
		version := guides[uint(guide)%uint(len(guides))]
		text := x12test.Interchange(version, x12test.Set(code, version, strings.Split(body, "~")...))
		first, err := decodeText(text)
		second, errAgain := decodeText(text)
		if len(first.records) != len(second.records) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("two readings differ: %d and %d records, %v and %v", len(first.records), len(second.records), err, errAgain)
		}
		for _, r := range first.records {
			switch row := r.Row.(type) {
			case nil:
				require.True(t, r.Rejected(), "a record without a row and without a reason")
			case *facts.Submission:
				b := toShown(row)
				if len(b.FTIN) != 9 || b.BillControlNumber == "" || b.PatientLastName == "" || b.BeginServiceDate == "" ||
					b.EndServiceDate < b.BeginServiceDate || len(b.Detail.Lines) > maxLines {
					t.Fatalf("a bill that lacks something: %+v", row)
				}
			case *facts.Payment:
				p := row
				if len(p.Reported.FTIN) != 9 || p.PatientControlNumber == "" || p.TraceNumber == "" || len(p.Detail.Lines) > maxLines {
					t.Fatalf("a payment that lacks something: %+v", row)
				}
			}
		}
	})
}

func FuzzImport837(f *testing.F) {
	fuzz(f, "837", []string{"005010X222A1", "005010X223A2", "004010X098A1", "004010X096A1", "005010X224A2"},
		slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")),
		fullProfessional, fullInstitutional,
		slices.Concat(institutionalHead, []string{
			"CLM*H*300***13:A:7", "DTP*434*RD8*20260105-20260109", "HI*BK:1*BH:04:D8:20260104", "HCP*02*150", "NM1*71*1*BONE*AMY",
			"SBR*S*18", "NM1*IL*1*O*P", "LX*1", "SV2*0450*HC:99283:25*200*UN*1", "DTP*472*D8*20260105", "HCP*02*150",
		}),
		slices.Concat(x12test.ProfessionalHead, []string{"CLM*D*100***11:B:1", "DTP*472*D8*20260105", "LX*1", "SV3*AD:D2150*100*11***1",
			"TOO*JP*12*L:O"}))
}

func FuzzImport835(f *testing.F) {
	fuzz(f, "835", []string{"005010X221A1", "004010X091A1"}, slices.Concat(x12test.PaymentHead, []string{
		"CLP*A*1*100*80*5*12*I*11*1", "CAS*CO*45*20", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105",
		"SVC*HC:97110:GP*100*80**2", "DTM*472*20260105", "CAS*CO*45*20", "AMT*B6*80", "PLB*1*20261231*WO*1",
	}), fullPayment)
}

func FuzzImportCSV(f *testing.F) {
	f.Add(fullTable)
	f.Fuzz(func(t *testing.T, text string) {
		records, err := decodeTable(text)
		for _, r := range records {
			row, ok := r.Row.(*facts.Submission)
			if !ok {
				continue
			}
			if b := toShown(row); len(b.FTIN) != 9 || b.BillControlNumber == "" || b.BillStatus == "" {
				t.Fatalf("a bill that lacks something: %+v, %v", b, err)
			}
		}
	})
}
