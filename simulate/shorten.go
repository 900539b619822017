package main

import (
	"context"
	"io"
	"slices"
)

// shortened removes groups of steps as long as the script violates the same invariant, within a
// number of runs.
func shortened(ctx context.Context, script Script, invariant, ignore string, runs int) Script {
	violates := func(s Script) bool {
		runs--
		got, err := run(ctx, s, ignore, io.Discard)
		return err == nil && slices.ContainsFunc(got.found, func(v violation) bool { return v.invariant == invariant })
	}
	groups := script.split()
	for size := len(groups) / 2; size > 0 && runs > 0; size /= 2 {
		for from := 0; from < len(groups) && runs > 0 && ctx.Err() == nil; {
			fewer := slices.Delete(slices.Clone(groups), from, min(from+size, len(groups)))
			if shorter := joinGroups(script, fewer); len(fewer) > 0 && violates(shorter) {
				groups = fewer
				continue
			}
			from += size
		}
	}
	return joinGroups(script, groups)
}
