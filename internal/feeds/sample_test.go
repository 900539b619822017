package feeds

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
		root = "../../../shared/data"
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
				for _, p := range r.problems {
					t.Log(p)
				}
				if r.row == nil && !strings.Contains(r.problems[len(r.problems)-1].Reason, "has no tax ID") {
					t.Errorf("rejected: %v", r.problems)
				}
				t.Logf("%+v", r.row)
			}
		})
	}
}

// Files of the national registry are read, but for the rows it has put out of
// use or that lack what they need.
func TestSampleRegistryIsRead(t *testing.T) {
	root := os.Getenv("WCPP_SAMPLE_DATA")
	if root == "" {
		root = "../../../shared/data"
	}
	files, err := filepath.Glob(filepath.Join(root, "nppes", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no sample files: set WCPP_SAMPLE_DATA to a folder that has nppes/*.csv")
	}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var got decoded
		err = decodeNPPES(file, collect(&got))
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		read, detailed := 0, 0
		for _, r := range got.records {
			if p, ok := r.row.(*Registered); ok {
				read++
				if len(p.Taxonomies) > 0 && p.State != "" && len(p.Licenses) > 0 {
					detailed++
				}
			}
		}
		if read*10 < len(got.records)*9 || detailed*2 < read {
			t.Errorf("%s: of %d rows %d are read, %d with specialty, address and licence", filepath.Base(path), len(got.records), read, detailed)
		}
	}
}
