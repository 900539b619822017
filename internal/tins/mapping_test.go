package tins

import (
	"testing"

	"wcpp/internal/platform/filltest"
)

// No mapping from the domain to the wire loses a field.
func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"TIN of a group":  filltest.Empty(groupRecord(filltest.Filled[GroupTIN]())),
		"holder":          filltest.Empty(holderRecord(filltest.Filled[Holder]())),
		"awaited TIN":     filltest.Empty(awaitedTIN(filltest.Filled[Awaited]())),
		"shared TIN":      filltest.Empty(sharedTIN(filltest.Filled[Shared]())),
		"sharing":         filltest.Empty(tinSharing(filltest.Filled[Sharing]())),
		"TIN of a user's": filltest.Empty(assignedRecord(filltest.Filled[Assigned]())),
	} {
		if lost != nil {
			t.Errorf("%s loses %v", name, lost)
		}
	}
}
