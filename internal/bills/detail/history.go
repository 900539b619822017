package detail

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/pdfdoc"
)

// The kinds of events, in the order in which a day lists them.
const (
	eventService  = "service"
	eventReceived = "received"
	eventSent     = "sent" // a later version of the bill
	eventPriced   = "priced"
	eventPayerGot = "payer-received"
	eventPayment  = "payment"
	eventSeen     = "seen"
	eventChange   = "change"
	eventPaper    = "paper"
	eventOpened   = "opened"
)

var eventOrder = []string{eventService, eventReceived, eventSent, eventPriced, eventPayerGot, eventPayment, eventSeen, eventChange,
	eventPaper, eventOpened}

// sortEvents sorts events by time. Events with only a day come before that day's timestamps, in the
// business's time zone.
func sortEvents(list []Event, zone *time.Location) []Event {
	day := func(e Event) date.Date {
		if e.On != "" {
			return e.On
		}
		return date.Of(e.At.In(zone))
	}
	slices.SortStableFunc(list, func(a, b Event) int {
		byMoment := 0
		if a.On == "" && b.On == "" {
			byMoment = a.At.Compare(b.At.Time)
		}
		return cmp.Or(strings.Compare(string(day(a)), string(day(b))), byMoment,
			slices.Index(eventOrder, a.Kind)-slices.Index(eventOrder, b.Kind))
	})
	return list
}

// parseDay returns the day of a fact's timestamp.
func parseDay(written string) date.Date {
	parse, length := date.ParseCompact, len("20060102") // in X12 format
	if strings.Contains(written, "-") {
		parse, length = date.Parse, len("2006-01-02")
	}
	d, err := parse(written[:min(length, len(written))])
	if err != nil {
		return ""
	}
	return d
}

// currentVersion returns the version that the bill shows, or nil if it's unknown.
func (p *Page) currentVersion() *derive.Version {
	if n := len(p.Group.Versions); n > 0 {
		return &p.Group.Versions[n-1]
	}
	return nil
}

// pricedOn returns the day of the file that first gave the price of a version.
func pricedOn(v *derive.Version) date.Date {
	if v == nil || v.Priced == nil {
		return ""
	}
	for _, m := range v.Sent {
		if had, has := m.Reported.RecommendedAllowance, v.Priced.Reported.RecommendedAllowance; had != nil && has != nil && *had == *has {
			return parseDay(m.Written)
		}
	}
	return parseDay(v.Priced.Written)
}

// frequencyVoid is the frequency code of a void.
const frequencyVoid = "8"

var frequencies = map[string]string{"6": "Adjustment", "7": "Replacement", frequencyVoid: "Void", "Q": "Correction"}

// fileKind returns the kind of file of a submission.
func fileKind(s *facts.Submission) string {
	switch s.Source {
	case facts.FromClaim:
		return "837"
	case facts.FromTable:
		return "Bill file (CSV)"
	default:
		return "Earlier portal data"
	}
}

// history returns the events of a bill from files and the ledger.
func (p *Page) history(changes []facts.Change) []Event {
	b := p.Bill.Bill
	list := []Event{{Kind: eventService, On: b.BeginServiceDate, Text: "Service", Source: "The bill"}}
	if b.Source == facts.SourcePayment {
		list[0].Source = "The payment"
	}
	if b.EndServiceDate != "" && b.EndServiceDate != b.BeginServiceDate {
		list[0].Text = "Service through " + b.EndServiceDate.US()
	}
	if b.BeginServiceDate == "" {
		list = nil
	}
	if b.ReceivedOn != "" {
		source := "Date of the network file"
		if b.ReceivedBasis == facts.ReceivedByRepricer {
			source = "Network receipt date"
		}
		list = append(list, Event{Kind: eventReceived, On: b.ReceivedOn, Text: "Received by the network", Source: source})
	}
	for i, v := range p.Group.Versions {
		first := v.Sent[0]
		if word := frequencies[first.Reported.FrequencyCode]; i > 0 && !v.Outdated && word != "" && parseDay(first.Written) != "" {
			list = append(list, Event{Kind: eventSent, On: parseDay(first.Written), Text: word + " bill sent",
				Source: p.Group.source(first, "")})
		}
		if on := pricedOn(&v); on != "" && first.Reported.FrequencyCode != frequencyVoid {
			list = append(list, Event{Kind: eventPriced, On: on, Text: describePricing(v.Priced.Reported, v.Priced == p.shownSubmission(),
				p.Bill.Detail), Source: p.Group.source(v.Priced, " from the network")})
		}
	}
	if !b.FirstSeenAt.IsZero() {
		list = append(list, Event{Kind: eventSeen, At: b.FirstSeenAt, Text: "In the portal since", Source: "The portal"})
	}
	for _, paper := range p.Papers {
		list = append(list, Event{Kind: eventPaper, At: paper.ImportedAt, Text: paperNames[paper.Kind] + " received on paper",
			Source: "The network"})
	}
	v := p.currentVersion()
	withdrawn := v != nil && v.Sent[0].Reported.FrequencyCode == frequencyVoid
	return append(append(list, p.paymentEvents()...), listChanges(changes, withdrawn, p.ReplacedBy)...)
}

var paperNames = map[string]string{record.Image: "Bill image", record.EOR: "EOR", facts.SheetPaper: "Pricing sheet"}

// shownSubmission returns the submission with the data that the bill shows.
func (p *Page) shownSubmission() *facts.Submission {
	if v := p.currentVersion(); v != nil {
		return v.Priced
	}
	return nil
}

// methodNotCovered is the pricing method (HCP01) of a bill that the network priced at zero.
const methodNotCovered = "00"

// describePricing describes how far the network's allowance is below the charge, and the repricing
// method. For the current version, it also explains a missing price.
func describePricing(b record.Bill, shown bool, detail record.Detail) string {
	if b.RecommendedAllowance == nil {
		text := "Not repriced by the network"
		if b.RepricingMethod == methodNotCovered {
			text = "Priced at zero by the network, not covered"
		}
		if shown && detail.RejectReason != "" {
			text += ", reason " + detail.RejectReason
		}
		return text
	}
	text := "Priced"
	if method := record.RepricingMethods[b.RepricingMethod]; method != "" && b.RepricingMethod != methodNotCovered {
		text = method
	}
	percent := 0.0
	if b.BillCharges > 0 {
		percent = math.Round(100 * float64(b.BillCharges-*b.RecommendedAllowance) / float64(b.BillCharges))
	}
	switch {
	case percent > 0:
		text += fmt.Sprintf(", %.0f%% below charges", percent)
	case percent < 0:
		text += fmt.Sprintf(", %.0f%% above charges", -percent)
	case *b.RecommendedAllowance == b.BillCharges:
		text += ", full charges"
	}
	return text
}

// source returns the name of the first file with a submission.
func (f *billGroup) source(s *facts.Submission, of string) string {
	source := fileKind(s) + of
	if name := f.files[s.File].Name; name != "" {
		source += ", " + name
	}
	return source
}

// paymentEvents returns the events for payments, and for when payers received the bill.
func (p *Page) paymentEvents() []Event {
	var list []Event
	received := map[date.Date]bool{}
	for _, payment := range p.Group.Payments {
		source := "835"
		if payment.Source == facts.FromEarlier {
			source = "Earlier portal payments"
		}
		if payment.Reported.PayerName != "" {
			source += " from " + payment.Reported.PayerName
		}
		if payment.File != "" {
			source += ", " + payment.File
		}
		if payment.ReceivedOn != "" && !received[payment.ReceivedOn] {
			received[payment.ReceivedOn] = true
			list = append(list, Event{Kind: eventPayerGot, On: payment.ReceivedOn, Text: "Received by the payer", Source: source})
		}
		if payment.Role != derive.RoleSuperseded && payment.Duplicate != facts.SameCheck && payment.PaidDate != "" {
			list = append(list, Event{Kind: eventPayment, On: payment.PaidDate, Text: payment.describe(), Source: source,
				Remittance: payment.remittance()})
		}
	}
	return list
}

// remittance returns the remittance of a payment. It's empty for an old payment that isn't a
// fact yet.
func (p billPayment) remittance() string {
	if p.Role == "" {
		return ""
	}
	return p.Remittance
}

// describe describes a payment, and why it doesn't count.
func (p billPayment) describe() string {
	if p.Duplicate == facts.PossibleDuplicate {
		return p.describePayment() + ". Possible duplicate, not counted"
	}
	return p.describePayment()
}

func (p billPayment) describePayment() string {
	by, in := "", ""
	if p.TraceNumber != "" {
		by, in = " by "+p.paymentMethod()+" "+p.TraceNumber, ", remittance "+p.TraceNumber
	}
	switch p.Nature {
	case facts.Money:
		return "Paid $" + pdfdoc.Money(p.Paid) + by
	case facts.Reversal:
		text := "Reversed $" + pdfdoc.Money(-p.Paid) + in
		switch {
		case p.Role == derive.RoleWaiting:
			text += ". The original payment isn't on file yet"
		case p.Pending != 0:
			text += ". The original payment of $" + pdfdoc.Money(p.Pending) + " isn't on file yet"
		}
		return text
	case facts.ZeroReversal:
		return "Decision reversed" + in
	case facts.Denial:
		return "Denied" + in
	case facts.Duplicate:
		return "Denied as duplicate" + in
	case facts.Zero:
		return "No payment due from this payer" + in
	default:
		return "Notice only, no payment" + in
	}
}

func (p billPayment) paymentMethod() string {
	if p.Method == "ACH" {
		return "transfer"
	}
	return "check"
}

// listChanges returns the changes of the bill in the portal that payments don't already show.
func listChanges(changes []facts.Change, withdrawn bool, replacedBy *record.Bill) []Event {
	var list []Event
	priced := false
	for _, c := range changes {
		text := ""
		switch c.Kind {
		case facts.Priced:
			priced = true
		case facts.Repriced:
			priced, text = true, "Network allowance changed"
		case facts.NotPriced:
			if priced { // otherwise its pricing event shows it
				priced, text = false, "No longer repriced by the network"
			}
		case facts.Voided:
			if !withdrawn { // otherwise a submission event shows it
				text = "Void"
			}
		case facts.Replaced:
			text = "Replaced"
			if replacedBy != nil {
				text += " by " + replacedBy.BillControlNumber
			}
		}
		if text != "" {
			list = append(list, Event{Kind: eventChange, At: c.At, Text: text, Source: "The portal"})
		}
	}
	return list
}

// listOpenings returns who first opened each document of a bill, under any of its numbers. Staff who
// mirror a user don't count as the office.
func (s *Service) listOpenings(ctx context.Context, a access.Actor, numbers []string, ftin string) ([]Event, error) {
	var list []Event
	for _, what := range []struct {
		operation, name string
	}{{record.OpenImage, "Bill image"}, {record.OpenEOR, "EOR"}, {record.OpenSecond, "Image or EOR"}, {record.OpenPage, "Page"}} {
		first, known, err := s.records.FindFirst(ctx, what.operation, ftin, numbers)
		if err != nil {
			return nil, err
		}
		if !known {
			continue
		}
		who, err := s.openerName(ctx, a, first)
		if err != nil {
			return nil, err
		}
		list = append(list, Event{Kind: eventOpened, At: first.At, By: first.Actor, Text: what.name + " first opened here by " + who,
			Source: "The portal's log"})
	}
	return list, nil
}

// openerName returns the name of the user who opened something. People of the same group see the
// name, staff see the username, and others see neither.
func (s *Service) openerName(ctx context.Context, a access.Actor, f audit.Found) (string, error) {
	if a.Acting().Type.IsInternal() {
		return f.Actor, nil
	}
	name, err := s.users.GetColleagueName(ctx, f.Actor, a.Acting().GroupID)
	return cmp.Or(name, "a user in another office with this Tax ID"), err
}
