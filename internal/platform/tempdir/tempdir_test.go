package tempdir

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The next start removes unlocked folders, but not locked ones.
func TestScratch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tmp")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "left", "deep"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "left", "deep", "claims"), []byte("x"), 0o600))
	var wait sync.WaitGroup
	folders := make(chan *Folder, 20)
	for range 20 {
		wait.Go(func() {
			f, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			assert.NoError(t, os.WriteFile(filepath.Join(f.Path, "own"), nil, 0o600))
			folders <- f
		})
	}
	wait.Wait()
	close(folders)
	for f := range folders {
		if _, err := os.Stat(filepath.Join(f.Path, "own")); err != nil {
			t.Errorf("what is held was removed: %v", err)
		}
		assert.NoError(t, f.Close())
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 || list[0].Name() != lockName {
		t.Errorf("%v stays, %v", list, err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
