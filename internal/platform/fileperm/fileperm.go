// Package fileperm restricts files and directories to the program's account, whatever its umask.
package fileperm

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/user"
	"strconv"

	"wcpp/internal/platform/disk"
)

// Modes without access for others.
const (
	File os.FileMode = 0o600
	Dir  os.FileMode = 0o700
)

// CheckOwner returns an error if the superuser uses another account's directory. That account could
// neither read nor replace new files there. A missing directory is allowed.
func CheckOwner(dir string) error { return checkOwner(dir, os.Geteuid()) }

func checkOwner(dir string, account int) error {
	info, err := os.Stat(dir)
	if account != superuser || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	owner, known := disk.Owner(info)
	if !known || owner == superuser {
		return nil
	}
	name := FindName(owner)
	return fmt.Errorf("%s belongs to the account %s; run this command as that account, for example with runuser -u %s", dir, name, name)
}

// FindName returns the name of an account, or its ID.
func FindName(account int) string {
	id := strconv.Itoa(account)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}

const superuser = 0

// CreateFile creates an empty file. If it exists, CreateFile restricts its mode.
func CreateFile(log *slog.Logger, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, File)
	if errors.Is(err, fs.ErrExist) {
		return Restrict(log, path)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(File), f.Close())
}

// Restrict removes access for others and logs a warning. It changes a file, or a directory without
// its content. It skips missing files, those of other accounts, and shared directories such as
// /tmp.
func Restrict(log *slog.Logger, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	mode := File
	if info.IsDir() {
		mode = Dir
	}
	if info.Mode().Perm()&^mode == 0 {
		return nil
	}
	current := fmt.Sprintf("%04o", info.Mode().Perm())
	if info.Mode()&os.ModeSticky != 0 {
		log.Warn("other users of this machine can list the portal's directory; use a private directory", "path", path, "mode", current)
		return nil
	}
	if err := os.Chmod(path, mode); err != nil {
		log.Warn("other users of this machine can read the portal's files; couldn't restrict access", "path", path, "mode", current,
			"error", err)
		return nil
	}
	log.Warn("other users of this machine could read the portal's files; access is now restricted", "path", path, "mode", current)
	return nil
}
