package app

import "testing"

// A ready portal names everything that is failing.
func TestReadinessNamesAllFailures(t *testing.T) {
	for _, c := range []struct{ storing, queue, want string }{
		{"", "", "ok"},
		{"The disk is full.", "", "ok, but file storage is failing: The disk is full."},
		{"", "default", "ok, but background jobs aren't being fetched: queue default"},
		{"The disk is full.", "default",
			"ok, but file storage is failing: The disk is full.; background jobs aren't being fetched: queue default"},
	} {
		if got := describeReadiness(c.storing, c.queue); got != c.want {
			t.Errorf("%q instead of %q", got, c.want)
		}
	}
}
