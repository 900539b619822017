// Package tempdir gives the program a folder for temporary files. The next start removes the
// folder of a killed program.
package tempdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"wcpp/internal/platform/fileperm"
)

// lockName is the file that a running program locks. The system releases the lock however the
// program ends.
const lockName = ".lock"

// Folder is the program's own temporary folder.
type Folder struct {
	Path string
	held *flock.Flock
}

// Open creates a folder in dir, which it creates if needed. It removes the folders of programs
// that ended.
func Open(dir string) (*Folder, error) {
	f, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("create temporary directory: %w", err)
	}
	return f, nil
}

func open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, fileperm.Dir); err != nil {
		return nil, err
	}
	// One program at a time, so that a new folder without its lock isn't removed.
	all := lock(dir)
	if err := all.Lock(); err != nil {
		return nil, err
	}
	defer all.Close() //nolint:errcheck // the program's end does it too
	if err := sweep(dir); err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(dir, "")
	if err != nil {
		return nil, err
	}
	held := lock(path)
	if err := held.Lock(); err != nil {
		return nil, err
	}
	return &Folder{path, held}, nil
}

func lock(dir string) *flock.Flock {
	return flock.New(filepath.Join(dir, lockName), flock.SetPermissions(fileperm.File))
}

// sweep removes the unlocked folders.
func sweep(dir string) error {
	list, err := os.ReadDir(dir)
	for _, e := range list {
		if !e.IsDir() {
			continue
		}
		left := lock(filepath.Join(dir, e.Name()))
		free, failed := left.TryLock()
		if failed = errors.Join(failed, left.Close()); failed == nil && free {
			failed = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Use makes this program create all temporary files in the folder.
func (f *Folder) Use() error {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} { // the names on different systems
		if err := os.Setenv(name, f.Path); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the folder with its content.
func (f *Folder) Close() error { return errors.Join(f.held.Close(), os.RemoveAll(f.Path)) }
