package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wcpp/internal/app"
)

// SQLite would apply the left-over log of a deleted database to the restored one.
func TestRestoreRefusesLeftOverLogs(t *testing.T) {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		dir := t.TempDir()
		left := filepath.Join(dir, "wcpp.db"+end)
		if err := os.WriteFile(left, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := app.Restore(t.Context(), app.Store{Data: dir}, "", strings.NewReader(""))
		if err == nil || !strings.Contains(err.Error(), left+" already exists") {
			t.Errorf("%s: %v", end, err)
		}
	}
}
