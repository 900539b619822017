package x12test

import (
	"os"
	"path/filepath"
	"testing"
)

// Samples returns the files that match a pattern in the folder of WCPP_SAMPLE_DATA, which is
// outside of this repository. Without the variable, the test is skipped.
func Samples(t *testing.T, pattern string) []string {
	t.Helper()
	root := os.Getenv("WCPP_SAMPLE_DATA")
	if root == "" {
		t.Skip("WCPP_SAMPLE_DATA isn't a folder of sample files")
	}
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("WCPP_SAMPLE_DATA has no %s: %v", pattern, err)
	}
	return files
}
