package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/app"
	"wcpp/internal/platform/settings"
)

var update = flag.Bool("update", false, "write docs/settings.md anew")

// sectionTitles are the headings of the settings reference where a field of app.Config isn't one.
var sectionTitles = map[string]string{
	"Store": "Data and database", "Server": "Server", "SignIn": "Sign-in", "SSO": "Single sign-on", "Factors": "Two-step verification",
	"Account": "Accounts", "Files": "File storage", "Scanner": "Virus scanner",
	"Ingest": "Imports", "Mail": "Email", "Brand": "Names and contact addresses",
	"Content": "Content host", "Chat": "Live chat", "Audit": "Audit log", "Access": "Workspace", "Reviews": "Access reviews",
	"Feeds": "Data quality", "FeeSchedules": "Fee schedules", "Desk": "Service desk", "DeadLetters": "Failed jobs and emails",
	"Claims": "Claim search", "Bills": "Bills",
}

const settingsIntro = `# Settings

<!-- written by make gen -->

Each setting is a variable, a flag of ` + "`wcpp serve`" + `, and a key of the YAML file that
` + "`--config`" + ` names. A flag wins over a variable, and a variable over the
file. [Operations](operations.md#settings) explains how to set them.
`

// newSettingsReference returns docs/settings.md: every setting by section.
func newSettingsReference() string {
	var b strings.Builder
	b.WriteString(settingsIntro)
	config := reflect.TypeFor[app.Config]()
	for i := range config.NumField() {
		section := config.Field(i)
		fields := settings.ListFields(reflect.New(section.Type).Interface())
		fields = slices.DeleteFunc(fields, func(f *settings.Field) bool { return f.Env == "" })
		if len(fields) == 0 {
			continue
		}
		title := section.Name
		if other := sectionTitles[title]; other != "" {
			title = other
		}
		fmt.Fprintf(&b, "\n## %s\n\n| Variable | Flag | Default | What |\n|---|---|---|---|\n", title)
		for _, f := range fields {
			byDefault := ""
			if f.Default != "" {
				byDefault = "`" + f.Default + "`"
			}
			what := strings.ReplaceAll(f.Help, "|", "\\|")
			fmt.Fprintf(&b, "| `%s` | `--%s` | %s | %s |\n", f.Env, f.Name, byDefault, what)
		}
	}
	return b.String()
}

// docs/settings.md lists every setting as the program knows it.
func TestSettingsReference(t *testing.T) {
	const page = "../../docs/settings.md"
	want := newSettingsReference()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil { //nolint:gosec // a page of the project
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("docs/settings.md is out of date (%v). Run make gen.", err)
	}
}
