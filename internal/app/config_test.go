package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/settings"
)

// A retention that doesn't fit into a duration would delete everything.
func TestNumbersOfDaysAreLimited(t *testing.T) {
	found := 0
	cfg := app.NewStoreConfig(app.Store{Data: t.TempDir()})
	for _, f := range settings.ListFields(&cfg) {
		if !strings.HasSuffix(f.Env, "_DAYS") {
			continue
		}
		found++
		require.NoError(t, f.Set("36501"))
		if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), f.Env+": must be between ") {
			t.Errorf("%s: %v", f.Env, err)
		}
	}
	assert.GreaterOrEqual(t, found, 16)
}
