package record

import (
	"context"
	"errors"
	"slices"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
)

// The results of operations in the audit log.
const (
	OK      = "ok"
	Refused = "refused"
)

// Entry returns an audit entry for an operation on a bill, or on the bills of a TIN. It can be
// found by both.
func Entry(operation audit.Operation, ftin, number, result string) audit.Entry {
	e := audit.Entry{Operation: operation, Subject: ftin, About: []string{ftin}, Result: result}
	if number != "" {
		e.Subject, e.Answered = ftin+" "+number, []string{number}
		e.About = append(e.About, e.Subject)
	}
	return e
}

// The documents and pages that people open, as named in the audit log.
const (
	OpenPage        = "open-page"
	OpenEOR         = "open-" + EOR
	OpenImage       = "open-" + Image
	OpenSecond      = "open-" + Second
	OpenCertificate = "open-certificate"
	OpenPayment     = "findPaymentInfo"
)

// Openings are the audit operations for opening a bill page or document. Readings also include
// the payment lookup.
var (
	Openings = []string{OpenPage, OpenEOR, OpenImage, OpenSecond, OpenCertificate}
	Readings = append(slices.Clone(Openings), OpenPayment)
)

// FindFirst returns the oldest audit entry of an operation on a bill, under any of its numbers, by
// a user with its TIN. Staff who mirror a user don't count.
func (s *Service) FindFirst(ctx context.Context, operation, ftin string, numbers []string) (oldest audit.Found, known bool, err error) {
	for _, number := range numbers {
		f, err := s.audit.First(ctx, ftin+" "+number, operation)
		if errors.Is(err, db.ErrNotFound) {
			continue
		}
		if err != nil {
			return oldest, false, err
		}
		if !known || f.At.Before(oldest.At.Time) {
			oldest, known = f, true
		}
	}
	return oldest, known, nil
}
