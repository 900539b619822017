package jobs

import (
	"strings"
	"testing"

	"github.com/riverqueue/river/rivertype"
)

// A failure is told in words that name nobody.
func TestWhy(t *testing.T) {
	for said, want := range map[string]string{
		"mail not sent, the cause is kept with it":                                "The mail server did not take the email; what it said stands with the email.",
		"taking rows: context deadline exceeded":                                  "It took longer than a job may.",
		"Stuck job rescued by JobRescuer":                                         "It took longer than a job may.",
		"context canceled":                                                        "The portal was stopped while it ran.",
		"dial tcp 10.0.0.7:5432: connect: connection refused":                     "Something that it needs could not be reached.",
		"database is locked (5)":                                                  "The database was busy.",
		"write /data/files/x: no space left on device":                            "There is no space left to write to.",
		`duplicate key value: Key (email)=(ada@example.com) already exists, 7001`: "It failed for a reason that the program's log tells.",
	} {
		got := why([]rivertype.AttemptError{{Error: "ada@example.com"}, {Error: said}})
		if got != want || strings.Contains(got, "ada") {
			t.Errorf("%s: %s", said, got)
		}
	}
	if got := why([]rivertype.AttemptError{{Error: "ada@example.com", Trace: "goroutine 1"}}); got != "The program failed within it." {
		t.Error(got)
	}
	if got := why(nil); got != "It is not known why." {
		t.Error(got)
	}
}
