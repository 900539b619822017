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

	"wcpp/internal/platform/private"
)

// Path is the file of an embedded database; PostgreSQL has none.
func Path(rawURL string) (path string, embedded bool) {
	path, embedded = strings.CutPrefix(rawURL, "sqlite:")
	return strings.TrimPrefix(path, "//"), embedded
}

// ErrHeld tells that another program has an embedded database for its own.
var ErrHeld = errors.New("another wcpp serves or restores this database: stop it first")

// Hold has an embedded database for this program alone until release is called or the
// program ends: ErrHeld where another has it. Commands that only read and write it
// stand beside. On PostgreSQL many programs serve one database, and nothing is held.
func Hold(rawURL string) (release func() error, err error) {
	path, embedded := Path(rawURL)
	if !embedded {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), private.Dir); err != nil {
		return nil, fmt.Errorf("database directory: %w", err)
	}
	held := flock.New(path+".lock", flock.SetPermissions(private.File))
	is, err := held.TryLock()
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		err = fmt.Errorf("the account that runs this cannot write %s: wcpp doctor, run by the portal's account, says more (%w)", filepath.Dir(path), err)
	case err == nil && !is:
		err = fmt.Errorf("%w (%s)", ErrHeld, path)
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return held.Close, nil
}
