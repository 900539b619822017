package documents

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/pdfdoc"
	"wcpp/internal/platform/problem"
)

// receipt is the portal's record of when the office received an EOR.
type receipt struct {
	bill      detailed
	available db.Instant   // when the EOR was first available; zero if that's no longer stored
	opened    *audit.Found // first opening; nil if it wasn't opened
	opener    string
	removed   db.Instant // openings until then were removed from the log; zero if the log is complete
	issued    time.Time
}

// Certificate renders when the EOR of a page's bill was first available and first opened,
// according to the log. It's audited before it's returned.
func (s *Service) Certificate(ctx context.Context, a access.Actor, sealed string) ([]byte, error) {
	id, scope, err := s.records.OpenPage(ctx, a, record.OpenCertificate, sealed)
	if err != nil {
		return nil, err
	}
	if id.ExID != "" {
		return nil, errNothingToCertify()
	}
	r, err := s.loadReceipt(ctx, a, scope, id)
	if err != nil {
		return nil, err
	}
	pdf, err := renderCertificate(r, s.brand)
	if err != nil {
		return nil, err
	}
	return pdf, s.audit.RecordNow(ctx, record.Entry(record.OpenCertificate, r.bill.FTIN, r.bill.BillControlNumber, record.OK))
}

func errNothingToCertify() error {
	return problem.WithMessage(problem.NotFound, "There's no explanation of review for this bill yet.")
}

func (s *Service) loadReceipt(ctx context.Context, a access.Actor, scope access.Scope, id record.PageID) (receipt, error) {
	var r receipt
	var former []string
	err := s.db.Read(ctx, func(tx *sql.Tx) (err error) {
		r, former, err = s.readReceipt(ctx, tx, scope, id)
		return err
	})
	if err != nil {
		return receipt{}, db.IfNotFound(err, record.ErrNoPage())
	}
	if !r.bill.EOR || r.bill.PricingSheet {
		return receipt{}, errNothingToCertify()
	}
	r.issued = s.now()
	first, known, err := s.records.FindFirst(ctx, record.OpenEOR, r.bill.FTIN, append([]string{r.bill.BillControlNumber}, former...))
	if err != nil {
		return r, err
	}
	removed, err := s.audit.PrunedUntil(ctx)
	if removed.After(r.bill.FirstSeenAt.Time) {
		r.removed = removed
	}
	if err != nil || !known {
		return r, err
	}
	r.opened = &first
	r.opener, err = s.users.GetColleagueName(ctx, first.Actor, a.Acting().GroupID)
	return r, err
}

// readReceipt reads a bill, its former numbers, and since when its EOR was available. The bill has
// an EOR if it can be opened.
func (s *Service) readReceipt(
	ctx context.Context, tx *sql.Tx, scope access.Scope, id record.PageID,
) (r receipt, former []string, err error) {
	b, err := record.GetByKey(ctx, tx, scope, id.FTIN, id.Key)
	if err != nil {
		return r, nil, err
	}
	r.bill.Detailed, err = record.GetDetailed(ctx, tx, b)
	if err != nil {
		return r, nil, err
	}
	isDrawn := b.EOR && r.bill.hasLines()
	b.EOR = isDrawn
	papers, err := record.ListPapers(ctx, tx, &b)
	if err != nil {
		return r, nil, err
	}
	changes, err := record.ListChanges(ctx, tx, b)
	if err != nil {
		return r, nil, err
	}
	e, _, err := batch.LoadExplanation(ctx, s.db, tx, b)
	if err != nil {
		return r, nil, err
	}
	former, err = record.ListFormerNumbers(ctx, tx, b, e)
	r.bill.Bill = b
	r.available = availableSince(b, isDrawn, papers, changes)
	return r, former, err
}

// eorChanges are the kinds of changes after which a bill has an EOR.
var eorChanges = []string{facts.Priced, facts.NotPriced, facts.Repriced, facts.Paid, facts.PaidShort, facts.Denied, facts.Reversed}

// availableSince returns when the EOR was first available, rendered or on paper. It's zero if
// that's no longer stored.
func availableSince(b record.Bill, isDrawn bool, papers []facts.Paper, changes []facts.Change) (first db.Instant) {
	if isDrawn {
		if first = generatedSince(b, changes); first.IsZero() {
			return first
		}
	}
	for _, paper := range papers {
		if paper.Kind == record.EOR && (first.IsZero() || paper.ImportedAt.Before(first.Time)) {
			first = paper.ImportedAt
		}
	}
	return first
}

// generatedSince returns when the first fact for an EOR arrived, if all changes of the bill are
// still stored.
func generatedSince(b record.Bill, changes []facts.Change) db.Instant {
	if len(changes) == 0 || changes[0].At.After(b.FirstSeenAt.Time) {
		return db.Instant{}
	}
	for _, c := range changes {
		if slices.Contains(eorChanges, c.Kind) {
			return c.At
		}
	}
	return b.FirstSeenAt
}

// zones are the names of US time zones.
var zones = map[string]string{
	"America/New_York": "Eastern", "America/Chicago": "Central", "America/Denver": "Mountain", "America/Los_Angeles": "Pacific",
	"America/Phoenix": "Mountain Standard", "America/Anchorage": "Alaska", "Pacific/Honolulu": "Hawaii",
}

// formatTime formats a timestamp in the business's time zone.
func formatTime(moment time.Time, zone *time.Location) string {
	moment = moment.In(zone)
	word := zones[zone.String()]
	if word == "" {
		word = moment.Format("MST")
	}
	return moment.Format("01/02/2006 at 3:04:05 PM ") + word
}

// sentences returns the statements of the certificate.
func (r receipt) sentences() []string {
	zone := r.issued.Location()
	b := r.bill
	eor := "the explanation of review of bill " + b.BillControlNumber
	sentence := "According to the portal's log, " + eor
	switch {
	case !r.available.IsZero():
		sentence += " was first made available on " + formatTime(r.available.Time, zone)
	case !b.FirstSeenAt.IsZero():
		sentence += " is available; the bill has been in the portal since " + formatTime(b.FirstSeenAt.Time, zone) +
			", and the date the explanation arrived is no longer on file"
	default:
		sentence += " is available; the date it arrived isn't on file"
	}
	if r.opened == nil && r.removed.IsZero() {
		return []string{sentence + ".", "No user of Tax ID " + b.FTIN + " had opened it by " + formatTime(r.issued, zone) + "."}
	}
	if r.removed.IsZero() {
		return []string{sentence + ", and first opened" + r.describeOpening() + "."}
	}
	remaining := "No opening by a user of Tax ID " + b.FTIN + " is on file."
	if r.opened != nil {
		remaining = "The first opening on file is" + r.describeOpening() + "."
	}
	return []string{sentence + ".", remaining, "Openings until " + formatTime(r.removed.Time, zone) + " are no longer on file."}
}

// describeOpening returns the end of a sentence about the first opening.
func (r receipt) describeOpening() string {
	text := " by a user of Tax ID " + r.bill.FTIN
	if r.opener != "" {
		text += " (" + r.opener + ")"
	}
	text += " on " + formatTime(r.opened.At.Time, r.issued.Location())
	if r.opened.RequestID != "" {
		text += " (request " + r.opened.RequestID + ")"
	}
	return text
}

// renderCertificate renders the certificate of receipt.
func renderCertificate(r receipt, brand string) ([]byte, error) {
	b := r.bill
	p := pdfdoc.New("Certificate of Receipt", brand, b.reference())
	p.Facts([][2]string{
		{"Bill Control Number", b.BillControlNumber}, {"Document ID (DCN)", b.DocumentID},
		{"Claimant Name", b.claimant()}, {"Claim Number", b.ClaimNumber},
		{"Payer", b.PayerName}, {"Dates of Service", formatPeriod(b.BeginServiceDate, b.EndServiceDate)},
		{"Tax ID (TIN)", b.FTIN}, {"Provider Name", b.physician()},
		{"Facility Name", b.FacilityName},
	}...)
	p.Heading("Explanation of review")
	for _, sentence := range r.sentences() {
		p.Sentence(sentence)
	}
	p.Ln(4)
	p.Note("Created from the portal's log on " + formatTime(r.issued, r.issued.Location()) +
		". Views by network staff acting as a user aren't counted. " +
		"Log entries can't be changed. The request number identifies the entry.")
	return p.Bytes()
}
