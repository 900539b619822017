package spreadsheet

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/date"
)

// Workbooks count days from one of two first days. The other sits behind an option that
// old versions of Excel for Mac set; its counts are this much smaller.
const daysTo1904 = 1462

// dateMark precedes the cells that a workbook shows as dates while a row is read. It is
// of Unicode's private use: no cell has it.
const (
	dateMark   = "\uE000"
	dateFormat = `"` + dateMark + `"yyyy-mm-dd hh:mm:ss`
	dateLayout = dateMark + "2006-01-02 15:04:05"
)

// noFormat is the number of a format that no workbook has, which leaves numbers as they are.
const noFormat = 9_999

// builtInDates are the formats of dates that every workbook has, without those of times.
var builtInDates = []int{14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58}

// literals are what a format shows as it is, and its conditions, colors and languages.
var literals = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)

func showsDate(format string) bool {
	return strings.ContainsAny(strings.ToLower(literals.ReplaceAllString(format, "")), "yd")
}

// markDates has a workbook's dates read with dateMark in front, and all other numbers as
// they are: only its styles tell the ones from the others.
func markDates(book *excelize.File) error {
	_, _ = book.GetStyle(0) // reads the styles
	if book.Styles == nil || book.Styles.CellXfs == nil {
		return nil // without styles nothing is shown as a date
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
		isDate[f.NumFmtID] = showsDate(f.FormatCode)
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

// fromMark makes a count of days from 1900 of a cell with a date, as workbooks have it;
// a time is a part of a day.
func fromMark(cell string) string {
	t, err := time.Parse(dateLayout, cell)
	if err != nil {
		return strings.TrimPrefix(cell, dateMark) // a time beyond all dates
	}
	since := t.Sub(dayZero)
	days := strconv.Itoa(int(since / (24 * time.Hour)))
	if part := since % (24 * time.Hour); part != 0 {
		days = strconv.FormatFloat(since.Hours()/24, 'f', 6, 64)
	}
	return days
}

// dayZero is the day from which most workbooks count.
var dayZero = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// count is a bare count of days, with or without a time.
var count = regexp.MustCompile(`^[0-9]{5}(\.[0-9]+)?$`)

// IsCount reports whether a cell is a spreadsheet's count of days.
func IsCount(cell string) bool { return count.MatchString(cell) }

// Date reads the ways in which offices write dates, with or without a time of day; a bare
// number of five digits is a spreadsheet's count of days. What is no date is none.
func Date(value string) date.Date {
	if IsCount(value) {
		n, _ := strconv.Atoi(value[:5])
		return date.Of(dayZero.AddDate(0, 0, n))
	}
	day, ok := date.CutClock(value)
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
