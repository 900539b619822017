package notifications

import (
	"time"
	_ "time/tzdata" // a minimal container lacks time zones

	"wcpp/internal/platform/settings"
)

// Settings configure when notifications are sent.
type Settings struct {
	TimeZone             string `env:"WCPP_TIME_ZONE" default:"America/New_York" placeholder:"ZONE" help:"Organization time zone."`
	NotificationKeepDays int    `env:"WCPP_NOTIFICATION_KEEP_DAYS" default:"730" help:"Notification retention, in days; at least 90."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	_, err := time.LoadLocation(s.TimeZone)
	p.Require(err == nil && s.TimeZone != "" && s.TimeZone != "Local", "WCPP_TIME_ZONE", "must be a time zone such as America/New_York")
	p.Days(s.NotificationKeepDays, 90, "WCPP_NOTIFICATION_KEEP_DAYS")
}

// Zone returns the business time zone.
func (s Settings) Zone() (*time.Location, error) { return time.LoadLocation(s.TimeZone) }
