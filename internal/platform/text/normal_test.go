package text

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The browser's tests also use the cases in normal.json.
func TestNormal(t *testing.T) {
	file, err := os.ReadFile("testdata/normal.json")
	require.NoError(t, err)
	var normal map[string]map[string]string
	require.NoError(t, json.Unmarshal(file, &normal))
	rules := map[string]func(string) string{"phone": Phone, "tin": TIN}
	assert.Equal(t, len(rules), len(normal))
	for kind, rule := range rules {
		for typed, want := range normal[kind] {
			assert.Equalf(t, want, rule(typed), "%s: %q", kind, typed)
		}
	}
	assert.Equal(t, "216-555-0122 x5", Phone(" 216-555-0122  x5"))
}
