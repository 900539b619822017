//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// Free tells how many bytes the program may still write below a directory.
func Free(dir string) (uint64, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(dir, &s)
	return s.Bavail * uint64(s.Bsize), err
}

// Owner is the number of the account that a file belongs to.
func Owner(info fs.FileInfo) (uid int, known bool) {
	s, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return 0, false
	}
	return int(s.Uid), true
}

// Mine tells whether a file belongs to the account that the program runs as.
func Mine(info fs.FileInfo) bool {
	owner, known := Owner(info)
	return known && owner == os.Geteuid()
}
