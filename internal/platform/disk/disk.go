// Package disk provides disk information that Go's standard library doesn't.
package disk

// Free space, in bytes, below which the portal warns, and below which it's about to fail.
const (
	Little = 1 << 30
	None   = 100 << 20
)
