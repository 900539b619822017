package deposits

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Kind is the meaning of a column.
type Kind string

// The kinds of columns.
const (
	Ignored    Kind = ""
	Date       Kind = "date"
	Amount     Kind = "amount"
	Withdrawal Kind = "withdrawal" // amounts that leave the account, in a column of their own
	Trace      Kind = "trace"
	Note       Kind = "description"
)

// Kinds are all the meanings a column can have.
var Kinds = []Kind{Ignored, Date, Amount, Withdrawal, Trace, Note}

// headings are the headers that banks and their portals use.
var headings = spreadsheet.NewHeadings(map[Kind][]string{
	Date: {"date", "day", "posted", "postdate", "posteddate", "postingdate", "dateposted", "depositdate", "datedeposited",
		"transactiondate", "trandate", "effectivedate", "effectiveentrydate", "valuedate", "bookingdate", "settlementdate",
		"cleareddate", "entrydate",
		"asofdate", "paymentdate", "processingdate", "checkdate"},
	Amount: {"amount", "amountusd", "amt", "credit", "credits", "creditamount", "deposit", "deposits", "depositamount",
		"transactionamount", "tranamount", "checkamount", "paymentamount", "paidamount", "netamount", "net", "totalamount", "eftamount",
		"achamount"},
	Withdrawal: {"debit", "debits", "debitamount", "withdrawal", "withdrawals", "withdrawalamount"},
	Trace: {"trace", "traceno", "tracenum", "tracenumber", "trn", "trn02", "reassociationtracenumber", "reassociationnumber",
		"reassociation", "check", "checkno", "checknum", "checknumber", "checkserialno", "checkserialnumber", "serialno",
		"serialnumber", "chk", "chkno",
		"cheque", "eft", "eftno", "eftnumber", "checkeft", "checkeftno", "checkeftnumber", "checktracenumber", "paymentnumber", "paymentid",
		"reference", "referenceno", "referencenumber", "ref", "refno", "refnumber", "customerreference", "customerrefno", "number",
		"checkorreference", "traceorchecknumber", "checkortrace", "checkortracenumber", "addenda", "addendum", "addendarecord",
		"addendainformation", "paymentrelatedinformation"},
	Note: {"description", "details", "detail", "memo", "narrative", "text", "payer", "payername", "companyname", "company", "originator",
		"originatorname", "name", "remarks", "comment", "comments", "transaction", "transactiondescription"},
})

// Column is how a column is interpreted.
type Column = spreadsheet.Recognized[Kind]

// Recognize returns the kinds of a table's columns and the number of header lines. It uses the
// words in the header, or else the format of the values below.
func Recognize(rows [][]string) (columns []Column, headers int) {
	columns, headers = headings.Recognize(rows)
	used := map[Kind]bool{}
	for _, c := range columns {
		used[c.Kind] = c.Kind != Ignored
	}
	sample := rows[headers:min(len(rows), max(headers, spreadsheet.SampleRows))]
	for _, by := range []struct {
		kind Kind
		is   func(string) bool
	}{{Date, isDate}, {Trace, hasTRN}, {Amount, isDecimal}, {Trace, isNumber}, {Amount, isAmount}, {Note, isWords}} {
		if used[by.kind] {
			continue
		}
		for i := range columns {
			values := spreadsheet.ColumnValues(sample, i)
			wrong := slices.ContainsFunc(values, func(v string) bool { return !by.is(v) })
			if columns[i].Kind == Ignored && len(values) > 0 && !wrong {
				columns[i].Kind, used[by.kind] = by.kind, true
				break
			}
		}
	}
	return columns, headers
}

// isDate reports whether a value is a date, or a spreadsheet's count of days in this century. A
// check number with five digits is rarely such a count.
func isDate(v string) bool {
	on := parseDate(v)
	return on >= "2000-01-01" && on < "2100-01-01"
}

func isDecimal(v string) bool { return isAmount(v) && strings.ContainsAny(v, ".$") }

func isAmount(v string) bool {
	_, ok := parseAmount(v)
	return ok
}

// isNumber reports whether a value looks like a check or trace number.
func isNumber(v string) bool { return len(text.Digits(v)) >= 3 && !strings.ContainsAny(v, "$,") }

func isWords(v string) bool { return text.Digits(v) == "" || strings.Contains(v, " ") }

// parseDate reads a date as offices and banks write it, also with a year of two digits.
func parseDate(v string) date.Date {
	if on := spreadsheet.Date(v); on != "" {
		return on
	}
	day, ok := date.CutTime(v)
	if !ok {
		return ""
	}
	for _, layout := range []string{"1/2/06", "1-2-06"} {
		if t, err := time.Parse(layout, day); err == nil {
			return date.Of(t)
		}
	}
	return ""
}

// amountForm is an amount with or without separators between thousands. A workbook can store
// 1847.5 with more digits than were typed.
var amountForm = regexp.MustCompile(`^([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.([0-9]*))?$`)

const maxAmount = 1e12 // cents

// parseAmount reads an amount in dollars as cents. Parentheses and a minus before or after make
// it negative. Anything unclear isn't read: 1.234,56 or 1,23.
func parseAmount(v string) (cents int64, ok bool) {
	dollars := func() { v = strings.TrimSpace(strings.TrimPrefix(v, "$")) }
	v = strings.ReplaceAll(strings.TrimSpace(v), "−", "-")
	negative := false
	cut := func(is bool, without string) {
		if is && !negative {
			negative, v = true, strings.TrimSpace(without)
		}
	}
	dollars()
	if inner, found := strings.CutPrefix(v, "("); found && strings.HasSuffix(inner, ")") {
		cut(true, strings.TrimSuffix(inner, ")"))
	}
	dollars()
	cut(strings.HasPrefix(v, "-"), strings.TrimPrefix(v, "-"))
	cut(strings.HasSuffix(v, "-"), strings.TrimSuffix(v, "-"))
	v = strings.TrimPrefix(v, "+")
	dollars()
	parts := amountForm.FindStringSubmatch(v)
	if parts == nil || parts[1] == "" && parts[2] == "" || len(parts[2]) > 20 || len(parts[1]) > 20 {
		return 0, false
	}
	amount, err := strconv.ParseFloat(strings.ReplaceAll(v, ",", ""), 64)
	cents = int64(math.Round(amount * 100))
	isNoise := len(parts[2]) > 6 && math.Abs(amount*100-math.Round(amount*100)) < 1e-4
	if err != nil || amount*100 >= maxAmount || len(parts[2]) > 2 && !isNoise {
		return 0, false
	}
	if negative {
		cents = -cents
	}
	return cents, true
}

// trn is a reassociation trace segment of an addenda record. It ends with a tilde or backslash.
var trn = regexp.MustCompile(`TRN\*[0-9A-Z]{1,2}\*([^*~\\\s]{1,50})`)

func hasTRN(v string) bool { return trn.MatchString(v) }

// readTrace returns the trace number in a cell: that of its TRN segment, or else the whole cell.
func readTrace(cell string) string {
	if found := trn.FindStringSubmatch(cell); found != nil {
		return found[1]
	}
	return cell
}

// Cell is a problem with a cell.
type Cell struct {
	Index   int // of its column, from 0
	Message string
}

// The problems of cells.
const (
	sayDate      = "Enter a date as MM/DD/YYYY."
	sayAmount    = "Enter an amount, such as 1,234.56."
	sayShortened = "Excel shortened this number. Format the column as text and save it again."
	sayLong      = "Use 200 characters or fewer."
	sayEmpty     = "This line has no amount and no trace number."
)

// maxCell is how many characters of a cell are read.
const maxCell = 200

// invalid fields
const (
	fieldColumns = "columns"
	fieldRows    = "rows"
	fieldFile    = "file"
)

// Table is the bank's list, with the meaning of its columns.
type Table struct {
	Columns []Column
	Headers int // header lines at the top
	Rows    [][]string
}

// Limits of a table.
const (
	MaxLines   = 5_000
	MaxColumns = 100
	MaxBytes   = 5 << 20
)

const (
	sayColumns = "Select the columns with the amount, or with the trace number"
	sayTooMany = "The list has more than 5,000 lines. Split it into smaller files."
)

// check rejects a table without deposits.
func (t Table) check() error {
	if len(t.lines()) > MaxLines {
		return validate.RefuseField(sayTooMany, fieldRows, sayTooMany)
	}
	has := map[Kind]bool{}
	for _, c := range t.Columns {
		if c.Index < 0 || c.Index >= MaxColumns || !slices.Contains(Kinds, c.Kind) {
			return validate.RefuseField(sayColumns, fieldColumns, sayColumns)
		}
		if c.Kind != Ignored && has[c.Kind] {
			const twice = "Use each kind for one column only"
			return validate.RefuseField(twice, fieldColumns, twice)
		}
		has[c.Kind] = true
	}
	if !has[Amount] && !has[Trace] {
		return validate.RefuseField(sayColumns, fieldColumns, sayColumns)
	}
	return nil
}

// lines returns the rows below the header.
func (t Table) lines() [][]string { return t.Rows[min(t.Headers, len(t.Rows)):] }

// read reads the deposits of a table. Blank rows are none.
func (t Table) read() []Deposit {
	var deposits []Deposit
	for i, row := range t.lines() {
		if !spreadsheet.IsBlank(row) {
			deposits = append(deposits, t.readLine(row, t.Headers+i+1))
		}
	}
	return deposits
}

func (t Table) readLine(row []string, line int) Deposit {
	d := Deposit{Line: line}
	amounts := -1 // the column for the amount, if there is one
	refuse := func(c Column, message string) { d.Cells = append(d.Cells, Cell{c.Index, message}) }
	addAmount := func(c Column, value string) {
		if amounts < 0 || c.Kind == Amount {
			amounts = c.Index
		}
		cents, ok := parseAmount(value)
		if c.Kind == Withdrawal {
			cents = min(cents, -cents)
		}
		if !ok && value != "" {
			refuse(c, sayAmount)
		} else if value != "" && (d.Amount == nil || *d.Amount == 0) {
			d.Amount = &cents
		}
	}
	for _, c := range t.Columns {
		value := text.Clean(strings.TrimPrefix(spreadsheet.Text(spreadsheet.CellAt(row, c.Index)), "'"))
		if c.Kind != Note && len([]rune(value)) > maxCell {
			refuse(c, sayLong)
			continue
		}
		switch c.Kind {
		case Date:
			if d.On = parseDate(value); d.On == "" {
				refuse(c, sayDate)
			}
		case Amount, Withdrawal:
			addAmount(c, value)
		case Trace:
			if d.Trace = readTrace(value); text.IsExponent(d.Trace) {
				refuse(c, sayShortened)
			}
		case Note:
			d.Note = cutText(value)
		case Ignored:
		}
	}
	if found := trn.FindStringSubmatch(d.Note); found != nil && facts.FoldOrEmpty(d.Trace) == "" {
		d.Trace = found[1]
	}
	switch {
	case d.Amount != nil || len(d.Cells) > 0:
	case traceKey(d.Trace) == "":
		d.Cells = append(d.Cells, Cell{0, sayEmpty})
	case amounts >= 0:
		d.Cells = append(d.Cells, Cell{amounts, sayAmount})
	}
	return d
}

func cutText(s string) string {
	if runes := []rune(s); len(runes) > maxCell {
		return string(runes[:maxCell])
	}
	return s
}
