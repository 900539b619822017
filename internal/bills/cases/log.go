package cases

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/validate"
)

// maxLogDays is the maximum number of days in a log of complaints.
const maxLogDays = 366

// logColumns are the columns of the log.
var logColumns = []spreadsheet.Column{
	{Title: "Number", Width: 14}, {Title: "Received", Width: 12, Kind: spreadsheet.Dates}, {Title: "Channel", Width: 10},
	{Title: "Complainant", Width: 30}, {Title: "Group", Width: 30}, {Title: "Categories", Width: 40}, {Title: "State Law", Width: 10},
	{Title: "Bills", Width: 30}, {Title: "Status", Width: 12}, {Title: "Outcome", Width: 14},
	{Title: "Acknowledge By", Width: 15, Kind: spreadsheet.Dates}, {Title: "Acknowledged", Width: 15, Kind: spreadsheet.Dates},
	{Title: "Days to Acknowledge", Width: 12, Kind: spreadsheet.Counts}, {Title: "Acknowledged Late", Width: 12},
	{Title: "Resolve By", Width: 12, Kind: spreadsheet.Dates}, {Title: "Resolved", Width: 12, Kind: spreadsheet.Dates},
	{Title: "Days to Resolve", Width: 12, Kind: spreadsheet.Counts}, {Title: "Resolved Late", Width: 12},
}

var stateNames = map[State]string{Open: "Open", Waiting: "Waiting", Answered: "Answered", Closed: "Closed", Withdrawn: "Withdrawn",
	Merged: "Merged"}

// Log audits the export of the complaints that the network received in a period, and returns a
// function that writes them by day.
func (s *Service) Log(
	ctx context.Context, from, to date.Date, format spreadsheet.Format,
) (func(ctx context.Context, out io.Writer) error, error) {
	var wrong validate.Fields
	wrong.Require(from >= date.Earliest, "from", "Enter a date in 1900 or later.")
	wrong.Require(to >= from && to < from.AddDays(maxLogDays), "to", fmt.Sprintf("Choose up to %d days.", maxLogDays))
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return nil, err
	}
	entry := audit.Entry{Operation: "complaint-log", Subject: string(from) + " " + string(to), Result: "ok"}
	return func(ctx context.Context, out io.Writer) error {
		return spreadsheet.WriteTable(out, format, "Complaints", logColumns, func(t spreadsheet.Table) error {
			return s.writeLog(ctx, from, to, t)
		})
	}, s.audit.RecordNow(ctx, entry)
}

// logPart is the number of complaints per query.
const logPart = 200

func (s *Service) writeLog(ctx context.Context, from, to date.Date, out spreadsheet.Table) error {
	after := Case{Complaint: Complaint{ReceivedOn: from}}
	for {
		list, err := listComplaints(ctx, s.db.Reader, after, to, logPart)
		if err != nil {
			return err
		}
		if err := s.writePart(ctx, list, out); err != nil || len(list) < logPart {
			return err
		}
		after = list[len(list)-1]
	}
}

// writePart writes complaints with their bills and the names of their groups.
func (s *Service) writePart(ctx context.Context, list []Case, out spreadsheet.Table) error {
	ids, groups := make([]int64, len(list)), make([]int64, 0, len(list))
	for i, c := range list {
		ids[i] = c.ID
		if c.Group != 0 {
			groups = append(groups, c.Group)
		}
	}
	bills, err := listBills(ctx, s.db.Reader, ids)
	if err != nil {
		return err
	}
	byCase := map[int64][]aboutBill{}
	for _, b := range bills {
		byCase[b.CaseID] = append(byCase[b.CaseID], b)
	}
	found, err := s.users.Groups(ctx, groups)
	if err != nil {
		return err
	}
	names := map[int64]string{}
	for _, g := range found {
		names[g.ID] = g.Name
	}
	for _, c := range list {
		complainant, err := s.getComplainant(ctx, c)
		if err != nil {
			return err
		}
		if err := out.Row(s.formatRow(c, complainant, names[c.Group], listNumbers(byCase[c.ID]))); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) formatRow(c Case, complainant, group, bills string) []string {
	days := func(on date.Date) string {
		if on == "" {
			return ""
		}
		const day = 24 // hours
		return strconv.Itoa(int(on.Time().Sub(c.ReceivedOn.Time()).Hours() / day))
	}
	late := func(due, on date.Date) string {
		switch {
		case due == "" || on == "" && c.State == Withdrawn:
			return ""
		case on == "" && s.today() > due, on > due:
			return "Yes"
		}
		return "No"
	}
	return []string{
		c.Number, c.ReceivedOn.US(), originNames[c.Origin], complainant, group, listCategories(c.Complaint), c.LawState, bills,
		stateNames[c.State], outcomes[c.Outcome],
		c.AckDue.US(), c.AckOn.US(), days(c.AckOn), late(c.AckDue, c.AckOn),
		c.ResolveDue.US(), c.ResolveOn.US(), days(c.ResolveOn), late(c.ResolveDue, c.ResolveOn),
	}
}
