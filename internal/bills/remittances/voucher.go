package remittances

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/sheets"
)

// Voucher answers a remittance as PDF, once that is audited, and the file's name.
func (s *Service) Voucher(ctx context.Context, a access.Actor, sealed string) (name string, body []byte, err error) {
	p, err := s.openDocument(ctx, a, openVoucher, sealed)
	if err != nil {
		return "", nil, err
	}
	if body, err = s.voucher(ctx, p); err != nil {
		return "", nil, err
	}
	return p.fileName(".pdf"), body, s.audit.Now(ctx, p.shown(openVoucher))
}

func (s *Service) voucher(ctx context.Context, p Page) ([]byte, error) {
	sentence, err := s.reasons.Sentences(ctx)
	if err != nil {
		return nil, err
	}
	return p.render(sentence, s.brand, date.Of(s.now()))
}

// inWords names a term of the equation.
func (t Term) inWords(sentence Sentences) string {
	switch t.Kind {
	case termPaid:
		return "Bills paid"
	case termReversed:
		return "Taken back of bills"
	}
	text := "Adjusted beside the bills"
	if s := sentence("PLB", t.Reason, ""); s != "" {
		text = strings.TrimSuffix(s, ".")
	}
	return text + " (" + t.Reason + ")"
}

// render draws the voucher. Codes are told at its end, each once.
func (p *Page) render(sentence Sentences, brand string, on date.Date) ([]byte, error) {
	f := sheets.New("Remittance Voucher", brand, strings.TrimSpace(p.TraceNumber+" "+p.PaidOn.US()))
	method := methods[p.Method]
	f.Facts([][2]string{
		{"Payer", p.PayerName}, {"Paid On", p.PaidOn.US()}, {"Number", p.TraceNumber}, {"Method", method},
		{"Tax ID (TIN)", p.FTIN}, {"Payer's Tax ID", p.PayerTaxID},
	}...)
	f.Sentence(p.comesBy())

	f.Heading("What it comes to")
	terms := []sheets.Column{sheets.Left("", 145.9), sheets.Right("Amount", 40)}
	f.Head(terms)
	for _, t := range p.Equation {
		f.Row(terms, false, t.inWords(sentence), sheets.Money(t.Amount))
	}
	f.Row(terms, true, p.total(), sheets.Money(p.ComesTo))
	if p.Amount != nil && *p.Amount != p.ComesTo {
		f.Row(terms, true, "Announced by the payer", sheets.Money(*p.Amount))
	}
	f.Ln(2)
	for _, n := range p.Notes {
		f.Note(n.Text)
	}

	codes := map[told]bool{}
	if len(p.Bills) > 0 {
		f.Heading("Bills")
		columns := []sheets.Column{
			sheets.Left("Bill", 36), sheets.Left("Claimant", 38), sheets.Left("Service", 22), sheets.Right("Charge", 23),
			sheets.Right("Paid", 23), sheets.Right("Patient's Part", 21), sheets.Left("Reasons", 22.9),
		}
		f.Head(columns)
		for _, r := range p.Bills {
			var reasons []string
			for _, a := range r.Adjustments {
				codes[sentence.of("CARC", a.Reason, r.jurisdiction())], codes[sentence.of("CAGC", a.Group, r.jurisdiction())] = true, true
				reasons = append(reasons, a.Group+"-"+a.Reason)
			}
			for _, m := range r.Remarks {
				if m.List == ledger.RemarkCodes {
					codes[sentence.of("RARC", m.Code, r.jurisdiction())] = true
				}
				reasons = append(reasons, m.Word())
			}
			bill := r.number()
			if r.Part != "" {
				bill += " (" + r.Part + ")"
			}
			if !r.IsCounted() {
				bill += " (not counted)"
			}
			f.Row(columns, false, bill, r.claimant(), r.Reported.BeginServiceDate.US(), sheets.Money(r.Charge), sheets.Money(r.Paid),
				sheets.Money(r.PatientResponsibility), strings.Join(reasons, " "))
		}
	}
	if len(p.Besides) > 0 {
		f.Heading("Adjusted beside the bills")
		columns := []sheets.Column{sheets.Left("Reason", 16), sheets.Left("What it is", 85.9), sheets.Left("Reference", 54), sheets.Right("Amount", 30)}
		f.Head(columns)
		for _, b := range p.Besides {
			reference := b.Reference
			if b.Bill != nil && !strings.EqualFold(b.Bill.BillControlNumber, reference) {
				reference += " (bill " + b.Bill.BillControlNumber + ")"
			}
			f.Row(columns, false, b.Reason, sentence("PLB", b.Reason, ""), reference, sheets.Money(-b.Amount))
		}
	}
	if legend := p.legend(codes, sentence); len(legend) > 0 {
		f.Heading("What the reasons mean")
		for _, text := range legend {
			f.Note(text)
		}
	}
	f.Ln(4)
	f.Note("Drawn by the portal on " + on.US() + " from what the payer's files tell. Interest is no part of what is paid for bills.")
	return f.Bytes()
}

// total names what the equation comes to.
func (p *Page) total() string {
	switch {
	case p.Payees == 0:
		return "Paid, as far as it is known"
	case p.Payees > 1:
		return "The part of this Tax ID"
	case p.Amount != nil && *p.Amount != p.ComesTo:
		return "What that comes to"
	default:
		return "Paid"
	}
}

// told is a code of a list, of a jurisdiction where that tells it in words of its own.
type told struct{ list, code, jurisdiction string }

func (sentence Sentences) of(list, code, jurisdiction string) told {
	if sentence(list, code, jurisdiction) == sentence(list, code, "") {
		jurisdiction = ""
	}
	return told{list, code, jurisdiction}
}

func (p *Page) legend(codes map[told]bool, sentence Sentences) (texts []string) {
	for _, c := range slices.SortedFunc(maps.Keys(codes), func(a, b told) int {
		return cmp.Or(strings.Compare(a.list+a.code, b.list+b.code), strings.Compare(a.jurisdiction, b.jurisdiction))
	}) {
		name := c.code
		if c.jurisdiction != "" {
			name += " in " + c.jurisdiction
		}
		if text := sentence(c.list, c.code, c.jurisdiction); text != "" {
			texts = append(texts, name+": "+text)
		}
	}
	return texts
}
