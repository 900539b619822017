package rosters

import (
	"context"
	"errors"
	"io"
	"strings"

	"wcpp/internal/platform/spreadsheet"
)

// errorsHeader is the heading of the extra column in a corrected file.
const errorsHeader = "Errors"

// correct writes a copy of a roster file with an extra column for the errors of each row. The
// copy's headings alone define its columns.
func correct(ctx context.Context, path string, format spreadsheet.Format, partial bool, chosen *Layout, out io.Writer) error {
	table, err := spreadsheet.NewTable(out, format, "Roster")
	if err != nil {
		return err
	}
	var dates []bool
	width := 0
	c := newChecker(partial)
	c.chosen = chosen
	c.mark = func(cells []string, _ int, problems []Problem) error {
		line := append([]string(nil), cells...)
		if dates == nil { // the header
			width = len(line)
			dates = make([]bool, width)
			for _, column := range c.report.Columns {
				if kind, known := byName[column.Kind]; known {
					dates[column.Index] = Template[kind].isDate
				}
			}
			return table.Row(append(line, errorsHeader))
		}
		for i := range line {
			if i < width && dates[i] {
				line[i] = formatDay(line[i])
			}
		}
		for len(line) < width {
			line = append(line, "")
		}
		messages := make([]string, len(problems))
		for i, p := range problems {
			messages[i] = p.Message
			if p.Column != "" {
				messages[i] = p.Column + ": " + p.Message
			}
		}
		return table.Row(append(line[:width:width], strings.Join(messages, " ")))
	}
	err = c.check(ctx, path, format)
	return errors.Join(err, table.Close())
}

// formatDay formats a spreadsheet's day number as a date.
func formatDay(cell string) string {
	if count := spreadsheet.Text(cell); spreadsheet.IsDayCount(count) {
		return spreadsheet.Date(count).US()
	}
	return cell
}
