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

// Path is the file of an embedded database; PostgreSQL has none.
func Path(rawURL string) (path string, embedded bool) {
	path, embedded = strings.CutPrefix(rawURL, "sqlite:")
	return strings.TrimPrefix(path, "//"), embedded
}

// ErrHeld tells that another program has an embedded database for its own.
var ErrHeld = errors.New("another wcpp process is using or restoring this database; stop it first")

// ErrRestoring tells that an embedded database is not whole yet: to start without it
// would be to start with an empty one.
var ErrRestoring = errors.New("an earlier restore of this database didn't finish; run wcpp restore again")

// Restoring is the file that stands beside an embedded database from the begin of its
// restore to the end. While it is there nothing opens that database.
func Restoring(path string) string { return path + ".restoring" }

// restored is ErrRestoring of a database whose restore has not come to its end.
func restored(path string) error {
	_, err := os.Stat(Restoring(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = fmt.Errorf("%w (%s)", ErrRestoring, path)
	}
	return err
}

// notWritable says what an account cannot write.
func notWritable(path string, err error) error {
	return fmt.Errorf("this account can't write to %s; for details, run wcpp doctor as the portal's account (%w)", filepath.Dir(path), err)
}

// Hold has an embedded database for this program alone until release is called or the
// program ends: ErrHeld where another has it. Commands that only read and write it
// stand beside. On PostgreSQL many programs serve one database, and nothing is held.
func Hold(rawURL string) (release func() error, err error) {
	path, embedded := Path(rawURL)
	if !embedded {
		return func() error { return nil }, nil
	}
	if err := fileperm.Own(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), fileperm.Dir); err != nil {
		return nil, fmt.Errorf("create database directory: %w", err)
	}
	held := flock.New(path+".lock", flock.SetPermissions(fileperm.File))
	is, err := held.TryLock()
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		err = notWritable(path, err)
	case err == nil && !is:
		err = fmt.Errorf("%w (%s)", ErrHeld, path)
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return held.Close, nil
}
