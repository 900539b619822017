package rosters

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/roster-columns.md anew")

const columnsIntro = `# Roster columns

<!-- written by make gen -->

The columns of the roster template. A file can use the other headings instead. [Rosters](rosters.md) explains how.

| Column | Required | Value | Other headings |
|---|---|---|---|
`

// newColumnsPage returns docs/roster-columns.md.
func newColumnsPage() string {
	var b strings.Builder
	b.WriteString(columnsIntro)
	for _, c := range Template {
		value := c.Hint
		if c.max > 0 {
			value = strings.TrimPrefix(fmt.Sprintf("%s; up to %d characters", c.Hint, c.max), "; ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Name, cmp.Or(c.required.String(), "no"), value, strings.Join(c.Also, ", "))
	}
	return b.String()
}

// docs/roster-columns.md lists the template's columns.
func TestDocumentedTemplate(t *testing.T) {
	const page = "../../docs/roster-columns.md"
	want := newColumnsPage()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil { //nolint:gosec // a page of the project
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("docs/roster-columns.md is out of date (%v). Run make gen.", err)
	}
}
