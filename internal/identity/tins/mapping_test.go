package tins

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/mappingtest"
)

// No mapping from the domain to the API loses a field.
func TestMappingsAreWhole(t *testing.T) {
	for name, lost := range map[string][]string{
		"TIN of a group":  mappingtest.ListEmpty(toGroupRecord(mappingtest.Filled[GroupTIN]())),
		"holder":          mappingtest.ListEmpty(toHolderRecord(mappingtest.Filled[Holder]())),
		"awaited TIN":     mappingtest.ListEmpty(toAwaitedTIN(mappingtest.Filled[Pending]())),
		"shared TIN":      mappingtest.ListEmpty(toSharedTIN(mappingtest.Filled[Shared]())),
		"sharing":         mappingtest.ListEmpty(toTINSharing(mappingtest.Filled[Sharing]())),
		"TIN of a user's": mappingtest.ListEmpty(toAssignedRecord(mappingtest.Filled[Assigned]())),
	} {
		assert.Nilf(t, lost, "%s loses", name)
	}
}
