package app_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/disk"
)

// SQLite would apply the left-over log of a deleted database to the restored one.
func TestRestoreRefusesLeftOverLogs(t *testing.T) {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		dir := t.TempDir()
		left := filepath.Join(dir, "wcpp.db"+end)
		require.NoError(t, os.WriteFile(left, []byte("x"), 0o600))
		_, err := app.Restore(t.Context(), app.Store{Data: dir}, "", strings.NewReader(""), 0)
		if err == nil || !strings.Contains(err.Error(), left+" already exists") {
			t.Errorf("%s: %v", end, err)
		}
	}
}

// Both need space for a copy, on a disk that a portal can be using.
func TestBackupNeedsSpace(t *testing.T) {
	portal := app.Store{Data: t.TempDir(), DatabaseURL: dbtest.MigratedURL(t, "sqlite")}
	archive, err := os.Create(filepath.Join(t.TempDir(), "archive.tar"))
	require.NoError(t, err)
	defer archive.Close()
	backup := func() error { return app.Backup(t.Context(), portal, "", archive, time.Now()) }
	restore := func() error {
		_, err := archive.Seek(0, io.SeekStart)
		require.NoError(t, err)
		_, err = app.Restore(t.Context(), app.Store{Data: t.TempDir()}, "", archive, 50<<30)
		return err
	}
	for _, c := range []struct {
		do   func() error
		free uint64
		want string
	}{
		{backup, disk.Little, "not enough space in " + os.TempDir()},
		{backup, disk.Little, "1.0 GB free, needs 1.0 GB"},
		{backup, disk.Little + 1<<30, ""},
		{restore, 51<<30 - 1, "51.0 GB free, needs 51.0 GB"},
		{restore, 51 << 30, ""},
	} {
		done := app.SetFreeSpace(func(string) (uint64, error) { return c.free, nil })
		if err := c.do(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d bytes free: %v", c.free, err)
		}
		done()
	}
}

// The archive's disk needs space for the database and all files.
func TestArchiveNeedsSpace(t *testing.T) {
	portal := app.Store{Data: t.TempDir(), DatabaseURL: dbtest.MigratedURL(t, "sqlite")}
	files := filepath.Join(portal.Data, "files")
	require.NoError(t, os.Mkdir(files, 0o700))
	stored, err := os.Create(filepath.Join(files, "large"))
	require.NoError(t, err)
	require.NoError(t, errors.Join(stored.Truncate(3<<30), stored.Close()))
	archive, err := os.Create(filepath.Join(t.TempDir(), "archive.tar"))
	require.NoError(t, err)
	defer archive.Close()
	defer app.SetFreeSpace(func(dir string) (uint64, error) {
		if dir == filepath.Dir(archive.Name()) {
			return 4 << 30, nil
		}
		return 2 << 30, nil
	})()
	require.ErrorContains(t, app.Backup(t.Context(), portal, "", archive, time.Now()),
		"not enough space in "+filepath.Dir(archive.Name())+": 4.0 GB free, needs 4.0 GB")
	info, err := archive.Stat()
	require.NoError(t, err)
	assert.Zero(t, info.Size())
}
