package cases

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/pdfdoc"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// LetterKind is the kind of a letter to a complainant.
type LetterKind string

// Kinds of letters.
const (
	Acknowledgment LetterKind = "ACK"
	Resolution     LetterKind = "RESOLVE"
)

// letter is a letter to a complainant.
type letter struct {
	ID     int64
	CaseID int64
	Kind   LetterKind
	MadeAt db.Instant
	// StorageKey is the name of the file in letterFolder.
	StorageKey string
	SHA256     string
	MailedOn   date.Date // empty: not mailed
}

// letterFolder is the storage folder of the letters.
const letterFolder = "case-letters/"

// draft is what a letter contains besides its case.
type draft struct {
	kind  LetterKind
	bills []aboutBill
	body  string
	rules []string // summaries of the rules; empty ones are omitted
}

// addLetter makes a letter and stores it.
func (s *Service) addLetter(ctx context.Context, tx *sql.Tx, c Case, d draft) error {
	to, err := s.getComplainant(ctx, c)
	if err != nil {
		return err
	}
	pdf, err := s.renderLetter(c, to, d)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(pdf)
	l := letter{CaseID: c.ID, Kind: d.kind, MadeAt: db.At(s.now()), StorageKey: rand.Text(), SHA256: hex.EncodeToString(hash[:])}
	if err := blob.Copy(ctx, s.files, letterFolder+l.StorageKey, bytes.NewReader(pdf)); err != nil {
		return problem.New(problem.Unavailable).WithCause(err)
	}
	return insertLetter(ctx, tx, l)
}

// getComplainant returns the name of the person who complained.
func (s *Service) getComplainant(ctx context.Context, c Case) (string, error) {
	if c.Complainant != "" {
		return c.Complainant, nil
	}
	return s.users.GetName(ctx, c.OpenedBy)
}

// originNames are the names of the origins.
var originNames = map[Origin]string{FromPortal: "Portal", ByPhone: "Phone", ByMail: "Mail"}

// describeReceipt returns the promise to a complainant. It has a date only if an active rule sets one.
func describeReceipt(c Case) string {
	sentence := "We received your complaint on " + c.ReceivedOn.US() + " and will send a written resolution"
	if c.ResolveDue != "" {
		sentence += " by " + c.ResolveDue.US() + " (" + c.ResolveCitation + ")"
	}
	return sentence + "."
}

// listCategories returns the names of a complaint's categories.
func listCategories(c Complaint) string {
	var names []string
	for _, known := range categories {
		if slices.Contains(strings.Fields(c.Categories), known.code) {
			names = append(names, known.name)
		}
	}
	return strings.Join(names, "; ")
}

func listNumbers(bills []aboutBill) string {
	numbers := make([]string, len(bills))
	for i, b := range bills {
		numbers[i] = b.Number
	}
	return strings.Join(numbers, ", ")
}

// renderLetter renders a letter as PDF.
func (s *Service) renderLetter(c Case, to string, d draft) ([]byte, error) {
	title, complaint, outcome := "Complaint Received", "Your complaint", ""
	if d.kind == Resolution {
		title, complaint, outcome = "Complaint Resolution", "Our resolution", outcomes[c.Outcome]
	}
	brand := s.brand
	p := pdfdoc.New(title, brand.BrandName, "Complaint "+c.Number)
	p.Facts([][2]string{
		{"From", brand.OrganizationName}, {"Address", brand.OrganizationAddress},
		{"Phone", brand.SupportPhone}, {"Email", brand.SupportEmail},
		{"To", to}, {"Date", s.today().US()}, {"Complaint", c.Number}, {"Received", c.ReceivedOn.US() + ", " + originNames[c.Origin]},
		{"Categories", listCategories(c.Complaint)}, {"Tax ID (TIN)", c.FTIN}, {"Bills", listNumbers(d.bills)},
		{"State Law", identifiers.StateName(c.LawState)}, {"Outcome", outcome},
	}...)
	if d.kind == Acknowledgment {
		p.Sentence(describeReceipt(c))
	} else {
		p.Sentence("We received your complaint on " + c.ReceivedOn.US() + ". This is our written resolution.")
	}
	p.Heading(complaint)
	p.Sentence(d.body)
	rules := slices.DeleteFunc(d.rules, func(rule string) bool { return rule == "" })
	if len(rules) > 0 {
		p.Heading("Procedures and deadlines")
		for _, rule := range slices.Compact(rules) {
			p.Sentence(rule)
		}
		citations := slices.DeleteFunc([]string{c.AckCitation, c.ResolveCitation}, func(citation string) bool { return citation == "" })
		p.Note("Source: " + strings.Join(slices.Compact(citations), "; "))
	}
	return p.Bytes()
}

// ReadLetter returns a letter of a case that the office sees. It's audited before it's returned.
func (s *Service) ReadLetter(ctx context.Context, a access.Actor, number string, id int64) ([]byte, error) {
	return s.readLetter(ctx, number, id, s.ofOffice(ctx, a), "case-letter-read")
}

// ReadLetterAtDesk does the same for staff.
func (s *Service) ReadLetterAtDesk(ctx context.Context, number string, id int64) ([]byte, error) {
	return s.readLetter(ctx, number, id, anyCase, "desk-case-letter-read")
}

func (s *Service) readLetter(
	ctx context.Context, number string, id int64, may func(*sql.Tx, Case) error, operation audit.Operation,
) (pdf []byte, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		c, err := getCase(ctx, tx, parseNumber(number), "")
		if err != nil {
			return notFound(err)
		}
		if err := may(tx, c); err != nil {
			return err
		}
		l, err := getLetter(ctx, tx, c.ID, id)
		if err != nil {
			return notFound(err)
		}
		if pdf, err = s.loadLetter(ctx, l); err != nil {
			return problem.New(problem.Unavailable).WithCause(err)
		}
		return s.record(ctx, tx, operation, c, nil)
	})
	return pdf, err
}

var errChanged = errors.New("the stored letter isn't the one that was made")

// loadLetter returns a letter's file if it's unchanged.
func (s *Service) loadLetter(ctx context.Context, l letter) ([]byte, error) {
	file, err := s.files.Open(ctx, letterFolder+l.StorageKey)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	pdf, err := io.ReadAll(file)
	if hash := sha256.Sum256(pdf); err == nil && hex.EncodeToString(hash[:]) != l.SHA256 {
		err = errChanged
	}
	return pdf, err
}

// MarkMailed stores the day when a letter was mailed. That meets the letter's clock.
func (s *Service) MarkMailed(ctx context.Context, seen Seen, id int64, on date.Date) (c Case, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if c, err = getCase(ctx, tx, parseNumber(seen.Number), s.db.Dialect.ForUpdate); err != nil {
			return notFound(err)
		}
		l, err := getLetter(ctx, tx, c.ID, id)
		if err != nil {
			return notFound(err)
		}
		if l.MailedOn == on && on != "" {
			return nil // a repeated request
		}
		if seen.Version != c.Version {
			return problem.WithMessage(problem.Conflict, Stale)
		}
		if l.MailedOn != "" {
			return problem.WithMessage(problem.Conflict, "This letter was already mailed, on "+l.MailedOn.US()+".")
		}
		if made := date.Of(l.MadeAt.In(s.now().Location())); on < made || on > s.today() {
			return validate.RefuseField(validate.MarkedFields, "mailedOn", "Enter a day from "+made.US()+" to today.")
		}
		l.MailedOn = on
		if l.Kind == Acknowledgment {
			c.AckOn = earlier(c.AckOn, on)
		} else {
			c.ResolveOn = earlier(c.ResolveOn, on)
		}
		c.setLegalDue()
		c.Version++
		return errors.Join(putLetter(ctx, tx, l), putCase(ctx, tx, c), s.record(ctx, tx, "case-letter-mail", c, nil))
	})
	return c, err
}

// earlier returns the earlier of two days. The first can be empty.
func earlier(a, b date.Date) date.Date {
	if a != "" && a < b {
		return a
	}
	return b
}

// listKnownLetters returns those of the file names that have a letter.
func (s *Service) listKnownLetters(ctx context.Context, names []string) ([]string, error) {
	return listStoredLetters(ctx, s.db.Reader, names)
}
