package rosters

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/csvrows"
	"wcpp/internal/platform/date"
)

// errorsHeader heads the column that a corrected file has more.
const errorsHeader = "Errors"

// tableWriter writes the rows of a table.
type tableWriter interface {
	row(cells []string) error
	close() error
}

func newTable(out io.Writer, format Format) (tableWriter, error) {
	if format == XLSX {
		return newXLSXTable(out)
	}
	return csvTable{csvrows.NewCopy(out)}, nil
}

type csvTable struct{ w *csvrows.Writer }

func (t csvTable) row(cells []string) error { return t.w.Write(cells) }

func (t csvTable) close() error { return t.w.Flush() }

type xlsxTable struct {
	out  io.Writer
	book *excelize.File
	w    *excelize.StreamWriter
	line int
}

func newXLSXTable(out io.Writer) (*xlsxTable, error) {
	book := excelize.NewFile()
	if err := book.SetSheetName("Sheet1", "Roster"); err != nil {
		return nil, errors.Join(err, book.Close())
	}
	w, err := book.NewStreamWriter("Roster")
	if err != nil {
		return nil, errors.Join(err, book.Close())
	}
	return &xlsxTable{out: out, book: book, w: w}, nil
}

// Cells are written as texts: none becomes a formula.
func (t *xlsxTable) row(cells []string) error {
	t.line++
	at, err := excelize.CoordinatesToCellName(1, t.line)
	if err != nil {
		return err
	}
	values := make([]any, len(cells))
	for i, c := range cells {
		values[i] = c
	}
	return t.w.SetRow(at, values)
}

func (t *xlsxTable) close() error {
	err := t.w.Flush()
	if err == nil {
		_, err = t.book.WriteTo(t.out)
	}
	return errors.Join(err, t.book.Close())
}

// correct writes a copy of a roster file with a column that tells what is wrong
// with each row.
func correct(ctx context.Context, path string, format Format, partial bool, out io.Writer) error {
	table, err := newTable(out, format)
	if err != nil {
		return err
	}
	var dates []bool
	width := 0
	c := newChecker(partial)
	c.mark = func(cells []string, _ int, problems []Problem) error {
		line := append([]string(nil), cells...)
		if dates == nil { // the header
			width = len(line)
			dates = make([]bool, width)
			for i, h := range line {
				if n, known := byHeader[bare(h)]; known {
					dates[i] = Template[n].Holds != "" && strings.HasPrefix(Template[n].Holds, "MM/DD/YYYY")
				}
			}
			return table.row(append(line, errorsHeader))
		}
		for i := range line {
			if i < width && dates[i] {
				line[i] = readable(line[i])
			}
		}
		for len(line) < width {
			line = append(line, "")
		}
		said := make([]string, len(problems))
		for i, p := range problems {
			said[i] = p.Message
			if p.Column != "" {
				said[i] = p.Column + ": " + p.Message
			}
		}
		return table.row(append(line[:width:width], strings.Join(said, " ")))
	}
	err = c.check(ctx, path, format)
	return errors.Join(err, table.close())
}

// readable writes a spreadsheet's count of days as a date.
func readable(cell string) string {
	if text := strings.TrimSpace(cell); len(text) == 5 && parseDate(text) != "" {
		return date.Date.US(parseDate(text))
	}
	return cell
}
