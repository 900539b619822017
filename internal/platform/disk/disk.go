// Package disk provides disk information that Go's standard library doesn't.
package disk
