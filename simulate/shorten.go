package main

import (
	"context"
	"io"
	"slices"
)

// attempts are how often a shorter script runs before it counts as one without the violation.
// Background jobs aren't ordered by the seed.
const attempts = 3

// shortened removes steps and faults as long as the script violates the same invariant, within a
// number of runs: first what comes after the violation, then the faults, halves, smaller parts, and
// members of groups.
func shortened(ctx context.Context, script Script, found *simulation, ignore string, runs int) Script {
	invariant := found.found[0].invariant
	violates := func(groups [][]Step) bool {
		for range attempts {
			if runs--; runs < 0 || ctx.Err() != nil {
				return false
			}
			got, err := run(ctx, joinGroups(script, groups), ignore, io.Discard)
			if err == nil && slices.ContainsFunc(got.found, func(v violation) bool { return v.invariant == invariant }) {
				return true
			}
		}
		return false
	}
	groups := script.split()[:found.group]
	if calm := withoutFaults(groups); violates(calm) {
		groups = calm
	}
	for size := (len(groups) + 1) / 2; size > 0 && runs > 0; size /= 2 {
		for from := 0; from < len(groups) && runs > 0; {
			fewer := slices.Delete(slices.Clone(groups), from, min(from+size, len(groups)))
			if len(fewer) > 0 && violates(fewer) {
				groups = fewer
			} else {
				from += size
			}
		}
	}
	for i, g := range groups {
		for n := len(g) - 1; n >= 0 && len(groups[i]) > 1; n-- {
			smaller := slices.Delete(slices.Clone(groups[i]), n, n+1)
			smaller[0].With = len(smaller) - 1
			if fewer := slices.Replace(slices.Clone(groups), i, i+1, smaller); violates(fewer) {
				groups = fewer
			}
		}
	}
	return joinGroups(script, groups)
}

// withoutFaults returns groups that run without faults.
func withoutFaults(groups [][]Step) [][]Step {
	calm := make([][]Step, len(groups))
	for i, g := range groups {
		calm[i] = slices.Clone(g)
		calm[i][0].Fault = ""
	}
	return calm
}
