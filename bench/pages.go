package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// pages adds up the scripts and styles a browser loads to show a screen for
// the first time, compressed as the program serves them.
func (b *bench) pages(dist string) error {
	page, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		return err
	}
	first := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:src|href)="/wcpp/(assets/[^"]+)"`).FindAllSubmatch(page, -1) {
		first[string(m[1])] = true
	}
	scripts, err := filepath.Glob(filepath.Join(dist, "assets", "*.js"))
	if err != nil {
		return err
	}
	later := map[string][]string{}
	for _, name := range scripts {
		script, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		maps.Copy(later, laterLoads(string(script)))
	}
	for _, screen := range []struct {
		name  string
		loads []string
		limit int64
	}{
		{"sign-in", nil, 95_000},
		{"home", []string{"SignedInShell", "Home"}, 230_000},
		{"bill search", []string{"SignedInShell", "BillSearchPage"}, 230_000},
	} {
		files := map[string]bool{}
		for f := range first {
			files[f] = true
		}
		for _, load := range screen.loads {
			if later[load] == nil {
				return fmt.Errorf("the application loads no %s", load)
			}
			for _, f := range later[load] {
				files[f] = true
			}
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

var (
	loadList = regexp.MustCompile(`m\.f=\[([^\]]*)\]`)
	loadCall = regexp.MustCompile("import\\([`\"]\\./([A-Za-z]+)-[^`\"]+\\.js[`\"]\\),__vite__mapDeps\\(\\[([0-9,]*)\\]\\)")
)

// laterLoads reads out of a script which files each part of the application
// that it loads later needs.
func laterLoads(script string) map[string][]string {
	list := loadList.FindStringSubmatch(script)
	if list == nil {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(list[1], ",") {
		names = append(names, strings.Trim(name, `"`))
	}
	parts := map[string][]string{}
	for _, m := range loadCall.FindAllStringSubmatch(script, -1) {
		for index := range strings.SplitSeq(m[2], ",") {
			if i, err := strconv.Atoi(index); err == nil && i < len(names) {
				parts[m[1]] = append(parts[m[1]], names[i])
			}
		}
	}
	return parts
}
