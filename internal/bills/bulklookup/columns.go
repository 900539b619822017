package bulklookup

import (
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// Kind is the meaning of a column.
type Kind string

// The kinds of columns.
const (
	Ignored     Kind = "" // only copied to the result
	BillNumber  Kind = "billControlNumber"
	DocumentID  Kind = "documentId"
	Account     Kind = "patientControlNumber"
	PayerNumber Kind = "payerControlNumber"
	ClaimNumber Kind = "claimNumber"
	CheckNumber Kind = "checkNumber"
	LastName    Kind = "lastName"
	FirstName   Kind = "firstName"
	FullName    Kind = "fullName" // last, first; or first last
	BirthDate   Kind = "birthDate"
	ServiceDate Kind = "serviceDate"
	FTIN        Kind = "ftin"
)

// Kinds are all the meanings a column can have.
var Kinds = []Kind{Ignored, BillNumber, DocumentID, Account, PayerNumber, ClaimNumber, CheckNumber, LastName, FirstName, FullName,
	BirthDate, ServiceDate, FTIN}

// headerWords are the column headers used by offices and their software, folded by HeadingKey.
var headerWords = map[Kind][]string{
	BillNumber: {"billcontrolnumber", "billcontrolno", "billcontrol", "bcn", "billnumber", "billno", "billid", "bill", "repricednumber",
		"networkbillnumber", "networknumber", "controlnumber"},
	DocumentID: {"documentid", "documentnumber", "documentno", "docid", "docno", "docnumber", "document", "clearinghousenumber",
		"clearinghouseid", "clearinghousetracenumber"},
	Account: {"acct", "acctno", "acctnum", "acctnumber", "account", "accountno", "accountnum", "accountnumber", "accountid", "patientacct",
		"patientacctno", "patientaccount", "patientaccountno", "patientaccountnumber",
		"patientcontrolnumber", "patientcontrolno", "patientcontrol", "pcn", "pataccount", "patacct", "patacctno", "encounter",
		"encounterno", "encounternumber", "visit", "visitno", "visitnumber", "chart", "chartno", "chartnumber", "ticket", "invoice",
		"invoiceno", "invoicenumber"},
	PayerNumber: {"payercontrolnumber", "payercontrolno", "payerclaimcontrolnumber", "payerclaimnumber", "payerclaimno", "payerclaimid",
		"payericn", "icn", "dcn", "icndcn", "dcnicn", "tcn", "pccn", "ccn", "payernumber", "payerreference", "payerreferencenumber",
		"claimcontrolnumber", "internalcontrolnumber", "documentcontrolnumber"},
	ClaimNumber: {"claim", "claimno", "claimnum", "claimnumber", "claimid", "wcclaim", "wcclaimno", "wcclaimnumber", "injuryclaimnumber",
		"adjusterclaimnumber", "casenumber", "caseno"},
	CheckNumber: {"check", "checkno", "checknum", "checknumber", "chk", "chkno", "cheque", "eft", "eftno", "eftnumber", "trace", "traceno",
		"tracenumber", "checkeft", "checkeftno", "checkeftnumber", "checktracenumber", "trn", "paymentnumber", "warrant",
		"reassociationtracenumber"},
	LastName: {"last", "lastname", "surname", "familyname", "patientlast", "patientlastname", "claimantlast", "claimantlastname",
		"ptlast", "ptlastname"},
	FirstName: {"first", "firstname", "givenname", "patientfirst", "patientfirstname", "claimantfirst", "claimantfirstname", "ptfirst",
		"ptfirstname"},
	FullName: {"name", "fullname", "patient", "patientname", "claimant", "claimantname", "ptname", "employee", "employeename",
		"injuredworker", "injuredworkername"},
	BirthDate: {"dob", "birth", "birthdate", "birthday", "dateofbirth", "patientdob", "claimantdob", "ptdob", "patientbirthdate",
		"patientdateofbirth"},
	ServiceDate: {"dos", "servicedate", "dateofservice", "datesofservice", "svcdate", "servicefrom", "serviceon", "service", "fromdate",
		"dosfrom", "fromdos", "beginservicedate", "begindate", "begindos", "dateservice", "servicebegindate", "from",
		"firstdateofservice", "visitdate", "encounterdate", "servicedatefrom", "dateofservicefrom"},
	FTIN: {"tin", "ftin", "taxid", "taxidnumber", "taxidno", "federaltaxid", "fein", "ein", "providertin", "billingtin", "providertaxid",
		"billingtaxid", "taxpayerid"},
}

// kindByHeader maps headers to kinds.
var kindByHeader = func() map[string]Kind {
	all := map[string]Kind{}
	for kind, list := range headerWords {
		for _, word := range list {
			all[word] = kind
		}
	}
	return all
}()

// Column is how a column is interpreted.
type Column struct {
	Index int    // from 0
	Name  string // from its header; empty if there's none
	Kind  Kind
}

// maxSample is how many lines are used to recognize columns, maxHeaders how many of them can
// be headers.
const (
	maxSample  = 20
	maxHeaders = 2
)

// Recognize returns the kinds of a table's columns and the number of header lines. It uses the
// words in the header, or else the format of the values below.
func Recognize(rows [][]string) (columns []Column, headers int) {
	rows = rows[:min(len(rows), maxSample)]
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	headers = countHeaders(rows)
	columns = make([]Column, width)
	used := map[Kind]bool{}
	for i := range columns {
		columns[i] = Column{Index: i, Name: headerText(rows[:headers], i)}
		if kind := headerKind(rows[:headers], i); !used[kind] {
			columns[i].Kind, used[kind] = kind, kind != Ignored
		}
	}
	if len(used) == 0 || !slices.ContainsFunc(columns, func(c Column) bool { return c.Kind != Ignored }) {
		recognizeByValues(columns, rows[headers:], used)
	}
	if used[FullName] && used[LastName] && used[FirstName] { // "Claimant" above both
		for i := range columns {
			if columns[i].Kind == FullName {
				columns[i].Kind = Ignored
			}
		}
	}
	return columns, headers
}

// countHeaders counts the header lines at the top, including a title above them.
func countHeaders(rows [][]string) int {
	if len(rows) >= maxHeaders && !hasValues(rows[1]) && countKnown(rows[1]) > 1 {
		return maxHeaders // regardless of the title
	}
	headers := 0
	for i, r := range rows[:min(len(rows), maxHeaders)] {
		if hasValues(r) {
			break
		}
		if slices.ContainsFunc(r, func(cell string) bool { return kindByHeader[spreadsheet.HeadingKey(cell)] != Ignored }) {
			headers = i + 1
		}
	}
	if headers > 0 || len(rows) < 2 || hasValues(rows[0]) || spreadsheet.IsBlank(rows[0]) || !hasValues(rows[1]) {
		return headers
	}
	return 1 // unknown words above values
}

// countKnown counts the cells that are known column headers.
func countKnown(row []string) (n int) {
	for _, cell := range row {
		if kindByHeader[spreadsheet.HeadingKey(cell)] != Ignored {
			n++
		}
	}
	return n
}

// hasValues reports whether a line has values, such as dates or numbers, and isn't a header.
func hasValues(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool {
		cell = spreadsheet.Text(cell)
		return spreadsheet.Date(cell) != "" || len(text.Digits(cell)) >= 3
	})
}

// headerText returns the column's text in the header lines.
func headerText(headers [][]string, column int) string {
	var parts []string
	for _, h := range headers {
		if name := text.Clean(cellText(h, column)); name != "" {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, " ")
}

// headerKind returns the kind in the header lines, from both lines combined or from the lower
// one.
func headerKind(headers [][]string, column int) Kind {
	if kind := kindByHeader[spreadsheet.HeadingKey(headerText(headers, column))]; kind != Ignored {
		return kind
	}
	for i := len(headers) - 1; i >= 0; i-- {
		if kind := kindByHeader[spreadsheet.HeadingKey(cellText(headers[i], column))]; kind != Ignored {
			return kind
		}
	}
	return Ignored
}

// recognizeByValues recognizes columns by their values. Dates long ago are birth dates, and TINs
// have a hyphen after two digits. The first numbers are the network's, and those with letters
// the office's.
func recognizeByValues(columns []Column, rows [][]string, used map[Kind]bool) {
	newest := date.Date("")
	for i := range columns {
		_, last := columnDates(rows, i)
		newest = max(newest, last)
	}
	give := func(i int, kinds ...Kind) {
		for _, kind := range kinds {
			if !used[kind] {
				columns[i].Kind, used[kind] = kind, true
				return
			}
		}
	}
	for i := range columns {
		values := columnValues(rows, i)
		all := func(is func(string) bool) bool {
			return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !is(v) })
		}
		switch {
		case all(func(v string) bool { return spreadsheet.Date(v) != "" && !isNumber(v) || isCount(v) }):
			if _, last := columnDates(rows, i); last < newest.AddDays(-10*365) {
				give(i, BirthDate)
			} else {
				give(i, ServiceDate, BirthDate)
			}
		case all(isTIN):
			give(i, FTIN)
		case all(func(v string) bool {
			last, first := splitName(v)
			return strings.Contains(v, ",") && last != "" && first != "" && text.Digits(v) == ""
		}):
			give(i, FullName)
		case all(isNumber):
			give(i, BillNumber, Account)
		case all(func(v string) bool { return len(text.Digits(v)) >= 3 && !strings.ContainsAny(v, "$,") }):
			give(i, Account)
		}
	}
}

// columnValues returns the values of a column that aren't empty.
func columnValues(rows [][]string, column int) []string {
	var values []string
	for _, r := range rows {
		if v := spreadsheet.Text(cellText(r, column)); v != "" {
			values = append(values, v)
		}
	}
	return values
}

func columnDates(rows [][]string, column int) (first, last date.Date) {
	for _, v := range columnValues(rows, column) {
		if d := spreadsheet.Date(v); d != "" {
			last = max(last, d)
			if first == "" || d < first {
				first = d
			}
		}
	}
	return first, last
}

// isNumber reports whether a value is a number with at least six digits.
func isNumber(v string) bool {
	return len(v) >= 6 && len(text.Digits(v)) == len(v) && spreadsheet.Date(v) == "" || len(v) > 8 && len(text.Digits(v)) == len(v)
}

// isCount reports whether a value is a spreadsheet's serial number for a recent date.
func isCount(v string) bool {
	d := spreadsheet.Date(v)
	return len(v) == 5 && len(text.Digits(v)) == 5 && d >= "1920-01-01" && d < "2100-01-01"
}

// isTIN reports whether a value is a TIN: two digits, a hyphen, seven digits.
func isTIN(v string) bool {
	return len(v) == 10 && v[2] == '-' && len(text.Digits(v)) == 9
}

func cellText(row []string, column int) string {
	if column < len(row) {
		return row[column]
	}
	return ""
}

// splitName splits "last, first" and "first last", without an initial after the first name.
func splitName(full string) (last, first string) {
	full = text.Clean(full)
	if before, after, comma := strings.Cut(full, ","); comma {
		last, first = text.Clean(before), text.Clean(after)
	} else if at := strings.LastIndexByte(full, ' '); at > 0 {
		last, first = full[at+1:], full[:at]
	}
	if at := strings.LastIndexByte(first, ' '); at > 0 && len([]rune(strings.TrimSuffix(first[at+1:], "."))) == 1 {
		first = first[:at]
	}
	return last, first
}
