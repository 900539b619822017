package jobs

import (
	"strings"
	"testing"

	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
)

// Failures are described without personal data.
func TestWhy(t *testing.T) {
	for said, want := range map[string]string{
		"couldn't send email; the cause is stored with it": "The mail server rejected the email. Its response " +
			"is shown with the email.",
		"taking rows: context deadline exceeded":                                  "The job took too long.",
		"Stuck job rescued by JobRescuer":                                         "The job took too long.",
		"context canceled":                                                        "The portal stopped while the job was running.",
		"dial tcp 10.0.0.7:5432: connect: connection refused":                     "A system that the job needs is unreachable.",
		"database is locked (5)":                                                  "The database was busy.",
		"write /data/files/x: no space left on device":                            "The disk is full.",
		`duplicate key value: Key (email)=(ada@example.com) already exists, 7001`: "Unknown error. See the program's log.",
	} {
		got := describeFailure([]rivertype.AttemptError{{Error: "ada@example.com"}, {Error: said}})
		if got != want || strings.Contains(got, "ada") {
			t.Errorf("%s: %s", said, got)
		}
	}
	assert.Equal(t, "The program crashed.", describeFailure([]rivertype.AttemptError{{Error: "ada@example.com", Trace: "goroutine 1"}}))
	assert.Equal(t, "Unknown reason.", describeFailure(nil))
}
