package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec" //nolint:depguard // a tool of the build asks go
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// part is third-party software in the program.
type part struct {
	Name, Version string
	Kind          string // "golang" or "npm", as in package URLs
	Licence       string // an SPDX expression
	Source        string // download address
	Texts         []text
}

// text is a license or notice file.
type text struct{ Name, Content string }

// everything returns all parts with an allowed license, sorted by kind and name.
func everything() ([]part, error) {
	modules, err := goParts()
	if err != nil {
		return nil, err
	}
	packages, err := webParts(root)
	if err != nil {
		return nil, err
	}
	return slices.Concat(modules, packages), nil
}

// goParts returns the modules with packages in the program on any platform, and Go itself.
func goParts() ([]part, error) {
	type module struct{ Path, Version, Dir string }
	folders := map[module][]string{} // folders of the used packages and their parents
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module,Standard", "./cmd/wcpp")
		list.Dir, list.Stderr = root, os.Stderr
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", platform, err)
		}
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Dir      string
				Standard bool
				Module   *struct {
					module
					Replace *module
				}
			}
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			// the standard library, and the program's own packages
			if p.Standard || p.Module == nil || p.Module.Version == "" || p.Module.Replace != nil && isOwn(p.Module.Replace.Path) {
				continue
			}
			m := p.Module.module
			for dir := p.Dir; ; dir = filepath.Dir(dir) {
				if !slices.Contains(folders[m], dir) {
					folders[m] = append(folders[m], dir)
				}
				if dir == m.Dir {
					break
				}
			}
		}
	}
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	std := strings.TrimSpace(string(goRoot))
	folders[module{"std", runtime.Version(), std}] = []string{std}
	var parts []part
	for m, dirs := range folders {
		p := part{Name: m.Path, Version: m.Version, Kind: "golang", Source: "https://pkg.go.dev/" + m.Path}
		if m.Path == "std" {
			p.Source = "https://go.dev"
		}
		slices.Sort(dirs)
		for _, dir := range dirs {
			texts, err := textsIn(m.Dir, dir)
			if err != nil {
				return nil, err
			}
			p.Texts = append(p.Texts, slices.DeleteFunc(texts, func(t text) bool { return special[p.Name+"/"+t.Name].Absent })...)
		}
		if p.Licence, err = licenceOf(p); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return sorted(parts), nil
}

// isOwn reports whether a module's replacement is part of the program.
func isOwn(replacement string) bool { return strings.HasPrefix(replacement, "./") }

var legal = regexp.MustCompile(`(?i)^(licen[sc]es?|copying|copyright|notice|patents|unlicense)([-.].*)?$`)

// textsIn reads the license files of a folder and of its folder LICENSES, with names relative to
// base.
func textsIn(base, dir string) ([]text, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case strings.EqualFold(entry.Name(), "licenses") && entry.IsDir():
			inner, err := os.ReadDir(path)
			if err != nil {
				return nil, err
			}
			for _, file := range inner {
				t, err := readText(base, filepath.Join(path, file.Name()))
				if err != nil {
					return nil, err
				}
				texts = append(texts, t)
			}
		case entry.Type().IsRegular() && legal.MatchString(entry.Name()) && filepath.Ext(entry.Name()) != ".go":
			t, err := readText(base, path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, t)
		}
	}
	return texts, nil
}

func readText(base, path string) (text, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return text{}, err
	}
	name, err := filepath.Rel(base, path)
	return text{filepath.ToSlash(name), strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n"))}, err
}

// unseen lists packages that the build uses without reporting them: the font, through a style
// sheet.
var unseen = []string{"@fontsource-variable/public-sans"}

// unnamed lists the licenses of packages that give only the license text.
var unnamed = map[string]string{"dejavu-fonts-ttf": "Bitstream-Vera"}

// webParts returns the packages in the browser application: those that the build reports and
// those in unseen. Each dependency must be one of them.
func webParts(root string) ([]part, error) {
	var bundled []struct{ Name, Version, Identifier, Text string }
	var project struct{ Dependencies map[string]string }
	for file, into := range map[string]any{"bundled.json": &bundled, "package.json": &project} {
		content, err := os.ReadFile(filepath.Join(root, "web", file))
		if err == nil {
			err = json.Unmarshal(content, into)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; has the application been built?", err)
		}
	}
	var parts []part
	add := func(name, version, licence string, texts []text) error {
		delete(project.Dependencies, name)
		chosen := choice(cmp.Or(unnamed[name], licence))
		if chosen == "" {
			return fmt.Errorf("%s has the license %q, which is not allowed", name, licence)
		}
		parts = append(parts, part{name, version, "npm", chosen, "https://www.npmjs.com/package/" + name, texts})
		return nil
	}
	for _, b := range bundled {
		var texts []text
		if b.Text != "" {
			texts = []text{{"LICENSE", strings.ReplaceAll(b.Text, "\r\n", "\n")}}
		}
		if err := add(b.Name, b.Version, b.Identifier, texts); err != nil {
			return nil, err
		}
	}
	for _, name := range unseen {
		dir := filepath.Join(root, "web/node_modules", name)
		var about struct{ Version, License string }
		content, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err == nil {
			err = json.Unmarshal(content, &about)
		}
		if err != nil {
			return nil, err
		}
		texts, err := textsIn(dir, dir)
		if err != nil {
			return nil, err
		}
		if err := add(name, about.Version, about.License, texts); err != nil {
			return nil, err
		}
	}
	for name := range project.Dependencies {
		return nil, fmt.Errorf("the application depends on %s, but its build does not tell of it: it belongs among unseen, or out of "+
			"package.json", name)
	}
	return sorted(parts), nil
}

func sorted(parts []part) []part {
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.Name+"@"+a.Version, b.Name+"@"+b.Version) })
	return parts
}
