package tins

import (
	"testing"

	"wcpp/internal/platform/mappingtest"
)

// No mapping from the domain to the API loses a field.
func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"TIN of a group":  mappingtest.Empty(groupRecord(mappingtest.Filled[GroupTIN]())),
		"holder":          mappingtest.Empty(holderRecord(mappingtest.Filled[Holder]())),
		"awaited TIN":     mappingtest.Empty(awaitedTIN(mappingtest.Filled[Pending]())),
		"shared TIN":      mappingtest.Empty(sharedTIN(mappingtest.Filled[Shared]())),
		"sharing":         mappingtest.Empty(tinSharing(mappingtest.Filled[Sharing]())),
		"TIN of a user's": mappingtest.Empty(assignedRecord(mappingtest.Filled[Assigned]())),
	} {
		if lost != nil {
			t.Errorf("%s loses %v", name, lost)
		}
	}
}
