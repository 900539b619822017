package main

import (
	"context"
	"fmt"
	"net/http"

	"wcpp/internal/platform/db"
)

// table is a CSV file of roster sources in the model.
type table struct {
	sources []int64 // of its good rows
	damaged bool
	certain bool // confirmed
}

// uploadTable sends a table: a good one, one with a damaged row, or one that was cut.
func uploadTable(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	s.mu.Lock()
	s.bodies++
	number := s.bodies
	s.mu.Unlock()
	made, content := &table{}, "source_id,source_name\n"
	for i := range 3 {
		source := int64(1000*number + i)
		made.sources = append(made.sources, source)
		content += fmt.Sprintf("%d,Hub %d\n", source, source)
	}
	switch r.step.N[1] % 3 {
	case 1:
		content += "none,Hub without a number\n"
		made.damaged = true
	case 2:
		content += "9,\"Hub whose na"
		made.damaged = true
	}
	name := fmt.Sprintf("roster_sources-%d.csv", number)
	a := r.call(ctx, t, http.MethodPost, "/desk/feeds/upload", newUpload("file", name, content))
	r.ended(t, a)
	if made.certain = a.isOK(); made.certain || a.isUnknown() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.tables[name] = made
	}
}

// checkTables checks that each confirmed table is imported with all of its good rows, or rejected
// as a whole, and that damages are reported. No file waits at rest.
func (s *simulation) checkTables(ctx context.Context) {
	var files []struct {
		FileName, Status, Refused string
		Rejected                  int
	}
	var stored []int64
	q := s.fleet.db.Writer
	if err := db.Select(ctx, q, &files, `SELECT file_name, status, refused, rejected FROM feed_files`); err != nil {
		s.violate("readable", "%v", err)
	}
	if err := db.Select(ctx, q, &stored, `SELECT source_id FROM roster_sources`); err != nil {
		s.violate("readable", "%v", err)
	}
	is := map[int64]bool{}
	for _, source := range stored {
		is[source] = true
	}
	reported := map[string]bool{}
	for _, f := range files {
		if f.Status == "WAITING" || f.Status == "RUNNING" {
			s.violate("uploads", "%s is %s although no job is left", f.FileName, f.Status)
		}
		if f.Refused != "" || f.Rejected > 0 {
			reported[f.FileName] = true
		}
	}
	for name, t := range s.tables {
		found := 0
		for _, source := range t.sources {
			if is[source] {
				found++
			}
		}
		switch all := found == len(t.sources); {
		case found > 0 && !all, !t.damaged && t.certain && !all:
			s.violate("nothing lost", "%d of %d rows of %s are there", found, len(t.sources), name)
		case (t.certain || all) && t.damaged != reported[name]:
			s.violate("damages", "%s is damaged: %t, reported: %t", name, t.damaged, reported[name])
		}
	}
}
