package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleFiles are X12 files kept outside of this repository.
func sampleFiles(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("WCPP_SAMPLE_DATA")
	if root == "" {
		root = "../../../../shared/data"
	}
	files, err := filepath.Glob(filepath.Join(root, "x12", "*.edi"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no sample files: set WCPP_SAMPLE_DATA to a folder that has x12/*.edi")
	}
	return files
}

func TestSampleFilesAreRead(t *testing.T) {
	for _, path := range sampleFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := decode(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.records) == 0 || len(got.notTaken) > 0 {
				t.Fatalf("%d records, not taken: %v", len(got.records), got.notTaken)
			}
			for _, r := range got.records {
				for _, p := range r.Problems {
					t.Log(p)
				}
				if r.Row == nil && !strings.Contains(r.Problems[len(r.Problems)-1].Reason, "has no tax ID") {
					t.Errorf("rejected: %v", r.Problems)
				}
				t.Logf("%+v", r.Row)
			}
		})
	}
}
