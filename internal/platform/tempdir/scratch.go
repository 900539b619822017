// Package tempdir gives the program a folder for what it keeps for a while only. What
// one that was killed left there the next one removes.
package tempdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"wcpp/internal/platform/fileperm"
)

// lockName is the file that a program holds while it lives: the system lets go of it
// however the program ends.
const lockName = ".lock"

// Folder is a program's own.
type Folder struct {
	Path string
	held *flock.Flock
}

// Open makes a folder in dir, which is made, and removes those of programs that ended.
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
	// One at a time: a folder that is not held yet is not taken for one that was left.
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

// sweep removes the folders that nobody holds.
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

// Use has everything of this program that asks for a temporary file make it here.
func (f *Folder) Use() error {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} { // as each system names it
		if err := os.Setenv(name, f.Path); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the folder with all that is in it.
func (f *Folder) Close() error { return errors.Join(f.held.Close(), os.RemoveAll(f.Path)) }
