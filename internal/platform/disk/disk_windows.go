package disk

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

// Free returns how many bytes the program can still write below a directory.
func Free(dir string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}

// Owner always reports an unknown owner, because Windows has no user IDs.
func Owner(fs.FileInfo) (uid int, known bool) { return 0, false }

// Mine always returns true, because Windows has no user IDs.
func Mine(fs.FileInfo) bool { return true }
