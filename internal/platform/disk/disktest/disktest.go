//go:build unix

// Package disktest simulates a full disk.
package disktest

import (
	"syscall"
	"testing"
)

// Fill makes writes past the first bytes of any file fail while do runs.
func Fill(t *testing.T, bytes uint64, do func()) {
	t.Helper()
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	set := func(limit syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
	}
	set(syscall.Rlimit{Cur: bytes, Max: usual.Max})
	defer set(usual)
	do()
}
