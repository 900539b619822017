package bulklookup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"wcpp/internal/bills/ledger/decode"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/x12"
)

// Claim is a bill of an 837 as sent. Amounts are in cents.
type Claim struct {
	Problem             string // why it can't be looked up
	Account             string // CLM01
	FTIN                string
	LastName, FirstName string
	BirthDate           date.Date
	From, To            date.Date
	Charge              int64
	Repriced            string // REF 9A
	Document            string // REF D9
	PayerNumber         string // REF F8
	ClaimNumber         string
}

// claimFile are the bills of an 837, with the problems of the whole file.
type claimFile struct {
	Claims   []Claim
	Warnings []string
}

const (
	saySplit   = "The file has more than 10,000 bills. Split it into smaller files."
	sayZip     = "This is a ZIP file. Unpack it, then upload the 837 in it."
	sayExport  = "Export the 837 again and upload the complete file."
	sayCorrect = "Correct the bill in your system."
)

// readClaimFile returns the content of an X12 file, or nil for another kind of file. The file's name
// doesn't matter.
func readClaimFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, 64)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !isX12(head[:n]) {
		return nil, nil
	}
	return os.ReadFile(path)
}

// isX12 reports whether a file begins with an ISA segment. A table's heading can also begin with
// these letters.
func isX12(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \r\n\t")
	return len(head) > 3 && strings.EqualFold(string(head[:3]), "ISA") && strings.ContainsRune("*|~^:>!#+&@", rune(head[3]))
}

// refuseZip refuses a ZIP file that isn't a workbook.
func refuseZip(name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(file, head); err == nil && string(head) == "PK\x03\x04" && !strings.EqualFold(filepath.Ext(name), ".xlsx") {
		return validate.RefuseField(sayZip, fieldFile, sayZip)
	}
	return nil
}

// uploadClaims stores the bills of an 837. Nothing of it becomes a bill of the network.
func (s *Service) uploadClaims(ctx context.Context, a access.Actor, name string, content []byte) (Upload, error) {
	file, err := readClaims(content, date.Of(s.now()))
	if err != nil {
		return Upload{}, err
	}
	j := Job{Row: s.exports.NewRow(a.Acting().ID), FileName: name, Columns: []Column{}, Claims: true, Lines: len(file.Claims)}
	if err := s.addUpload(ctx, &j, file); err != nil {
		return Upload{}, err
	}
	return Upload{j, [][]string{}, file.Warnings}, nil
}

// errTooMany stops reading.
var errTooMany = errors.New("too many bills")

// readClaims reads the bills of an 837 with the decoder of imported files.
func readClaims(content []byte, today date.Date) (claimFile, error) {
	file := claimFile{Claims: []Claim{}, Warnings: []string{}}
	skipped, unknown := 0, 0
	err := ingest.Decode(ingest.NewTextReader(content), ingest.Sink{
		Checking: true, KeepRejected: true, Day: today,
		Record: func(r ingest.Record) error {
			if len(file.Claims) == MaxLinesPerFile {
				return errTooMany
			}
			file.Claims = append(file.Claims, newClaim(r, content))
			return nil
		},
		Note:        func(ingest.Problem) {},
		NotImported: func(ingest.Problem) { skipped++ },
		Unknown:     func(ingest.Problem) { unknown++ },
	}, decode.NewClaimFeed(nil))
	var broken *x12.Error
	switch {
	case errors.Is(err, errTooMany):
		return file, validate.RefuseField(saySplit, fieldFile, saySplit)
	case errors.As(err, &broken):
		message := fmt.Sprintf("%s: %s. %s", locate(content, broken.Segment, x12.ElementName(broken.ID, broken.Element)), broken.Reason,
			sayExport)
		return file, validate.RefuseField(message, fieldFile, message)
	case err != nil: // not text
		return file, validate.RefuseField(sayExport, fieldFile, sayExport)
	case len(file.Claims) == 0:
		message := describeWrongFile(content)
		return file, validate.RefuseField(message, fieldFile, message)
	}
	if skipped > 0 {
		file.Warnings = append(file.Warnings, fmt.Sprintf("We skipped %s without bills we can read.",
			text.FormatCount(skipped, "transaction set", "transaction sets")))
	}
	if unknown > 0 {
		file.Warnings = append(file.Warnings, fmt.Sprintf("We skipped %s that 837 files don't have.",
			text.FormatCount(unknown, "segment", "segments")))
	}
	return file, nil
}

// newClaim returns a bill as sent, with the first problem that prevents a lookup.
func newClaim(r ingest.Record, content []byte) Claim {
	sent := r.Row.(*facts.Submission)
	b := sent.Reported
	c := Claim{
		Account: b.PatientControlNumber, FTIN: b.FTIN, LastName: b.PatientLastName, FirstName: b.PatientFirstName,
		BirthDate: b.PatientBirthDate, From: b.BeginServiceDate, To: b.EndServiceDate, Charge: b.BillCharges,
		Repriced: sent.Repriced, Document: sent.Clearinghouse, PayerNumber: sent.Original, ClaimNumber: b.ClaimNumber,
	}
	for _, value := range []*string{&c.Account, &c.LastName, &c.FirstName, &c.Repriced, &c.Document, &c.PayerNumber, &c.ClaimNumber} {
		if runes := []rune(*value); len(runes) > maxValueLength {
			*value = string(runes[:maxValueLength])
			c.Problem = fmt.Sprintf("%s: a name or number has more than %d characters. %s", locate(content, r.At.Segment, r.At.Element),
				maxValueLength, sayCorrect)
		}
	}
	for _, p := range r.Problems {
		if p.Severity == ingest.SeverityError {
			c.Problem = fmt.Sprintf("%s: %s. %s", locate(content, p.Segment, p.Element), p.Reason, sayCorrect)
			break
		}
	}
	return c
}

// wrongFiles are transactions that offices take for an 837.
var wrongFiles = map[string]string{
	"835": "an 835 (payments)", "997": "a 997 (acknowledgment)", "999": "a 999 (acknowledgment)", "277": "a 277 (claim status)",
	"276": "a 276 (claim status request)", "270": "a 270 (eligibility request)", "271": "a 271 (eligibility)",
	"TA1": "a TA1 (acknowledgment)",
}

// describeWrongFile says what a file without bills is instead.
func describeWrongFile(content []byte) string {
	r := x12.NewReader(ingest.NewTextReader(content))
	for {
		seg, err := r.Read()
		if err != nil {
			return "This file has no bills. Upload the 837."
		}
		kind := seg.ID
		if seg.ID == "ST" {
			kind = seg.Element(1)
		}
		switch {
		case wrongFiles[kind] != "":
			return fmt.Sprintf("This file is %s. Upload the 837.", wrongFiles[kind])
		case kind == "837":
			return "We can't read this 837. Use a professional, institutional or dental 837 in version 5010 or 4010."
		}
	}
}

// locate describes the position of a segment, with its line if the file has several.
func locate(content []byte, segment int64, name string) string {
	at := fmt.Sprintf("Segment %d", segment)
	if line := findLine(content, segment); bytes.ContainsRune(bytes.TrimSpace(content), '\n') && line > 0 {
		at += fmt.Sprintf(" (line %d)", line)
	}
	if name != "" {
		at += ", " + name
	}
	return at
}

// findLine returns the line in which a segment begins, or 0 if the first segment is incomplete.
func findLine(content []byte, segment int64) int {
	isa := bytes.Index(bytes.ToUpper(content[:min(len(content), 64)]), []byte("ISA"))
	if isa < 0 || isa+3 >= len(content) {
		return 0
	}
	at := isa
	for range 16 {
		next := bytes.IndexByte(content[at:], content[isa+3])
		if next < 0 {
			return 0
		}
		at += next + 1
	}
	if at+1 >= len(content) {
		return 0
	}
	terminator := content[at+1]
	line, rest := 1+bytes.Count(content[:isa], []byte("\n")), content[isa:]
	for range segment - 1 {
		end := bytes.IndexByte(rest, terminator)
		if end < 0 {
			break
		}
		end++
		for end < len(rest) && (rest[end] == '\n' || rest[end] == '\r' || rest[end] == ' ') {
			end++
		}
		line += bytes.Count(rest[:end], []byte("\n"))
		rest = rest[end:]
	}
	return line
}
