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

// Mine tells whether a file belongs to the account that the program runs as.
func Mine(info fs.FileInfo) bool {
	s, is := info.Sys().(*syscall.Stat_t)
	return is && int(s.Uid) == os.Geteuid()
}
