//go:build !linux

package main

// limitFiles does nothing: only Linux limits another process.
func limitFiles(int, int64) error { return nil }
