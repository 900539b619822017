package app_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/platform/db/dbtest"
)

// Commands that start together with an empty database migrate it one after the other.
func TestCommandsMigrateOneAfterTheOther(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, opened := dbtest.URL(t, kind), make(chan error)
			for range 3 {
				cfg := app.NewStoreConfig(app.Store{Data: t.TempDir(), DatabaseURL: url})
				go func() {
					a, err := app.NewForCommand(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
					if err == nil {
						a.Close()
					}
					opened <- err
				}()
			}
			assert.NoError(t, errors.Join(<-opened, <-opened, <-opened))
		})
	}
}
