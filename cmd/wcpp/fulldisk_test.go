//go:build unix

package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wcpp/internal/platform/disk/disktest"
)

// A folder of documents is packed in the data directory. A full disk there isn't a fault of the documents.
func TestImportDocumentsOnAFullDisk(t *testing.T) {
	dir, scans := t.TempDir(), t.TempDir()
	scan := make([]byte, 2<<20)
	_, _ = rand.Read(scan) // an archive can't make it smaller
	if err := os.WriteFile(filepath.Join(scans, "b-1.png"), scan, 0o600); err != nil {
		t.Fatal(err)
	}
	var out string
	var code int
	disktest.Fill(t, 1<<20, func() { out, code = wcpp(t, "", "import", "documents", "--data", dir, scans) })
	if code != 74 || !strings.Contains(out, "file too large") {
		t.Errorf("exit %d: %s", code, out)
	}
}
