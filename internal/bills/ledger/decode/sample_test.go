package decode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wcpp/internal/platform/x12/x12test"
)

func TestSampleFilesAreRead(t *testing.T) {
	for _, path := range x12test.Samples(t, "x12/*.edi") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := decodeText(string(text))
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
