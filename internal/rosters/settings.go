package rosters

import (
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Settings are the configured limits of an upload.
type Settings struct {
	RosterFileMB     int    `env:"WCPP_ROSTER_FILE_MB" default:"50" help:"Maximum size of one roster file, in MB."`
	RosterFiles      int    `env:"WCPP_ROSTER_FILES" default:"20" help:"Maximum files per roster."`
	RosterEndPercent int    `env:"WCPP_ROSTER_END_PERCENT" default:"20" help:"Percent of providers a full roster can end unconfirmed."`
	RosterChecks     int    `env:"WCPP_ROSTER_CHECKS" default:"60" help:"Roster checks per user per hour."`
	RosterUploads    int    `env:"WCPP_ROSTER_UPLOADS" default:"40" help:"Rosters a user can send per hour."`
	GroupUploads     int    `name:"roster-group-uploads" env:"WCPP_ROSTER_GROUP_UPLOADS" default:"120" help:"Rosters per group per hour."`
	GroupMB          int    `name:"roster-group-mb" env:"WCPP_ROSTER_GROUP_MB" default:"20480" help:"Roster files stored per group, in MB."`
	GroupFiles       int    `name:"roster-group-files" env:"WCPP_ROSTER_GROUP_FILES" default:"20000" help:"Roster files stored per group."`
	RosterMail       string `env:"WCPP_ROSTER_MAIL" placeholder:"ADDRESS" help:"Email address for new roster alerts (default: none)."`
	RosterOut        string `env:"WCPP_ROSTER_OUT" placeholder:"URL" help:"Where rosters go: s3://bucket?... or file:///directory."`
	RosterUpdates    bool   `env:"WCPP_ROSTER_UPDATES" help:"Let system administrators update the directory from a full roster."`
	RosterKeepDays   int    `env:"WCPP_ROSTER_KEEP_DAYS" default:"2555" help:"Sent roster retention, in days; at least 400."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.RosterFileMB >= 1, "WCPP_ROSTER_FILE_MB", "must be at least 1")
	p.Require(s.RosterFiles >= 1, "WCPP_ROSTER_FILES", "must be at least 1")
	p.Require(s.RosterEndPercent >= 0 && s.RosterEndPercent <= 100, "WCPP_ROSTER_END_PERCENT", "must be between 0 and 100")
	p.Require(s.RosterChecks >= 1, "WCPP_ROSTER_CHECKS", "must be at least 1")
	p.Require(s.RosterUploads >= 1, "WCPP_ROSTER_UPLOADS", "must be at least 1")
	p.Require(s.GroupUploads >= s.RosterUploads, "WCPP_ROSTER_GROUP_UPLOADS", "must be at least WCPP_ROSTER_UPLOADS")
	p.Require(s.GroupMB >= 1, "WCPP_ROSTER_GROUP_MB", "must be at least 1")
	p.Require(s.GroupFiles >= 1, "WCPP_ROSTER_GROUP_FILES", "must be at least 1")
	p.Require(s.RosterMail == "" || validate.Email(s.RosterMail), "WCPP_ROSTER_MAIL", "must be an address such as rosters@example.com")
	p.Storage(s.RosterOut, "WCPP_ROSTER_OUT")
	p.Days(s.RosterKeepDays, 400, "WCPP_ROSTER_KEEP_DAYS")
}

func (s Settings) fileBytes() int64 { return int64(s.RosterFileMB) << 20 }

// endShare returns the share of providers, from 0 to 1, that a full roster can terminate without
// confirmation.
func (s Settings) endShare() float64 { return float64(s.RosterEndPercent) / 100 }
