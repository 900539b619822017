package x12test

import (
	"os"
	"path/filepath"
	"testing"
)

// Samples are X12 files kept outside of this repository: those of WCPP_SAMPLE_DATA,
// or of a folder beside it. The test is passed over where there are none.
func Samples(t *testing.T, root, pattern string) []string {
	t.Helper()
	if set := os.Getenv("WCPP_SAMPLE_DATA"); set != "" {
		root = set
	}
	files, err := filepath.Glob(filepath.Join(root, "x12", pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no sample files: set WCPP_SAMPLE_DATA to a folder that has x12/" + pattern)
	}
	return files
}
