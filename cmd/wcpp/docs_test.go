package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/settings"
)

// documents returns the docs pages and the files shipped with the program, which operators read.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, from := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "ops"} {
		err := filepath.WalkDir(filepath.Join("../..", from), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) == ".png" || filepath.Ext(path) == ".webp" {
				return err
			}
			content, err := os.ReadFile(path)
			texts[filepath.ToSlash(path)] = string(content)
			return err
		})
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, len(texts), 40)
	return texts
}

var (
	goesOn = regexp.MustCompile(`\\\n\s*`)
	fenced = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	inline = regexp.MustCompile("`([^`\n]+)`")
	called = regexp.MustCompile(
		`^(?:[A-Z_]+=\S+ +)*(?:source <\(|runuser -u wcpp -- |docker exec \S+ )?(?:bin/|/)?(?:wcpp|wcpp-as) (.*)`)
	ends      = regexp.MustCompile(`\s(?:#|>|\||&&|;)|[;)]`)
	flagNamed = regexp.MustCompile(`^--([a-z][a-z-]*)`)
	named     = regexp.MustCompile(`\bWCPP_[A-Z]+(?:_[A-Z]+)*\b`)
)

// wrongCall returns the error that the program would report for a documented command.
func wrongCall(root *cobra.Command, call string) string {
	words := strings.Fields(call)
	cmd := root
	for len(words) > 0 {
		n := slices.IndexFunc(cmd.Commands(), func(child *cobra.Command) bool { return child.Name() == words[0] })
		if n < 0 {
			break
		}
		cmd, words = cmd.Commands()[n], words[1:]
	}
	if cmd == root && (len(words) == 0 || !strings.HasPrefix(words[0], "-")) {
		return "there is no such command"
	}
	if cmd.HasSubCommands() && len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		return cmd.CommandPath() + " has no command " + words[0]
	}
	for _, word := range words {
		if flag := flagNamed.FindStringSubmatch(word); flag != nil && flag[1] != "help" && cmd.Flag(flag[1]) == nil {
			return cmd.CommandPath() + " has no flag --" + flag[1]
		}
	}
	return ""
}

// Every documented command and flag exists in the program.
func TestDocumentsCallWhatThereIs(t *testing.T) {
	root, calls := newRootCommand(), 0
	for file, text := range documents(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		text = goesOn.ReplaceAllString(text, " ")
		var lines []string
		for _, block := range fenced.FindAllStringSubmatch(text, -1) {
			lines = append(lines, strings.Split(block[1], "\n")...)
		}
		prose := fenced.ReplaceAllString(text, "")
		for _, code := range inline.FindAllStringSubmatch(prose, -1) {
			lines = append(lines, code[1])
		}
		for _, line := range lines {
			match := called.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			call := match[1]
			if at := ends.FindStringIndex(call); at != nil {
				call = call[:at[0]]
			}
			calls++
			assert.Emptyf(t, wrongCall(root, call), "%s, %q", file, line)
		}
	}
	assert.GreaterOrEqual(t, calls, 70)
	for call, want := range map[string]string{"serv": "no such command", "user remove x": "no command remove",
		"serve --datas x": "no flag --datas", "audit key --kind x": "no flag --kind"} {
		assert.Contains(t, wrongCall(root, call), want, call)
	}
}

// Every setting in the docs exists. TestSettingsReference checks that none is missing.
func TestDocumentsNameSettingsThatThereAre(t *testing.T) {
	known := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if f, is := flag.Value.(*settings.Field); is && f.Env != "" {
				known[f.Env] = true
			}
		})
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(newRootCommand())
	// Used by Compose and the tests, not settings of the program.
	others := map[string]bool{"WCPP_VERSION": true, "WCPP_TEST_POSTGRES": true, "WCPP_PG_FSYNC": true}
	texts := documents(t)
	for file, text := range texts {
		for _, name := range named.FindAllString(text, -1) {
			if !known[name] && !others[name] {
				t.Errorf("%s names %s, which is no setting", file, name)
			}
		}
	}
}

var (
	linked  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// dropped are the characters that headings lose in their anchors.
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// listAnchors returns the anchors of a page's headings, as GitHub makes them.
func listAnchors(page string) []string {
	var anchors []string
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		anchors = append(anchors, strings.ReplaceAll(strings.ToLower(dropped.ReplaceAllString(h[1], "")), " ", "-"))
	}
	return anchors
}

// Every relative link in the docs leads to a file and, if it has one, to a heading.
func TestDocumentsLinkToWhatThereIs(t *testing.T) {
	texts, links := documents(t), 0
	for file, text := range texts {
		if filepath.Ext(file) != ".md" {
			continue
		}
		for _, link := range linked.FindAllStringSubmatch(text, -1) {
			path, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(path, "://") || strings.HasPrefix(path, "mailto:") {
				continue
			}
			links++
			target := file
			if path != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(file), path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which doesn't exist", file, link[1])
			} else if anchor != "" && !slices.Contains(listAnchors(texts[target]), anchor) {
				t.Errorf("%s links to %s, which has no such heading", file, link[1])
			}
		}
	}
	assert.GreaterOrEqual(t, links, 100)
}

var (
	made  = regexp.MustCompile(`\bmake ([a-z][a-z-]*)`)
	rules = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	// sourced are paths of the project in code spans. A pattern, a placeholder or a command isn't one.
	sourced = regexp.MustCompile("`((?:internal|cmd|web|e2e|bench|ops|docs|tools|third_party)/[A-Za-z0-9_./-]+)`")
)

// Every make target and every path of the project in the docs exists.
func TestDocumentsNameFilesThatThereAre(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	var targets []string
	for _, rule := range rules.FindAllStringSubmatch(string(makefile), -1) {
		targets = append(targets, rule[1])
	}
	paths := 0
	for file, text := range documents(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		for _, call := range fenced.FindAllStringSubmatch(text, -1) {
			for _, target := range made.FindAllStringSubmatch(call[1], -1) {
				if !slices.Contains(targets, target[1]) {
					t.Errorf("%s: make %s doesn't exist", file, target[1])
				}
			}
		}
		for _, code := range inline.FindAllStringSubmatch(text, -1) {
			if target := made.FindStringSubmatch(code[1]); target != nil && strings.HasPrefix(code[1], "make ") &&
				!slices.Contains(targets, target[1]) {
				t.Errorf("%s: %s doesn't exist", file, code[1])
			}
		}
		for _, path := range sourced.FindAllStringSubmatch(text, -1) {
			paths++
			if _, err := os.Stat(filepath.Join("../..", path[1])); err != nil {
				t.Errorf("%s names %s, which doesn't exist", file, path[1])
			}
		}
	}
	assert.GreaterOrEqual(t, paths, 40)
}

var (
	testNamed   = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*\b`)
	browserTest = regexp.MustCompile(`[\w/.-]+\.(?:test|spec)\.tsx?\b`)
	tested      = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// Every test in the docs exists.
func TestDocumentsNameTestsThatThereAre(t *testing.T) {
	known := map[string]bool{}
	var files []string
	for _, from := range []string{"internal", "cmd", "web/src", "e2e"} {
		err := filepath.WalkDir(filepath.Join("../..", from), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			files = append(files, filepath.ToSlash(path))
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			for _, test := range tested.FindAllStringSubmatch(string(content), -1) {
				known[test[1]] = true
			}
			return err
		})
		require.NoError(t, err)
	}
	names := 0
	for file, text := range documents(t) {
		for _, name := range testNamed.FindAllString(text, -1) {
			names++
			assert.Truef(t, known[name], "%s names %s, which doesn't exist", file, name)
		}
		for _, name := range browserTest.FindAllString(text, -1) {
			names++
			exists := func(f string) bool { return strings.HasSuffix(f, "/"+name) }
			if !strings.HasPrefix(name, "Xyz") && !slices.ContainsFunc(files, exists) {
				t.Errorf("%s names %s, which doesn't exist", file, name)
			}
		}
	}
	assert.GreaterOrEqual(t, names, 300)
}
