package documents

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
)

const longName = "Saint Bartholomew Regional Medical Center and Rehabilitation Hospital of Northern Ohio, Department of Occupational " +
	"Medicine"

func longBill() detailed {
	return detailed{Detailed: billtest.MakeBill(func(b *record.Detailed) {
		b.FacilityName, b.PayerName, b.PhysicianLastName = longName, "Payer "+longName, "Wolfeschlegelsteinhausenbergerdorff"
		b.Detail.BillingName = "Billing " + longName
		b.Detail.Lines = []facts.Line{{
			Number: 1, Revenue: "0450", Procedure: "99213", Modifiers: []string{"25", "59", "76", "RT"}, Units: "1234.625",
			Description: "Therapeutic exercises to develop strength and endurance, range of motion and flexibility", Charge: 100,
		}}
	})}
}

// readText returns the raw text of a PDF, with a space between its pieces.
func readText(t *testing.T, pdf []byte, err error) string {
	t.Helper()
	require.NoError(t, err)
	var pieces []string
	for rest := pdf; ; {
		_, stream, found := bytes.Cut(rest, []byte("\nstream\n"))
		if !found {
			return strings.Join(pieces, " ")
		}
		rest = stream
		r, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			continue // a table of an embedded font
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		for _, piece := range regexp.MustCompile(`\(((?:[^()\\]|\\.)*)\) ?Tj`).FindAllSubmatch(content, -1) {
			pieces = append(pieces, string(piece[1]))
		}
	}
}

// Documents show names with characters that built-in fonts lack.
func TestDocumentsHaveNamesOfAllScripts(t *testing.T) {
	b := longBill()
	b.PatientFirstName, b.PatientLastName = "ŁUKASZ", "ŻÓŁĆ"
	for name, render := range map[string]func() ([]byte, error){
		"image":         func() ([]byte, error) { return renderImage(b, "Network", true) },
		"EOR":           func() ([]byte, error) { return renderEOR(b, nil, nil, "Network", true) },
		"pricing sheet": func() ([]byte, error) { return renderPricingSheet(b, "Network", true) },
		"certificate":   func() ([]byte, error) { return renderCertificate(receipt{bill: b}, "Network") },
	} {
		pdf, err := render()
		// UTF-16: Ł is 0141, Ż 017B.
		if written := readText(t, pdf, err); !strings.Contains(written, "\x01\x41\x00U\x00K\x00A") ||
			!strings.Contains(written, "\x01\x7b\x00\xd3\x01\x41") {
			t.Errorf("%s lacks the name: %q", name, written)
		}
	}
	b.PatientLastName = "山田"
	if lines := strings.Join(pricingSheetLines(b, "Network"), "\n"); !strings.Contains(lines, "ŁUKASZ") ||
		!strings.Contains(lines, "[U+5C71][U+7530]") {
		t.Error(lines)
	}
}

func TestDocumentsCutNoNames(t *testing.T) {
	b := longBill()
	image, err := renderImage(b, "Network", true)
	received := readText(t, image, err)
	eor, err := renderEOR(b, []record.Payment{{TraceNumber: strings.Repeat("1234567890", 4)}}, nil, "Network", true)
	reviewed := readText(t, eor, err)
	sheet, err := renderPricingSheet(b, "Network", true)
	priced := readText(t, sheet, err)
	lines := strings.Join(strings.Fields(strings.Join(pricingSheetLines(b, "Network"), " ")), " ")
	for _, name := range []string{longName, "Payer " + longName, b.physician()} {
		for document, text := range map[string]string{"image": received, "EOR": reviewed, "pricing sheet": priced, "lines": lines} {
			assert.Containsf(t, text, name, "%s lacks", document)
		}
	}
	assert.Contains(t, received, b.Detail.Lines[0].Description)
	assert.Containsf(t, strings.ReplaceAll(reviewed, " ", ""), strings.Repeat("1234567890", 4), "EOR cuts the check number: %s", reviewed)
	for _, whole := range []string{"0450 / 99213 25 59 76 RT 1234.625", "PROVIDER NAME " + b.physician()} {
		assert.Contains(t, lines, whole)
	}
	for _, l := range pricingSheetLines(b, "Network") {
		assert.LessOrEqualf(t, len([]rune(l)), 85, "wider than 85: %q", l)
	}
}

// The EOR of a bill known only from its payment has the payer's allowed amounts. The network recommends none.
func TestEOROfPayment(t *testing.T) {
	b := longBill()
	b.Detail.Lines[0].Allowance = billtest.MakeCents(90)
	for _, source := range []string{facts.SourceBill, facts.SourcePayment} {
		b.Source = source
		for _, withNote := range []bool{true, false} {
			pdf, err := renderEOR(b, nil, nil, "Network", withNote)
			written := readText(t, pdf, err)
			isPayment := source == facts.SourcePayment
			assert.Equal(t, isPayment, strings.Contains(written, "Payer Allowed"), written)
			assert.Equal(t, isPayment, strings.Contains(written, "The bill isn't on file."), written)
			assert.Equal(t, !isPayment, strings.Contains(written, "recommended reimbursements"), written)
			assert.Equal(t, !isPayment && withNote, strings.Contains(written, "Not a copy of a paper bill"), written)
		}
	}
}

func TestNamesStartNoPage(t *testing.T) {
	b := longBill()
	b.FacilityName = "PAGE MEDICAL CENTER"
	var pages []string
	for _, l := range pricingSheetLines(b, "Network") {
		if strings.Contains(l, "PAGE ") {
			pages = append(pages, l)
		}
	}
	assert.Len(t, pages, 1)
}

func TestBroken(t *testing.T) {
	for in, want := range map[string][]string{
		"":              {""},
		"one two":       {"one two"},
		"one two three": {"one two", "three"},
		"Müllerstraße9": {"Müllerst", "raße9"},
		"a Müllerstraß": {"a", "Müllerst", "raß"},
		"12345678 9":    {"12345678", "9"},
	} {
		assert.Equal(t, want, wrapText(in, 8), in)
	}
}
