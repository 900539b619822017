package mail

import (
	"fmt"

	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Settings configure how emails are sent.
type Settings struct {
	SMTPURL string `name:"smtp-url" env:"WCPP_SMTP_URL" placeholder:"URL" help:"smtp://user:password@host:587 or smtps://host:465."`

	SMTPCAFile string `name:"smtp-ca-file" env:"WCPP_SMTP_CA_FILE" placeholder:"FILE" help:"CA certificates (PEM) of the mail server."`
	MailFrom   string `env:"WCPP_MAIL_FROM" placeholder:"ADDRESS" help:"Sender of emails (default: support mailbox, or no-reply)."`

	MailKeepDays int `env:"WCPP_MAIL_KEEP_DAYS" default:"90" help:"Email history retention, in days; at least 30."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.MailFrom == "" || validate.Email(s.MailFrom), "WCPP_MAIL_FROM", "must be an email address")
	p.Days(s.MailKeepDays, 30, "WCPP_MAIL_KEEP_DAYS")
	p.RequireWith(s.SMTPCAFile, "WCPP_SMTP_CA_FILE", s.SMTPURL, "WCPP_SMTP_URL")
	if s.SMTPURL != "" {
		_, err := ParseURL(s.SMTPURL)
		p.Require(err == nil, "WCPP_SMTP_URL", fmt.Sprint(err))
	}
}

// Transport returns the relay, or the directory without a relay.
func (s Settings) Transport(from Address, directory string) (Transport, error) {
	if s.SMTPURL == "" {
		return NewFiles(directory, from)
	}
	relay, err := ParseURL(s.SMTPURL)
	if err != nil {
		return nil, err
	}
	return NewSMTP(Options{Relay: relay, From: from, CAFile: s.SMTPCAFile})
}
