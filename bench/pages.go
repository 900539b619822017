package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"wcpp/web"
)

// pages adds up the scripts and styles that a browser loads for a screen's first view,
// compressed as served.
func (b *bench) pages(dist string) error {
	page, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		return err
	}
	var first []string
	for _, m := range regexp.MustCompile(`(?:src|href)="/wcpp/(assets/[^"]+)"`).FindAllSubmatch(page, -1) {
		first = append(first, string(m[1]))
	}
	listed, err := web.ReadFile(os.DirFS(dist), "routes.json")
	if err != nil {
		return err
	}
	var routes struct {
		Shell               []string
		SignedIn, SignedOut map[string][]string
	}
	if err := json.Unmarshal(listed, &routes); err != nil {
		return err
	}
	loads := func(lists ...[]string) (int64, error) {
		files := map[string]bool{}
		for _, f := range slices.Concat(append(lists, first)...) {
			files[f] = true
		}
		var sum int64
		for f := range files {
			if path.Ext(f) != ".js" && path.Ext(f) != ".css" {
				continue // the font loads later and replaces the system font
			}
			n, err := served(dist, f)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	}
	tell := func(name string, sum, limit int64) {
		b.table.add("first load of "+name+", JS and CSS, brotli", fmt.Sprintf("%.1f KB", float64(sum)/1000), "", "",
			fmt.Sprintf("≤ %d KB", limit/1000), sum <= limit)
	}
	signIn, err := loads()
	if err != nil {
		return err
	}
	tell("sign-in", signIn, 95_000)

	sums := map[string]int64{}
	for address, own := range routes.SignedOut {
		if sums[address], err = loads(own); err != nil {
			return err
		}
	}
	for address, own := range routes.SignedIn {
		if sums[address], err = loads(routes.Shell, own); err != nil {
			return err
		}
	}
	for _, screen := range []struct{ name, address string }{
		{"home", "/home"},
		{"bill search", "/billsearch"},
		{"open bills", "/work/bills"},
		{"the page of a bill", "/work/bill/$id"},
	} {
		sum, listed := sums[screen.address]
		if !listed {
			return fmt.Errorf("routes.json does not list %s", screen.address)
		}
		tell(screen.name, sum, 230_000)
	}
	heaviest := slices.MaxFunc(slices.Sorted(maps.Keys(sums)), func(x, y string) int { return cmp.Compare(sums[x], sums[y]) })
	tell(fmt.Sprintf("the heaviest of all %d screens (%s)", len(sums), heaviest), sums[heaviest], 230_000)
	return nil
}

// served returns a file's transfer size in bytes.
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
