package bulklookup

import (
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
)

// jobRows describes the table of files to look up.
var jobRows = fileexport.NewTable("lookup_jobs", fileexport.Words, func(j *Job) *fileexport.Row[string] { return &j.Row },
	db.Col("file_name", func(j *Job) *string { return &j.FileName }),
	db.JSON("columns", func(j *Job) *[]Column { return &j.Columns }),
	db.Col("header_rows", func(j *Job) *int { return &j.Headers }),
	db.Col("claims", func(j *Job) *bool { return &j.Claims }),
	db.Col("line_count", func(j *Job) *int { return &j.Lines }),
	db.Col("done", func(j *Job) *int { return &j.Done }),
	db.Col("found", func(j *Job) *int { return &j.Found }),
	db.JSON("tins", func(j *Job) *[]string { return &j.TINs }),
)

// started is the condition for jobs whose columns are chosen.
const started = ` AND status <> 'sent'`
