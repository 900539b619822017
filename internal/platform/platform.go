// Package platform has what the portal's services are created with.
package platform

import (
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/spool"
)

// Kit is what every service is created with. The program has one Kit.
type Kit struct {
	DB        *db.DB
	Audit     *audit.Log
	Clock     func() time.Time
	Zone      *time.Location // business time zone, which determines when days start and end
	Log       *slog.Logger
	Jobs      jobs.Queue
	Files     blob.Store
	Uploads   *spool.Checker
	Mail      *mail.Outbox
	Events    *events.Broker
	Limits    *ratelimit.Shared
	Sealer    *seal.Sealer
	Brand     settings.Brand
	PublicURL string // address of the portal, for links
}

// LocalTime returns the time in the business time zone.
func (k Kit) LocalTime() time.Time { return k.Clock().In(k.Zone) }

// Require panics if a dependency of a service is nil, because the service would fail later. The
// dependencies are a Kit, or a struct that embeds one. Fields with the tag optional:"true" can be
// nil. The program checks its Kit once, so an embedded Kit isn't checked again.
func Require(deps any) {
	v := reflect.ValueOf(deps)
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch v.Field(i).Kind() {
		case reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
			if v.Field(i).IsNil() && field.Tag.Get("optional") != "true" {
				panic(fmt.Sprintf("%s: %s is nil", v.Type(), field.Name))
			}
		}
	}
}
