package tins

import (
	"testing"

	"wcpp/internal/platform/mappingtest"
)

// No mapping from the domain to the API loses a field.
func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"TIN of a group":  mappingtest.Empty(toGroupRecord(mappingtest.Filled[GroupTIN]())),
		"holder":          mappingtest.Empty(toHolderRecord(mappingtest.Filled[Holder]())),
		"awaited TIN":     mappingtest.Empty(toAwaitedTIN(mappingtest.Filled[Pending]())),
		"shared TIN":      mappingtest.Empty(toSharedTIN(mappingtest.Filled[Shared]())),
		"sharing":         mappingtest.Empty(toTINSharing(mappingtest.Filled[Sharing]())),
		"TIN of a user's": mappingtest.Empty(toAssignedRecord(mappingtest.Filled[Assigned]())),
	} {
		if lost != nil {
			t.Errorf("%s loses %v", name, lost)
		}
	}
}
