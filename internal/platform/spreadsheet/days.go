package spreadsheet

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/date"
)

// Workbooks count days from 1900, or from 1904 with an option that old versions of Excel for Mac
// set. Counts from 1904 are smaller by this number.
const daysTo1904 = 1462

// dateMark is the prefix of date cells while a row is read. It is a private-use character of
// Unicode, so no cell contains it.
const (
	dateMark   = "\uE000"
	dateFormat = `"` + dateMark + `"yyyy-mm-dd hh:mm:ss`
	dateLayout = dateMark + "2006-01-02 15:04:05"
)

// noFormat is an unused number format, which leaves numbers unchanged.
const noFormat = 9_999

// builtInDates are the built-in date formats of workbooks, without those of times.
var builtInDates = []int{14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58}

// literals are the literal texts of a format, and its conditions, colors, and languages.
var literals = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)

func isDateFormat(format string) bool {
	return strings.ContainsAny(strings.ToLower(literals.ReplaceAllString(format, "")), "yd")
}

// markDates makes the library read a workbook's dates with dateMark as the prefix, and other
// numbers unchanged. Only the cell styles distinguish them.
func markDates(book *excelize.File) error {
	_, _ = book.GetStyle(0) // loads the styles
	if book.Styles == nil || book.Styles.CellXfs == nil {
		return nil // without styles, no cell is a date
	}
	format := dateFormat
	marked, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format})
	if err != nil {
		return err
	}
	styles := book.Styles.CellXfs.Xf
	mark, none := *styles[marked].NumFmtID, noFormat
	isDate := map[int]bool{}
	for _, id := range builtInDates {
		isDate[id] = true
	}
	for _, f := range book.Styles.NumFmts.NumFmt {
		isDate[f.NumFmtID] = isDateFormat(f.FormatCode)
	}
	for i := range styles {
		if id := styles[i].NumFmtID; id != nil && isDate[*id] {
			styles[i].NumFmtID = &mark
		} else {
			styles[i].NumFmtID = &none
		}
	}
	return nil
}

// parseMark converts a marked date cell to a count of days from 1900, and to MM/DD/YYYY. A time is
// a fraction of a day.
func parseMark(cell string) (count, text string) {
	t, err := time.Parse(dateLayout, cell)
	if err != nil {
		cell = strings.TrimPrefix(cell, dateMark) // a time outside of all dates
		return cell, cell
	}
	since := t.Sub(dayZero)
	if since%(24*time.Hour) == 0 {
		return strconv.Itoa(int(since / (24 * time.Hour))), t.Format("01/02/2006")
	}
	return strconv.FormatFloat(since.Hours()/24, 'f', 6, 64), t.Format("01/02/2006 15:04:05")
}

// dayZero is day 0 of most workbooks.
var dayZero = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// count is a plain count of days, with or without a time.
var count = regexp.MustCompile(`^[0-9]{5}(\.[0-9]+)?$`)

// IsDayCount reports whether a cell is a spreadsheet's count of days.
func IsDayCount(cell string) bool { return count.MatchString(cell) }

// ShiftDays converts a count of days from 1904 to one from 1900. Other cells stay unchanged.
func ShiftDays(cell string) string {
	text := Text(cell)
	if !IsDayCount(text) {
		return cell
	}
	n, _ := strconv.Atoi(text[:5])
	return strconv.Itoa(n+daysTo1904) + text[5:]
}

// Date parses the date formats that offices use, with or without a time of day. A plain
// five-digit number is a spreadsheet's count of days. It returns no date for other values.
func Date(value string) date.Date {
	if IsDayCount(value) {
		n, _ := strconv.Atoi(value[:5])
		return date.Of(dayZero.AddDate(0, 0, n))
	}
	day, ok := date.CutTime(value)
	if !ok {
		return ""
	}
	for _, layout := range days {
		if t, err := time.Parse(layout, day); err == nil && t.Year() >= 1900 && t.Year() < 2200 {
			return date.Of(t)
		}
	}
	return ""
}

var days = []string{"1/2/2006", "1-2-2006", "1.2.2006", "2006-01-02", "20060102"}
