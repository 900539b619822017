//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// Free returns how many bytes the program can still write below a directory.
func Free(dir string) (uint64, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(dir, &s)
	return s.Bavail * uint64(s.Bsize), err
}

// Owner returns the user ID of a file's owner.
func Owner(info fs.FileInfo) (uid int, known bool) {
	s, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return 0, false
	}
	return int(s.Uid), true
}

// Mine reports whether the program's account owns a file.
func Mine(info fs.FileInfo) bool {
	owner, known := Owner(info)
	return known && owner == os.Geteuid()
}
