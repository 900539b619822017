package db

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"wcpp/internal/platform/fileperm"
)

// Path returns the file of an embedded database. PostgreSQL has none.
func Path(rawURL string) (path string, embedded bool) {
	path, embedded = strings.CutPrefix(rawURL, "sqlite:")
	return strings.TrimPrefix(path, "//"), embedded
}

// ErrHeld means that another program uses an embedded database exclusively.
var ErrHeld = errors.New("another wcpp process is using or restoring this database; stop it first")

// ErrRestoring means that the restore of an embedded database is incomplete. Without this check,
// the program would start with an empty database.
var ErrRestoring = errors.New("an earlier restore of this database didn't finish; run wcpp restore again")

// RestoreMarker returns the marker file of a restore, next to an embedded database. While it exists,
// nothing opens the database.
func RestoreMarker(path string) string { return path + ".restoring" }

// checkRestored returns ErrRestoring if the restore of a database is incomplete.
func checkRestored(path string) error {
	_, err := os.Stat(RestoreMarker(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = fmt.Errorf("%w (%s)", ErrRestoring, path)
	}
	return err
}

// newNotWritable returns an error for a file that the account can't write.
func newNotWritable(path string, err error) error {
	return fmt.Errorf("this account can't write to %s; for details, run wcpp doctor as the portal's account (%w)", filepath.Dir(path), err)
}

// LockDatabase locks an embedded database for this program until release is called or the program ends.
// It returns ErrHeld if another program has the lock. Commands that only read and write rows
// don't need it. On PostgreSQL, it does nothing, because many programs share one database.
func LockDatabase(rawURL string) (release func() error, err error) {
	path, embedded := Path(rawURL)
	if !embedded {
		return func() error { return nil }, nil
	}
	if err := fileperm.CheckOwner(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), fileperm.Dir); err != nil {
		return nil, fmt.Errorf("create database directory: %w", err)
	}
	held := flock.New(path+".lock", flock.SetPermissions(fileperm.File))
	is, err := held.TryLock()
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		err = newNotWritable(path, err)
	case err == nil && !is:
		err = fmt.Errorf("%w (%s)", ErrHeld, path)
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return held.Close, nil
}
