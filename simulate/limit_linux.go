package main

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitFiles limits how large the files of a process can grow, in bytes. A negative limit removes
// it. It ignores processes that have ended.
func limitFiles(pid int, bytes int64) error {
	limit := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
	if bytes >= 0 {
		limit.Cur = uint64(bytes)
	}
	err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}
