package openbills

import (
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/spreadsheet"
)

// column is a column of the list and its file column.
type column struct {
	id string
	spreadsheet.Column
	text func(b OpenBill) string
}

// isOptional reports whether only users who choose it see the column.
func (c column) isOptional() bool { return c.id == "lastCall" }

// listColumns are all columns, in order.
var listColumns = []column{
	{"bill", spreadsheet.Column{Title: "Bill", Width: 16}, func(b OpenBill) string { return b.BillControlNumber }},
	{"claimant", spreadsheet.Column{Title: "Claimant", Width: 26}, formatClaimant},
	{"service", spreadsheet.Column{Title: "Service", Width: 12, Kind: spreadsheet.Dates}, func(b OpenBill) string {
		return b.BeginServiceDate.US()
	}},
	{"age", spreadsheet.Column{Title: "Age (days)", Width: 11, Kind: spreadsheet.Counts}, func(b OpenBill) string {
		if b.Age == nil {
			return ""
		}
		return strconv.Itoa(*b.Age)
	}},
	{"payer", spreadsheet.Column{Title: "Payer", Width: 28}, func(b OpenBill) string { return b.PayerName }},
	{"provider", spreadsheet.Column{Title: "Provider", Width: 28}, func(b OpenBill) string { return b.Provider }},
	{"state", spreadsheet.Column{Title: "State", Width: 16}, func(b OpenBill) string { return billstate.Label(b.State) }},
	{"charge", spreadsheet.Column{Title: "Charge", Width: 12, Kind: spreadsheet.Amounts}, func(b OpenBill) string {
		return formatDollars(&b.Charge)
	}},
	{"allowance", spreadsheet.Column{Title: "Allowance", Width: 12, Kind: spreadsheet.Amounts}, func(b OpenBill) string {
		return formatDollars(b.Allowance)
	}},
	{"paid", spreadsheet.Column{Title: "Paid", Width: 12, Kind: spreadsheet.Amounts}, func(b OpenBill) string {
		return formatDollars(b.Paid)
	}},
	{"difference", spreadsheet.Column{Title: "Difference", Width: 12, Kind: spreadsheet.Amounts}, func(b OpenBill) string {
		return formatDollars(b.Difference)
	}},
	{"due", spreadsheet.Column{Title: "Due", Width: 12, Kind: spreadsheet.Dates}, func(b OpenBill) string { return b.Due.US() }},
	{"reasons", spreadsheet.Column{Title: "Reasons", Width: 22}, func(b OpenBill) string { return strings.Join(b.Reasons, " ") }},
	{"followUp", spreadsheet.Column{Title: "Follow up", Width: 12, Kind: spreadsheet.Dates}, func(b OpenBill) string {
		return b.Work.FollowUpOn.US()
	}},
	{"assigned", spreadsheet.Column{Title: "Assigned", Width: 22}, func(b OpenBill) string {
		if b.Work.AssignedTo == nil {
			return ""
		}
		return b.Work.AssignedTo.Name
	}},
	{"notes", spreadsheet.Column{Title: "Notes", Width: 8, Kind: spreadsheet.Counts}, func(b OpenBill) string {
		if b.Work.Notes == 0 {
			return ""
		}
		return strconv.Itoa(b.Work.Notes)
	}},
	{"lastCall", spreadsheet.Column{Title: "Last payer call", Width: 14, Kind: spreadsheet.Dates}, func(b OpenBill) string {
		if b.LastCall == nil {
			return ""
		}
		return b.LastCall.On.US()
	}},
	{"lastCall", spreadsheet.Column{Title: "Call outcome", Width: 28}, formatCallOutcome},
	// The list shows it below the bill number, so both are included together.
	{"bill", spreadsheet.Column{Title: "Tax ID (TIN)", Width: 12}, func(b OpenBill) string { return b.FTIN }},
}

// findColumn returns a column by its id, or nil.
func findColumn(id string) *column {
	for i := range listColumns {
		if listColumns[i].id == id {
			return &listColumns[i]
		}
	}
	return nil
}

// selectColumns returns the columns with these ids in the order of the list. Without any ids, it returns all but
// the optional ones.
func selectColumns(ids []string) []column {
	if len(ids) == 0 {
		return slices.DeleteFunc(slices.Clone(listColumns), column.isOptional)
	}
	var list []column
	for _, c := range listColumns {
		for _, id := range ids {
			if c.id == id {
				list = append(list, c)
				break
			}
		}
	}
	return list
}

func formatClaimant(b OpenBill) string {
	given := strings.TrimSpace(b.PatientFirstName + " " + b.PatientMiddleName)
	return strings.Trim(b.PatientLastName+", "+given, ", ")
}

func formatCallOutcome(b OpenBill) string {
	if b.LastCall == nil {
		return ""
	}
	label, _ := CallOutcome(b.LastCall.Outcome).Label()
	if b.LastCall.PromisedOn != "" {
		label += " for " + b.LastCall.PromisedOn.US()
	}
	return label
}

func formatDollars(inDollars *float64) string { return money.TextOrNone(money.Cents(inDollars)) }
