package bulklookup

import "wcpp/internal/platform/fileexport"

// jobRows describes the table of files to look up.
var jobRows = fileexport.NewTable("lookup_jobs", fileexport.Words, func(j *Job) *fileexport.Row[string] { return &j.Row })
