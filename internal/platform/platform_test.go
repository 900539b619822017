package platform

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type deps struct {
	Kit
	Find  func() error
	Proxy *int `optional:"true"`
	Name  string
}

// A missing dependency is named. Optional ones can be missing.
func TestRequire(t *testing.T) {
	Require(deps{Find: func() error { return nil }})
	defer func() {
		if got := recover(); got != "platform.deps: Find is nil" {
			t.Errorf("got %v", got)
		}
	}()
	Require(deps{})
}

func TestLocalTime(t *testing.T) {
	zone := time.FixedZone("EST", -5*3600)
	k := Kit{Clock: func() time.Time { return time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC) }, Zone: zone}
	assert.Equal(t, "2026-02-28T21:00:00-05:00", k.LocalTime().Format(time.RFC3339))
}
