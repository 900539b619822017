//go:build unix

package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/disk/disktest"
)

// A folder of documents is packed in the data directory. A full disk there isn't a fault of the documents.
func TestImportDocumentsOnAFullDisk(t *testing.T) {
	dir, scans := t.TempDir(), t.TempDir()
	scan := make([]byte, 2<<20)
	_, _ = rand.Read(scan) // an archive can't make it smaller
	require.NoError(t, os.WriteFile(filepath.Join(scans, "b-1.png"), scan, 0o600))
	var out string
	var code int
	disktest.Fill(t, 1<<20, func() { out, code = wcpp(t, "", "import", "documents", "--data", dir, scans) })
	assert.Equal(t, 74, code)
	assert.Contains(t, out, "file too large")
}
