// Package auditlog shows the audit log. System administrators see all of it, and provider
// administrators see the entries about their group.
package auditlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// Service reads the log. Each read is audited too.
type Service struct {
	log  *audit.Log
	zone *time.Location // time zone of From and To
}

// NewService creates the service.
func NewService(log *audit.Log, zone *time.Location) *Service { return &Service{log, zone} }

// A search stops after this time, even if the page isn't full.
const maxSearchTime = 10 * time.Second

// Find returns the entries after a place that the actor can see, and the number that follow. The
// count has the same limit as audit.Log.Find.
func (s *Service) Find(ctx context.Context, a access.Actor, q AuditSearch, after audit.Place, skip, limit int) ([]audit.Found, int, error) {
	if err := paging.CheckSkip(skip); err != nil {
		return nil, 0, err
	}
	f, err := s.filter(a, q)
	if err != nil {
		return nil, 0, err
	}
	if err := s.log.RecordNow(ctx, audit.Entry{Operation: "audit-read", Searched: q, Result: "ok"}); err != nil {
		return nil, 0, err
	}
	limited, cancel := context.WithTimeout(ctx, maxSearchTime)
	defer cancel()
	list, following, err := s.log.Find(limited, f, after, skip, limit)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = problem.WithMessage(problem.Unavailable,
			"This search takes too long. Choose a shorter date range or fewer criteria.").WithCause(err)
	}
	return list, following, err
}

// ReadCriteria returns the search criteria of an entry that the actor can see, by name.
func (s *Service) ReadCriteria(ctx context.Context, a access.Actor, id int64) (map[string]any, error) {
	group, err := a.Reach().AuditGroup()
	if err != nil {
		return nil, err
	}
	var parts map[string]any
	e, err := s.log.Get(ctx, id, group, &parts)
	if errors.Is(err, db.ErrNotFound) {
		return nil, access.Refuse(formatSubject(id))
	}
	if err == nil && e.Sealed == "" {
		err = problem.New(problem.NotFound)
	}
	if err != nil {
		return nil, err
	}
	return parts, s.log.RecordNow(ctx, audit.Entry{Operation: "audit-open-search", Subject: formatSubject(id), Result: "ok"})
}

func formatSubject(id int64) string { return fmt.Sprintf("entry %d", id) }

// Export audits the export of a search and returns a function that writes its entries as CSV.
func (s *Service) Export(ctx context.Context, a access.Actor, q AuditSearch) (func(ctx context.Context, out io.Writer) error, error) {
	f, err := s.filter(a, q)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, out io.Writer) error {
		rows := csvio.NewWriter(out)
		if err := rows.Write([]string{"When (UTC)", "User", "Acting for", "Action", "Subject", "Response", "Result", "Details",
			"IP address", "Request ID"}); err != nil {
			return err
		}
		if err := rows.Flush(); err != nil { // also if nothing follows
			return err
		}
		return s.log.Each(ctx, f, func(list []audit.Found) error {
			for _, e := range list {
				if err := rows.Write(formatCells(e)); err != nil {
					return err
				}
			}
			return rows.Flush()
		})
	}, s.log.RecordNow(ctx, audit.Entry{Operation: "audit-export", Searched: q, Result: "ok"})
}

func formatCells(e audit.Found) []string {
	return []string{
		e.At.UTC().Format(time.RFC3339), e.Actor, e.ActingFor, string(e.Operation), e.Subject, strings.Join(e.Numbers(), "; "), e.Result,
		e.Detail, e.Client, e.RequestID,
	}
}

func (s *Service) filter(a access.Actor, q AuditSearch) (audit.Filter, error) {
	group, err := a.Reach().AuditGroup()
	if err != nil {
		return audit.Filter{}, err
	}
	var wrong validate.Fields
	wrong.Require(q.From == "" || q.To == "" || q.From <= q.To, "to", "End date must be on or after the start date.")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return audit.Filter{}, err
	}
	f := audit.Filter{Group: group, Person: q.Person, Subject: q.Subject, Operation: q.Operation}
	if q.From != "" {
		f.From = s.startOfDay(q.From)
	}
	if q.To != "" {
		f.To = s.startOfDay(q.To.AddDays(1))
	}
	return f, nil
}

// startOfDay returns the start of a day in the business time zone.
func (s *Service) startOfDay(d date.Date) time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, s.zone)
}

// listParts lists the criteria of a search by name.
func listParts(searched map[string]any) []Part {
	parts := []Part{}
	for _, name := range slices.Sorted(maps.Keys(searched)) {
		value := fmt.Sprint(searched[name])
		if list, is := searched[name].([]any); is {
			texts := make([]string, len(list))
			for i, v := range list {
				texts[i] = fmt.Sprint(v)
			}
			value = strings.Join(texts, ", ")
		}
		if value != "" && value != "0" && value != "<nil>" && value != "false" {
			parts = append(parts, Part{name, value})
		}
	}
	return parts
}
