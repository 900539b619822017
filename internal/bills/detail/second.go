package detail

import (
	"context"
	"slices"

	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/pdfdoc"
)

// SecondPage is the page of a bill in the second bill system, from that system's data only.
type SecondPage struct {
	Bill    secondsystem.Bill
	State   State
	Answer  Answer
	Contact *PageContact
	Banners []Banner
	Journey []Event
}

// SecondPage returns the page of a sealed id from the second bill system.
func (s *Service) SecondPage(ctx context.Context, a access.Actor, sealed string) (SecondPage, error) {
	id, _, err := s.records.OpenPage(ctx, a, record.OpenPage, sealed)
	if err != nil {
		return SecondPage{}, err
	}
	q := secondsystem.Query{BillControlNumber: id.Key}
	if id.Key == "" {
		q.DocumentID = id.Document
	}
	found, err := s.second.Search(ctx, []string{id.FTIN}, q)
	if err != nil {
		return SecondPage{}, err
	}
	at := slices.IndexFunc(found, func(b secondsystem.Bill) bool { return b.ExID == id.ExID })
	if at < 0 {
		return SecondPage{}, record.ErrNoPage()
	}
	b := found[at]
	opened, err := s.listOpenings(ctx, a, []string{b.Number(), b.ExID}, b.FTIN)
	if err != nil {
		return SecondPage{}, err
	}
	p := SecondPage{
		Bill: b, State: describeSecond(b), Answer: answerSecond(b, describeSecond(b)), Journey: sortEvents(append(listSecondEvents(b),
			opened...), s.now().Location()),
		Banners: []Banner{{Kind: bannerSecond, Text: "This bill is from the second bill system, which doesn't provide service lines."}},
	}
	if p.Contact, err = s.findContact(ctx, Payer{FTIN: b.FTIN, ID: b.PayerID, Name: b.PayerName}, b.ClaimNumber); err != nil {
		return SecondPage{}, err
	}
	return p, s.audit.RecordNow(ctx, record.Entry(record.OpenPage, b.FTIN, b.Number(), record.OK))
}

func describeSecond(b secondsystem.Bill) State {
	paid, allowance := money.Cents(b.PaidAmount), money.Cents(b.RecommendedAllowance)
	switch b.BillStatus {
	case record.StatusPaid, record.StatusPaidCorrected:
		if paid != nil {
			return describePaid(*paid, allowance, 0)
		}
		return State{toneGood, "Paid"}
	case record.StatusDenied:
		return State{toneBad, "Denied"}
	case record.StatusVoid:
		return State{toneNeutral, "Void"}
	case record.StatusPriced:
		return State{toneInfo, "Repriced by the network, no payment on file"}
	default:
		return State{toneNeutral, "Received, not repriced"}
	}
}

// listSecondEvents returns the events of a bill in the second bill system.
func listSecondEvents(b secondsystem.Bill) []Event {
	const source = "The second bill system"
	var list []Event
	if b.BeginServiceDate != "" {
		e := Event{Kind: eventService, On: b.BeginServiceDate, Text: "Service", Source: source}
		if b.EndServiceDate != "" && b.EndServiceDate != b.BeginServiceDate {
			e.Text = "Service through " + b.EndServiceDate.US()
		}
		list = append(list, e)
	}
	if paid := money.Cents(b.PaidAmount); b.PaidDate != "" && paid != nil && isPaid(b) {
		e := Event{Kind: eventPayment, On: b.PaidDate, Text: "Paid $" + pdfdoc.Money(*paid), Source: source}
		if b.CheckNumber != "" {
			e.Text += " by check " + b.CheckNumber
		}
		list = append(list, e)
	}
	return list
}
