package app

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// Instances with separate files cause one warning. An instance that was killed earlier doesn't
// count.
func TestSeveralInstancesWithoutAStorage(t *testing.T) {
	for name, c := range map[string]struct {
		blobURL string
		living  []int
		want    int
	}{
		"one":                   {"", []int{1, 1, 1, 1, 1, 1, 1}, 0},
		"after one was killed":  {"", []int{2, 2, 2, 2, 1, 1, 1}, 0},
		"two":                   {"", []int{2, 2, 2, 2, 2, 2, 2}, 1},
		"two with a storage":    {"s3://files", []int{2, 2, 2, 2, 2, 2, 2}, 0},
		"one comes, goes, more": {"", []int{1, 2, 2, 1, 2, 2, 2, 3, 3}, 1},
	} {
		var said bytes.Buffer
		var a sharedFilesWarning
		for _, living := range c.living {
			a.check(t.Context(), slog.New(slog.NewTextHandler(&said, nil)), c.blobURL, living)
		}
		if got := strings.Count(said.String(), "WCPP_BLOB_URL"); got != c.want {
			t.Errorf("%s: logged %d times\n%s", name, got, said.String())
		}
	}
}
