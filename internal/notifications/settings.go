package notifications

import (
	"time"
	_ "time/tzdata" // a bare container has no time zones

	"wcpp/internal/platform/settings"
)

// Settings are when notifications are sent.
type Settings struct {
	TimeZone string `env:"WCPP_TIME_ZONE" default:"America/New_York" placeholder:"ZONE" help:"Organization time zone, used for dates and 8:00 AM notifications."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	_, err := time.LoadLocation(s.TimeZone)
	p.Require(err == nil && s.TimeZone != "" && s.TimeZone != "Local", "WCPP_TIME_ZONE", "must be a time zone such as America/New_York")
}

// Zone is the time zone of the business.
func (s Settings) Zone() (*time.Location, error) { return time.LoadLocation(s.TimeZone) }
