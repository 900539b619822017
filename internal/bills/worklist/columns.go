package worklist

import (
	"fmt"
	"strconv"
	"strings"
)

// column is one that the list can show, as a file has it.
type column struct {
	id, head string
	text     func(b OpenBill) string
}

// listColumns are all, in their order.
var listColumns = []column{
	{"bill", "Bill", func(b OpenBill) string { return b.BillControlNumber }},
	{"claimant", "Claimant", claimant},
	{"service", "Service", func(b OpenBill) string { return b.BeginServiceDate.US() }},
	{"age", "Age (days)", func(b OpenBill) string {
		if b.Age == nil {
			return ""
		}
		return strconv.Itoa(*b.Age)
	}},
	{"payer", "Payer", func(b OpenBill) string { return b.PayerName }},
	{"provider", "Provider", func(b OpenBill) string { return b.Provider }},
	{"state", "State", func(b OpenBill) string { return stateNames[b.State] }},
	{"charge", "Charge", func(b OpenBill) string { return amount(&b.Charge) }},
	{"allowance", "Allowance", func(b OpenBill) string { return amount(b.Allowance) }},
	{"paid", "Paid", func(b OpenBill) string { return amount(b.Paid) }},
	{"difference", "Difference", func(b OpenBill) string { return amount(b.Difference) }},
	{"due", "Due", func(b OpenBill) string { return b.Due.US() }},
	{"reasons", "Reasons", func(b OpenBill) string { return strings.Join(b.Reasons, " ") }},
	{"followUp", "Follow up", func(b OpenBill) string { return b.Work.FollowUpOn.US() }},
	{"assigned", "Assigned", func(b OpenBill) string {
		if b.Work.AssignedTo == nil {
			return ""
		}
		return b.Work.AssignedTo.Name
	}},
	{"notes", "Notes", func(b OpenBill) string {
		if b.Work.Notes == 0 {
			return ""
		}
		return strconv.Itoa(b.Work.Notes)
	}},
}

// stateNames are the states in words, as the list shows them.
var stateNames = map[string]string{Received: "Not priced", Priced: "Priced, unpaid", Denied: "Denied", Short: "Paid short", TakenBack: "Taken back"}

// columnOf is a column by its id; nil where there is none.
func columnOf(id string) *column {
	for i := range listColumns {
		if listColumns[i].id == id {
			return &listColumns[i]
		}
	}
	return nil
}

// chosen are the columns of these ids in the order of the list; all without any.
func chosen(ids []string) []column {
	if len(ids) == 0 {
		return listColumns
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

func claimant(b OpenBill) string {
	given := strings.TrimSpace(b.PatientFirstName + " " + b.PatientMiddleName)
	return strings.Trim(b.PatientLastName+", "+given, ", ")
}

func amount(dollars *float64) string {
	if dollars == nil {
		return ""
	}
	return fmt.Sprintf("%.2f", *dollars)
}
