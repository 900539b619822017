package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
)

// pages adds up the scripts and styles a browser loads to show a screen for
// the first time, compressed as the program serves them.
func (b *bench) pages(dist string) error {
	page, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		return err
	}
	var first []string
	for _, m := range regexp.MustCompile(`(?:src|href)="/wcpp/(assets/[^"]+)"`).FindAllSubmatch(page, -1) {
		first = append(first, string(m[1]))
	}
	listed, err := os.ReadFile(filepath.Join(dist, "routes.json"))
	if err != nil {
		return err
	}
	var routes struct {
		Shell    []string
		SignedIn map[string][]string
	}
	if err := json.Unmarshal(listed, &routes); err != nil {
		return err
	}
	of := func(address string) []string { return slices.Concat(routes.Shell, routes.SignedIn[address]) }
	for _, screen := range []struct {
		name  string
		loads []string
		limit int64
	}{
		{"sign-in", nil, 95_000},
		{"home", of("/home"), 230_000},
		{"bill search", of("/billsearch"), 230_000},
		{"open bills", of("/work/bills"), 230_000},
		{"the page of a bill", of("/work/bill/$id"), 230_000},
	} {
		files := map[string]bool{}
		for _, f := range slices.Concat(first, screen.loads) {
			files[f] = true
		}
		var sum int64
		for f := range files {
			if path.Ext(f) != ".js" && path.Ext(f) != ".css" {
				continue // the font shows later, in place of the system's
			}
			n, err := served(dist, f)
			if err != nil {
				return err
			}
			sum += n
		}
		b.table.add("first load of "+screen.name+", JS and CSS, brotli", fmt.Sprintf("%.1f KB", float64(sum)/1000), "", "",
			fmt.Sprintf("≤ %d KB", screen.limit/1000), sum <= screen.limit)
	}
	return nil
}

// served is how many bytes of a file go over the wire.
func served(dist, name string) (int64, error) {
	info, err := os.Stat(filepath.Join(dist, name+".br"))
	if err != nil {
		info, err = os.Stat(filepath.Join(dist, name))
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
