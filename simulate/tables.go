package main

import (
	"context"
	"fmt"
	"net/http"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
)

// table is a file with a table in the model.
type table struct {
	rows    []string // keys of its good rows
	damaged bool
	certain bool // confirmed
}

// sourceRow returns the key and the row of a roster source in a CSV table.
func sourceRow(n int) (key, row string) {
	return fmt.Sprintf("source %d", n), fmt.Sprintf("%d,Hub %d\n", n, n)
}

const registryHead = "NPI,Entity Type Code,Provider Organization Name (Legal Business Name),Provider Last Name (Legal Name)," +
	"Provider First Name,Provider First Line Business Practice Location Address,Provider Business Practice Location Address City Name," +
	"Provider Business Practice Location Address State Name,Provider Business Practice Location Address Postal Code," +
	"Healthcare Provider Taxonomy Code_1\n"

// registryRow returns the key and the row of a provider in the NPPES registry.
func registryRow(n int) (key, row string) {
	npi := ""
	for digit := 0; !identifiers.IsNPI(npi); digit++ {
		npi = fmt.Sprintf("1%08d%d", n, digit)
	}
	return "provider " + npi, npi + ",1,,HAND,LEE,1 SHORE RD,ERIE,PA,16501,207X00000X\n"
}

// uploadTable sends a CSV table or an NPPES file, which can have a damaged row or be cut.
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
	made, row, name, content := &table{}, sourceRow, fmt.Sprintf("roster_sources-%d.csv", number), "source_id,source_name\n"
	if r.step.N[2]%2 > 0 {
		row, name, content = registryRow, fmt.Sprintf("npidata-%d.csv", number), registryHead
	}
	for i := range 3 {
		key, text := row(1000*number + i)
		made.rows = append(made.rows, key)
		content += text
	}
	switch r.step.N[1] % 3 {
	case 1:
		content += "none,Row without a number\n"
		made.damaged = true
	case 2:
		content += "9,\"Row whose na"
		made.damaged = true
	}
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
	var stored []string
	q := s.fleet.db.Writer
	if err := db.Select(ctx, q, &files, `SELECT file_name, status, refused, rejected FROM feed_files`); err != nil {
		s.violate("readable", "%v", err)
	}
	if err := db.Select(ctx, q, &stored, `SELECT 'source ' || source_id FROM roster_sources
		UNION ALL SELECT 'provider ' || npi FROM providers`); err != nil {
		s.violate("readable", "%v", err)
	}
	is := map[string]bool{}
	for _, key := range stored {
		is[key] = true
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
		for _, key := range t.rows {
			if is[key] {
				found++
			}
		}
		switch all := found == len(t.rows); {
		case found > 0 && !all, !t.damaged && t.certain && !all:
			s.violate("nothing lost", "%d of %d rows of %s are there", found, len(t.rows), name)
		case (t.certain || all) && t.damaged != reported[name]:
			s.violate("damages", "%s is damaged: %t, reported: %t", name, t.damaged, reported[name])
		}
	}
}
