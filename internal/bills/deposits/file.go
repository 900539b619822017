package deposits

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/validate"
)

const sayFile = "Upload a CSV, XLSX or ACH file."

// receive reads the rows of the form's file. Nothing of it is kept.
func receive(in *httpapi.Form) (rows [][]string, warnings []string, err error) {
	refused := validate.RefuseField(sayFile, fieldFile, sayFile)
	parts, err := in.Parts()
	if err != nil {
		return nil, nil, refused
	}
	for {
		part, err := parts.NextPart()
		if err != nil {
			return nil, nil, refused
		}
		name := httpapi.FileName(part)
		if name == "" {
			continue
		}
		content, err := io.ReadAll(io.LimitReader(part, MaxBytes+1))
		in.Drain(2 * MaxBytes)
		if err != nil {
			return nil, nil, problem.WithMessage(problem.Invalid, "The upload was interrupted. Upload the file again.").
				WithCause(errors.New("the form upload ended early"))
		}
		if len(content) > MaxBytes {
			return nil, nil, problem.WithMessage(problem.TooLarge, "The file is larger than 5 MB. Split it into smaller files.")
		}
		return readFile(name, content)
	}
}

// readFile reads the rows of a file, or of text that was pasted. It returns warnings about what
// isn't read.
func readFile(name string, content []byte) (rows [][]string, warnings []string, err error) {
	format := spreadsheet.GetFormat(name)
	switch strings.ToLower(filepath.Ext(name)) {
	case ".ach", ".nacha", ".asc", "":
		format = spreadsheet.CSV
	}
	if format == spreadsheet.Other {
		return nil, nil, validate.RefuseField(sayFile, fieldFile, sayFile)
	}
	if format == spreadsheet.CSV && utf8.Valid(content) {
		if rows := readACH(string(content)); rows != nil {
			return rows, nil, checkRows(rows)
		}
	}
	rows, warnings, err = readTable(format, content)
	var cannot *spreadsheet.Unreadable
	switch {
	case errors.As(err, &cannot):
		return nil, nil, validate.RefuseField(cannot.Message, fieldFile, cannot.Message)
	case err != nil:
		return nil, nil, err
	case len(rows) == 0:
		const empty = "The file is empty. Upload another one."
		return nil, nil, validate.RefuseField(empty, fieldFile, empty)
	}
	return rows, warnings, checkRows(rows)
}

func checkRows(rows [][]string) error {
	if len(rows) > MaxLines+spreadsheet.MaxHeaders {
		return validate.RefuseField(sayTooMany, fieldFile, sayTooMany)
	}
	return nil
}

// maxCellBytes is how many bytes of a cell are returned.
const maxCellBytes = 2_000

func readTable(format spreadsheet.Format, content []byte) (rows [][]string, warnings []string, err error) {
	file, err := os.CreateTemp("", "wcpp-deposits")
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // of the program's temporary files
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, err
	}
	table, err := spreadsheet.Open(file.Name(), format, "list")
	if err != nil {
		return nil, nil, err
	}
	defer table.Close() //nolint:errcheck // only read
	for {
		cells, line, err := table.Next()
		switch {
		case errors.Is(err, io.EOF):
			if table.From1904() {
				shiftDays(rows)
			}
			return rows, spreadsheet.WarnUnread(table), nil
		case err != nil:
			return nil, nil, err
		case spreadsheet.IsBlank(cells):
			continue
		case len(cells) > MaxColumns:
			return nil, nil, spreadsheet.NewUnreadable("The file has more than %d columns. Remove the columns you don't need.", MaxColumns)
		case len(rows) >= MaxLines+spreadsheet.MaxHeaders:
			return nil, nil, spreadsheet.NewUnreadable(sayTooMany)
		}
		row := make([]string, len(cells))
		for i := range cells {
			cell, is := table.Date(i)
			if !is {
				cell = cells[i]
			}
			if row[i] = strings.ToValidUTF8(strings.TrimSpace(cell), ""); len(row[i]) > maxCellBytes {
				return nil, nil, spreadsheet.NewUnreadable("Line %d has a cell with more than %d characters. Shorten it.", line,
					maxCellBytes)
			}
		}
		rows = append(rows, row)
	}
}

// shiftDays converts the date column's counts of days from 1904. An amount or a check number can look like one.
func shiftDays(rows [][]string) {
	columns, headers := Recognize(rows)
	for _, c := range columns {
		for _, row := range rows[headers:] {
			if c.Kind == Date && c.Index < len(row) {
				row[c.Index] = spreadsheet.ShiftDays(row[c.Index])
			}
		}
	}
}
