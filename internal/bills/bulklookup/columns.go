package bulklookup

import (
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/names"
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

// headings maps headers to kinds.
var headings = spreadsheet.NewHeadings(headerWords)

// Column is how a column is interpreted.
type Column = spreadsheet.Recognized[Kind]

// maxSample is how many lines are used to recognize columns, maxHeaders how many of them can
// be headers.
const (
	maxSample  = spreadsheet.SampleRows
	maxHeaders = spreadsheet.MaxHeaders
)

// Recognize returns the kinds of a table's columns and the number of header lines. It uses the
// words in the header, or else the format of the values below.
func Recognize(rows [][]string) (columns []Column, headers int) {
	columns, headers = headings.Recognize(rows)
	used := map[Kind]bool{}
	for _, c := range columns {
		used[c.Kind] = c.Kind != Ignored
	}
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Kind != Ignored }) {
		recognizeByValues(columns, rows[headers:min(len(rows), maxSample)], used)
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
		values := spreadsheet.ColumnValues(rows, i)
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

func columnDates(rows [][]string, column int) (first, last date.Date) {
	for _, v := range spreadsheet.ColumnValues(rows, column) {
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

// splitName splits "last, first" and "first last", without an initial after the first name. A suffix, such as Jr,
// becomes the end of the last name.
func splitName(full string) (last, first string) {
	last, first, suffix := cutSuffix(full)
	if first == "" {
		at := max(strings.LastIndexByte(last, ' '), 0)
		last, first = strings.TrimSpace(last[at:]), last[:at]
	}
	if first == "" {
		return "", ""
	}
	if at := strings.LastIndexByte(first, ' '); at > 0 && len([]rune(strings.TrimSuffix(first[at+1:], "."))) == 1 {
		first = first[:at]
	}
	if last != "" {
		last = text.Clean(last + " " + suffix)
	}
	return last, first
}

// cutSuffix returns a name before and after its first comma, without a suffix that is the last word or between
// commas.
func cutSuffix(full string) (before, after, suffix string) {
	parts := strings.Split(full, ",")
	for _, part := range parts[1:] {
		if names.IsSuffix(part) { // Smith, Jr, John
			suffix = part
		} else {
			after += " " + part
		}
	}
	before, after = text.Clean(parts[0]), text.Clean(after)
	name, least := &after, 2 // Smith, John Jr
	if after == "" {
		name, least = &before, 3 // John Smith Jr
	}
	words := strings.Fields(*name)
	if end := len(words) - 1; end >= least-1 && names.IsSuffix(words[end]) {
		suffix, *name = words[end], strings.Join(words[:end], " ")
	}
	return before, after, suffix
}
