// Package disk tells of the machine's disk what Go's own packages do not.
package disk
