package bulklookup

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// ClaimLine is the result of a bill of an 837.
type ClaimLine struct {
	Line
	Sent    Claim
	Differs []Difference // of the only bill found
}

// Difference is a value that isn't the same on file.
type Difference struct{ Field, Sent, OnFile string }

// claimTier is one way to find a bill as sent. An 837 has more data than a table, so the tiers are
// stricter: a number of the office or payer counts only near the date of service, and a claimant only on
// the day and with the same charge.
type claimTier struct {
	request    func(c Claim) LookupRequest
	days       int // how far the dates of service can differ; -1 for any
	sameCharge bool
}

var claimTiers = []claimTier{
	{func(c Claim) LookupRequest {
		return LookupRequest{FTIN: c.FTIN, BillControlNumber: c.Repriced, DocumentID: c.Document}
	}, -1, false},
	{func(c Claim) LookupRequest { return LookupRequest{FTIN: c.FTIN, Account: c.Account} }, maxDayDistance, false},
	{func(c Claim) LookupRequest { return LookupRequest{FTIN: c.FTIN, PayerNumber: c.PayerNumber} }, maxDayDistance, false},
	{func(c Claim) LookupRequest { return c.visitByClaim(c.FTIN) }, 0, true},
	{func(c Claim) LookupRequest { return c.visitByName(c.FTIN) }, 0, true},
	// The same under another TIN of the office.
	{func(c Claim) LookupRequest {
		return LookupRequest{BillControlNumber: c.Repriced, DocumentID: c.Document}
	}, -1, false},
	{func(c Claim) LookupRequest { return c.visitByClaim("") }, 0, true},
	{func(c Claim) LookupRequest { return c.visitByName("") }, 0, true},
}

// visitByClaim and visitByName look up the injured person's visit on the day. They are two tiers, because
// another visit of the claim must not end the lookup.
func (c Claim) visitByClaim(ftin string) LookupRequest {
	return LookupRequest{FTIN: ftin, ClaimNumber: c.ClaimNumber, ServiceDate: c.From}
}

func (c Claim) visitByName(ftin string) LookupRequest {
	return LookupRequest{FTIN: ftin, LastName: c.LastName, FirstName: c.FirstName, BirthDate: c.BirthDate, ServiceDate: c.From}
}

// isServed is isServed for the dates of a bill as sent.
func (c Claim) isServed(h store.Hit, days int) bool {
	return h.BeginOn != "" && h.BeginOn <= cmp.Or(c.To, c.From).AddDays(days) && cmp.Or(h.EndOn, h.BeginOn) >= c.From.AddDays(-days)
}

// lookUpClaims looks up bills as sent, and audits the results before returning them.
func (s *Service) lookUpClaims(ctx context.Context, a access.Actor, claims []Claim) ([]ClaimLine, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	var answers []LookupResult
	if err := s.db.Read(ctx, func(tx *sql.Tx) error {
		found, err := s.matchClaims(ctx, tx, scope, claims)
		if err == nil {
			answers, err = s.describeMatches(ctx, tx, found)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if err := s.audit.RecordNow(ctx, lookupEntry(scope, make([]LookupRequest, len(claims)), answers)); err != nil {
		return nil, err
	}
	lines := make([]ClaimLine, len(claims))
	for i, c := range claims {
		lines[i] = newClaimLine(c, answers[i])
	}
	return lines, nil
}

// matchClaims finds the bills of claims, tier by tier. A TIN outside the scope finds nothing, whatever
// the numbers.
func (s *Service) matchClaims(ctx context.Context, tx *sql.Tx, scope access.Scope, claims []Claim) ([]lookupMatch, error) {
	found := make([]lookupMatch, len(claims))
	for _, tier := range claimTiers {
		var of []int
		var wanted []LookupRequest
		for i, c := range claims {
			if request := tier.request(c); c.Problem == "" && scope.Has(c.FTIN) && found[i].by == "" && request.IsUsable() {
				of, wanted = append(of, i), append(wanted, request)
			}
		}
		matches, err := s.findMatches(ctx, tx, scope, wanted)
		if err != nil {
			return nil, err
		}
		if err := tier.limit(ctx, tx, claims, of, matches); err != nil {
			return nil, err
		}
		for n, i := range of {
			found[i] = matches[n]
		}
	}
	return found, nil
}

// limit drops the hits of other visits. Bills served on the same day win over others.
func (t claimTier) limit(ctx context.Context, tx *sql.Tx, claims []Claim, of []int, matches []lookupMatch) error {
	if t.days < 0 {
		return nil
	}
	var all []store.Hit
	for n, i := range of {
		c, m := claims[i], &matches[n]
		m.hits = slices.DeleteFunc(m.hits, func(h store.Hit) bool { return !c.isServed(h, t.days) })
		if onDay := func(h store.Hit) bool { return c.isServed(h, 0) }; slices.ContainsFunc(m.hits, onDay) {
			m.hits = slices.DeleteFunc(m.hits, func(h store.Hit) bool { return !onDay(h) })
		}
		all = append(all, m.hits...)
	}
	charges := map[[2]string]int64{}
	if t.sameCharge {
		bills, err := store.SelectHitBills(ctx, tx, all)
		if err != nil {
			return err
		}
		for _, b := range bills {
			charges[[2]string{b.FTIN, b.Key()}] = b.BillCharges
		}
	}
	for n, i := range of {
		m := &matches[n]
		if t.sameCharge {
			m.hits = slices.DeleteFunc(m.hits, func(h store.Hit) bool { return charges[[2]string{h.FTIN, h.Bill}] != claims[i].Charge })
		}
		if len(m.hits) == 0 {
			*m = lookupMatch{}
		}
	}
	return nil
}

func newClaimLine(c Claim, found LookupResult) ClaimLine {
	l := ClaimLine{Line: Line{Answer: None, Matches: found.Matches, By: found.By, Bills: found.Bills}, Sent: c}
	switch {
	case c.Problem != "":
		l.Answer, l.Cells = Unreadable, []Cell{{Message: c.Problem}}
	case found.Matches > 1:
		l.Answer = Several
	case found.Matches == 1:
		l.Answer, l.Differs = Found, listDifferences(c, found.Bills[0].Bill)
	}
	return l
}

// listDifferences compares a bill as sent with the one on file. Names are compared as people do. A value
// that isn't on file is no difference.
func listDifferences(c Claim, b record.Bill) []Difference {
	var list []Difference
	add := func(field, sent, onFile string, same bool) {
		if onFile != "" && !same {
			list = append(list, Difference{field, sent, onFile})
		}
	}
	add("ftin", c.FTIN, b.FTIN, c.FTIN == b.FTIN)
	add("lastName", c.LastName, b.PatientLastName, names.FoldPart(c.LastName) == names.FoldPart(b.PatientLastName))
	add("firstName", c.FirstName, b.PatientFirstName, names.FoldPart(c.FirstName) == names.FoldPart(b.PatientFirstName))
	sent, onFile := formatDays(c.From, c.To), formatDays(b.BeginServiceDate, b.EndServiceDate)
	add("dates", sent, onFile, sent == onFile)
	add("charge", money.Text(c.Charge), money.Text(b.BillCharges), c.Charge == b.BillCharges)
	return list
}

func formatDays(from, to date.Date) string {
	if to == "" || to == from {
		return from.US()
	}
	return from.US() + " to " + to.US()
}

// outcome returns the answer, or Different for a bill with differences.
func (l ClaimLine) outcome() string {
	if len(l.Differs) > 0 {
		return Different
	}
	return l.Answer
}

// Different is the outcome of a bill that's on file with other values.
const Different = "different"

// createClaimResults looks up the bills of an 837 and writes the results.
func (s *Service) createClaimResults(ctx context.Context, a access.Actor, j *Job) error {
	var file claimFile
	if err := s.exports.Read(ctx, j.ID, rowsName, &file); err != nil {
		return err
	}
	if err := lookUpParts(ctx, s, j, func(from int) ([]ClaimLine, error) {
		lines, err := s.lookUpClaims(ctx, a, file.Claims[from:min(from+MaxLines, len(file.Claims))])
		for i := range lines {
			lines[i].Number = from + i + 1
		}
		return lines, err
	}); err != nil {
		return err
	}
	asOf, err := s.ages.AsOf(ctx)
	if err != nil {
		return err
	}
	results := claimResults{AsOf: asOf, Warnings: file.Warnings}
	if err := s.exports.WriteResults(ctx, j.ID, sheetName, slices.Concat(sentColumns, addedColumns, differenceColumns),
		func(out spreadsheet.Table) error {
			results.Outcomes = results.Outcomes[:0]
			return s.eachClaimPart(ctx, *j, func(lines []ClaimLine) error {
				for _, l := range lines {
					results.Outcomes = append(results.Outcomes, claimOutcome{l.outcome(), l.Sent.Charge})
					for _, ours := range l.cells(Table{}, s.formatAsOf(asOf)) {
						if err := out.Row(slices.Concat(l.Sent.cells(), ours, []string{l.describeDifferences()})); err != nil {
							return err
						}
					}
				}
				return nil
			})
		}); err != nil {
		return err
	}
	return s.exports.Write(ctx, j.ID, outcomesName, results)
}

// outcomesName names the stored outcomes of a job.
const outcomesName = "outcomes.json"

// claimResults are the outcomes of the bills, in order.
type claimResults struct {
	AsOf     string
	Warnings []string
	Outcomes []claimOutcome
}

// claimOutcome is the outcome of a bill, with its charge as sent.
type claimOutcome struct {
	Outcome string
	Charge  int64
}

// eachClaimPart reads the stored lines of a job.
func (s *Service) eachClaimPart(ctx context.Context, j Job, do func([]ClaimLine) error) error {
	for from := 0; from < j.Lines; from += MaxLines {
		var lines []ClaimLine
		if err := s.exports.Read(ctx, j.ID, fileexport.PartName(from), &lines); err != nil {
			return err
		}
		if err := do(lines); err != nil {
			return err
		}
	}
	return nil
}

// sentColumns are the columns of a bill as sent.
var sentColumns = []spreadsheet.Column{
	{Title: "Patient Account Number", Width: 20}, {Title: "Sent TIN", Width: 11}, {Title: "Patient", Width: 26},
	{Title: "Service From", Width: 13, Kind: spreadsheet.Dates}, {Title: "Service To", Width: 13, Kind: spreadsheet.Dates},
	{Title: "Charge", Width: 12, Kind: spreadsheet.Amounts}, {Title: "Sent Bill Number (9A)", Width: 20},
	{Title: "Sent Document ID (D9)", Width: 20}, {Title: "Sent Payer Number (F8)", Width: 20},
}

var differenceColumns = []spreadsheet.Column{{Title: "Differences", Width: 60}}

func (c Claim) cells() []string {
	return []string{c.Account, c.FTIN, formatPatient(c.LastName, c.FirstName), c.From.US(), c.To.US(), money.Text(c.Charge), c.Repriced,
		c.Document, c.PayerNumber}
}

func formatPatient(last, first string) string {
	return strings.Trim(text.Clean(last+", "+first), ", ")
}

// differenceLabels name the compared values.
var differenceLabels = map[string]string{"ftin": "TIN", "lastName": "Last name", "firstName": "First name", "dates": "Date of service",
	"charge": "Charge"}

// describeDifferences returns the differences as text, both values side by side.
func (l ClaimLine) describeDifferences() string {
	list := make([]string, len(l.Differs))
	for i, d := range l.Differs {
		list[i] = differenceLabels[d.Field] + ": " + cmp.Or(d.Sent, "none") + " sent, " + d.OnFile + " on file"
	}
	return strings.Join(list, "; ")
}
