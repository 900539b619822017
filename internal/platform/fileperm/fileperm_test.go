package fileperm

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMend(t *testing.T) {
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	dir := t.TempDir()
	file := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, errors.Join(os.WriteFile(path, nil, File), os.Chmod(path, mode)))
		return path
	}
	folder := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, errors.Join(os.Mkdir(path, Dir), os.Chmod(path, mode)))
		return path
	}
	for _, c := range []struct {
		path string
		want os.FileMode
		says string
	}{
		{file("open", 0o644), 0o600, "now restricted"},
		{file("own", 0o600), 0o600, ""},
		{file("read-only", 0o400), 0o400, ""},
		{filepath.Join(dir, "none"), 0, ""},
		{folder("data", 0o755), 0o700, "now restricted"},
		{folder("shared", 0o777|os.ModeSticky), 0o777, "use a private directory"},
	} {
		said.Reset()
		if err := Restrict(log, c.path); err != nil || !strings.Contains(said.String(), c.says) || c.says == "" && said.Len() > 0 {
			t.Errorf("%s: %v, %q", c.path, err, said.String())
		}
		if info, err := os.Stat(c.path); err == nil && info.Mode().Perm() != c.want {
			t.Errorf("%s: %v", c.path, info.Mode())
		}
	}
}

// Own refuses another account's directory only for the superuser. For other users and missing
// directories, the operating system decides.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == superuser {
		require.NoError(t, os.Chown(dir, 65534, -1))
	}
	if err := checkOwner(dir, superuser); err == nil || !strings.Contains(err.Error(), dir+" belongs to the account ") {
		t.Error(err)
	}
	assert.NoError(t, errors.Join(checkOwner(dir, 4711), checkOwner(filepath.Join(dir, "none"), superuser), checkOwner("/", superuser)))
}
