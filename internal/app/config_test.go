package app_test

import (
	"strings"
	"testing"

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
		if err := f.Set("36501"); err != nil {
			t.Fatal(err)
		}
		if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), f.Env+": must be between ") {
			t.Errorf("%s: %v", f.Env, err)
		}
	}
	if found < 16 {
		t.Errorf("%d settings are numbers of days", found)
	}
}
