package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

const heading = `Third-party notices of the provider portal
==========================================

The program and its browser application contain the following third-party software, unmodified, each part
under its own license. Below the list is each license text and notice, once, with the parts it applies to.
The source, also under MPL-2.0, is available at the addresses in the list.

`

// writeNotices writes a list of the parts, then each text under the parts that use it. Only the
// bill of materials has versions, because everyone can read the notices.
func writeNotices(w io.Writer, parts []part) error {
	out := &strings.Builder{}
	out.WriteString(heading)
	type group struct {
		content string
		of      []string
	}
	var groups []*group
	byContent := map[string]*group{}
	for _, p := range parts {
		remark := ""
		if len(p.Texts) == 0 {
			remark = "; comes without a text of it"
		}
		fmt.Fprintf(out, "%s (%s%s)\n    %s\n", p.Name, p.Licence, remark, p.Source)
		for _, t := range p.Texts {
			g := byContent[t.Content]
			if g == nil {
				g = &group{content: t.Content}
				byContent[t.Content] = g
				groups = append(groups, g)
			}
			g.of = append(g.of, p.Name+": "+t.Name)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(out, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 110), strings.Join(slices.Compact(g.of), "\n"), g.content)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
