package bulklookup

import (
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// Cell is a problem with a cell of a line.
type Cell struct {
	Index   int // of its column, from 0
	Message string
}

// The problems of cells.
const (
	sayShortened = "Excel shortened this number. Format the column as text and paste it again."
	sayZeros     = "This number is shorter than others in its column. Excel may have dropped leading zeros. Format the column as text " +
		"and paste it again."
	sayTIN     = "A TIN has 9 digits. Excel may have dropped a leading zero. Format the column as text and paste it again."
	sayDate    = "Enter a date as MM/DD/YYYY."
	sayName    = "Enter the name as Last, First."
	sayLong    = "Use 60 characters or fewer."
	sayService = "Add the date of service. A claim number or claimant alone matches too many bills."
	sayBirth   = "Add the claimant's date of birth."
	sayFirst   = "Add the claimant's first name."
	sayLast    = "Add the claimant's last name."
	sayEmpty   = "This line has nothing to look up."
)

// maxValueLength is the maximum length of a value, in characters.
const maxValueLength = 60

// line is a line as read.
type line struct {
	wanted LookupRequest
	cells  []Cell
	// damaged reports that a cell needed to identify the bill is unreadable.
	damaged bool
}

// usualLengths maps a column's index to the most common number of digits in it.
type usualLengths map[int]int

// countDigits counts the digits of the numbers in each column.
func countDigits(columns []Column, rows [][]string) usualLengths {
	most := usualLengths{}
	for _, c := range columns {
		if !c.Kind.isNumber() {
			continue
		}
		counts := map[int]int{}
		for _, r := range rows {
			if v := cellValue(r, c.Index); v != "" && len(text.Digits(v)) == len(v) {
				counts[len(v)]++
			}
		}
		for length, n := range counts {
			if best := most[c.Index]; n > counts[best] || n == counts[best] && length > best {
				most[c.Index] = length
			}
		}
	}
	return most
}

func (k Kind) isNumber() bool {
	switch k {
	case BillNumber, DocumentID, Account, PayerNumber, ClaimNumber, CheckNumber:
		return true
	}
	return false
}

// readLine reads a line according to its columns.
func readLine(columns []Column, row []string) line {
	var l line
	w := &l.wanted
	for _, c := range columns {
		value := cellValue(row, c.Index)
		switch {
		case c.Kind == Ignored || value == "":
			continue
		case len([]rune(value)) > maxValueLength:
			l.addDamage(c, sayLong)
			continue
		case (c.Kind.isNumber() || c.Kind == FTIN) && text.IsExponent(value):
			l.addDamage(c, sayShortened)
			continue
		}
		switch c.Kind {
		case BillNumber:
			w.BillControlNumber = value
		case DocumentID:
			w.DocumentID = value
		case Account:
			w.Account = value
		case PayerNumber:
			w.PayerNumber = value
		case ClaimNumber:
			w.ClaimNumber = value
		case CheckNumber:
			w.CheckNumber = value
		case LastName:
			w.LastName = value
		case FirstName:
			w.FirstName = value
		case FullName:
			if w.LastName, w.FirstName = splitName(value); w.LastName == "" || w.FirstName == "" {
				l.addProblem(c, sayName)
			}
		case BirthDate:
			if w.BirthDate = spreadsheet.Date(value); w.BirthDate == "" {
				l.addProblem(c, sayDate)
			}
		case ServiceDate:
			if w.ServiceDate = spreadsheet.Date(value); w.ServiceDate == "" {
				l.addProblem(c, sayDate)
			}
		case FTIN:
			if w.FTIN = text.TIN(value); len(w.FTIN) != 9 || text.Digits(w.FTIN) != w.FTIN {
				l.addDamage(c, sayTIN)
			}
		}
	}
	return l
}

func (l *line) addProblem(c Column, message string) {
	l.cells = append(l.cells, Cell{c.Index, message})
}

// addDamage adds the problem of a cell that can't be read. A line without its TIN doesn't find bills, instead of
// those under any TIN.
func (l *line) addDamage(c Column, message string) {
	l.addProblem(c, message)
	l.damaged = true
	if c.Kind == FTIN {
		l.wanted.FTIN = unknownTIN
	}
}

// cellValue returns the value of a cell, without the apostrophe by which a spreadsheet stores a
// number as text.
func cellValue(row []string, column int) string {
	return text.Clean(strings.TrimPrefix(spreadsheet.Text(spreadsheet.CellAt(row, column)), "'"))
}

// unknownTIN replaces an unreadable TIN, so that no bill matches.
const unknownTIN = "?"

// checkReadable reports whether the line can be looked up. If it can't, and no cell has a problem
// yet, it adds the missing cells as problems.
func (l *line) checkReadable(columns []Column) bool {
	if l.wanted.FTIN == unknownTIN {
		return false
	}
	if l.wanted.IsUsable() || facts.CheckKey(l.wanted.CheckNumber) != "" {
		return true
	}
	if len(l.cells) > 0 {
		return false
	}
	w := l.wanted
	name := w.LastName != "" || w.FirstName != ""
	at, message := 0, sayEmpty
	for _, c := range columns {
		switch {
		case c.Kind == ClaimNumber && w.ClaimNumber != "" && w.ServiceDate == "":
			at, message = c.Index, sayService
		case name && (c.Kind == LastName || c.Kind == FullName || c.Kind == FirstName):
			at, message = c.Index, missingMessage(w)
		}
	}
	l.cells = append(l.cells, Cell{at, message})
	return false
}

// missingMessage returns what is missing for a claimant lookup.
func missingMessage(w LookupRequest) string {
	switch {
	case w.LastName == "":
		return sayLast
	case w.FirstName == "":
		return sayFirst
	case w.BirthDate == "":
		return sayBirth
	default:
		return sayService
	}
}

// flagLostZeros marks the numbers of an unmatched line that are shorter than usual for their
// column, because they may have lost leading zeros. It never guesses the zeros.
func (l *line) flagLostZeros(columns []Column, row []string, most usualLengths) {
	for _, c := range columns {
		v := cellValue(row, c.Index)
		if c.Kind.isNumber() && v != "" && len(text.Digits(v)) == len(v) && len(v) < most[c.Index] && !strings.HasPrefix(v, "0") {
			l.cells = append(l.cells, Cell{c.Index, sayZeros})
		}
	}
}
