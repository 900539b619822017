package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
)

// vocabulary is a list of stored values with their screen labels.
type vocabulary struct {
	file, name, about, source string
	keys                      []string
	label                     func(key string) (string, bool)
	// more has the file's other exports.
	more string
	// exact gives the browser's list exactly these keys as its type.
	exact bool
}

func getKeys[K ~string](list []K) (keys []string) {
	for _, k := range list {
		keys = append(keys, string(k))
	}
	return keys
}

func vocabularies() []vocabulary {
	var network strings.Builder
	for _, o := range audit.Operations() {
		if o.IsNetworkOnly() {
			fmt.Fprintf(&network, "  %s,\n", quoted(string(o)))
		}
	}
	return []vocabulary{
		{
			file: "features/auditlog/operations.gen.ts", name: "operations", about: "Labels of the operations in the audit log.",
			source: "platform/audit/operations.go",
			keys:   getKeys(audit.Operations()), label: func(key string) (string, bool) { return audit.Operation(key).Label() },
			more: "\n/** Operations of network staff that concern no group. A group's audit log doesn't show them. */\nexport const " +
				"ofNetwork: ReadonlySet<string> = new Set([\n" + network.String() + "]);\n",
		},
		{
			file: "shared/mailKinds.gen.ts", name: "mailKinds", about: "Labels of the kinds of email.", source: "platform/mail/kinds.go",
			keys: getKeys(mail.Kinds()), label: func(key string) (string, bool) { return mail.Kind(key).Label() },
		},
		{
			file: "features/desk/jobKinds.gen.ts", name: "jobKinds", about: "Labels of the kinds of background jobs.",
			source: "platform/jobs/kinds.go",
			keys:   getKeys(jobs.Kinds()), label: func(key string) (string, bool) { return jobs.Kind(key).Label() },
		},
		{
			file: "shared/billStates.gen.ts", name: "billStates", about: "Labels of the states of a bill.",
			source: "bills/billstate/billstate.go",
			keys:   billstate.Names(), label: func(key string) (string, bool) { return billstate.Label(key), true }, exact: true,
		},
		{
			file: "shared/callOutcomes.gen.ts", name: "callOutcomes", about: "Labels of the outcomes of a call to a payer.",
			source: "bills/openbills/calls.go",
			keys:   getKeys(openbills.CallOutcomes()), label: func(key string) (string, bool) { return openbills.CallOutcome(key).Label() },
			exact: true,
		},
		{
			file: "features/feeds/measures.gen.ts", name: "measureNames", about: "Labels of the quality measures.",
			source: "bills/ledger/measures.go",
			keys:   getKeys(ledger.Measures()), label: func(key string) (string, bool) { return ledger.Measure(key).Label() },
			more: measureNotes(),
		},
	}
}

// measureNotes returns the notes on measures for the browser.
func measureNotes() string {
	var b strings.Builder
	b.WriteString("\n/** Explanations of the quality measures. */\nexport const measureNotes: Record<string, string> = {\n")
	for _, m := range ledger.Measures() {
		if note := m.Note(); note != "" {
			fmt.Fprintf(&b, "  %s: %s,\n", property(string(m)), quoted(note))
		}
	}
	return b.String() + "};\n"
}

// The browser's lists match the server's. -update writes them.
func TestLabelsOfTheBrowser(t *testing.T) {
	for _, v := range vocabularies() {
		var b strings.Builder
		of := ": Record<string, string>"
		if v.exact {
			of = ""
		}
		fmt.Fprintf(&b, "// Made from internal/%s by make gen. Don't edit.\n\n/** %s */\nexport const %s%s = {\n", v.source, v.about,
			v.name, of)
		for _, key := range v.keys {
			label, _ := v.label(key)
			fmt.Fprintf(&b, "  %s: %s,\n", property(key), quoted(label))
		}
		b.WriteString("};\n" + v.more)
		path := filepath.Join("../../web/src", v.file)
		if *update {
			if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil { //nolint:gosec // a source file
				t.Fatal(err)
			}
		}
		if list, err := os.ReadFile(path); err != nil || string(list) != b.String() {
			t.Errorf("%s is stale: run make gen (%v)", v.file, err)
		}
	}
}

// property formats a key as a property name, as Biome does.
func property(key string) string {
	if strings.Contains(key, "-") {
		return quoted(key)
	}
	return key
}

func quoted(s string) string {
	if strings.Contains(s, "'") {
		return fmt.Sprintf("%q", s)
	}
	return "'" + s + "'"
}

// Each label appears once because users select by label.
func TestLabelsDiffer(t *testing.T) {
	for _, v := range vocabularies() {
		seen := map[string]string{}
		for _, key := range v.keys {
			label, _ := v.label(key)
			if other, twice := seen[label]; label == "" || twice {
				t.Errorf("%s: %s and %s are %q", v.name, key, other, label)
			}
			seen[label] = key
		}
	}
}

// Every kind of email has a label, and every label has a kind of email.
func TestEmailKindsHaveLabels(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		checkKinds(t, mail.Kinds(), "platform/mail/kinds.go", p.EmailKinds(), "an Emails() of createSender")
	})
}

// Every kind of job in the sources has a label and is registered by a module, and every label has a kind
// of job.
func TestJobKindsHaveLabels(t *testing.T) {
	values := map[string]bool{}
	addServerValues(t, values)
	var written []jobs.Kind
	for value := range values {
		if kind, is := strings.CutPrefix(value, "job "); is {
			written = append(written, jobs.Kind(kind))
		}
	}
	checkKinds(t, jobs.Kinds(), "platform/jobs/kinds.go", written, "a method Kind() of the sources")
	each(t, func(c *app.Config) {
		c.Ingest.FeedURL, c.Rosters.RosterOut, c.Rosters.RosterUpdates = "file://"+t.TempDir(), "file://"+t.TempDir(), true
	}, func(t *testing.T, p *portal) {
		checkKinds(t, jobs.Kinds(), "platform/jobs/kinds.go", p.JobKinds(), "the Jobs of a Module()")
	})
}

// checkKinds compares the labeled kinds with those of another place, and names each missing one.
func checkKinds[K ~string](t *testing.T, labeled []K, list string, others []K, place string) {
	t.Helper()
	for _, kind := range others {
		assert.Truef(t, slices.Contains(labeled, kind), "%s is in %s and not in %s", kind, place, list)
	}
	for _, kind := range labeled {
		assert.Truef(t, slices.Contains(others, kind), "%s is in %s and not in %s", kind, list, place)
	}
	if !t.Failed() && len(others) != len(labeled) {
		t.Errorf("a kind is twice in %s: %v", place, others)
	}
}
