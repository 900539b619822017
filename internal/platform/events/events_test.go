package events

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func wait(t *testing.T, what string, news <-chan struct{}) (open bool) {
	t.Helper()
	select {
	case _, open = <-news:
		return open
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: nothing heard", what)
		return false
	}
}

func silent(t *testing.T, what string, news <-chan struct{}) {
	t.Helper()
	select {
	case <-news:
		t.Errorf("%s: heard", what)
	case <-time.After(50 * time.Millisecond):
	}
}

func TestBroker(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		log := slog.New(slog.NewTextHandler(io.Discard, nil))
		here := New(d, log)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { here.Run(ctx); close(ended) }()

		mine, cancel := here.Subscribe("user:1")
		other, cancelOther := here.Subscribe("user:2")
		defer cancelOther()
		if d.Dialect.Name == "postgres" {
			wait(t, "connected", mine) // all subscribers are notified once
			wait(t, "connected", other)
		}
		for range 3 { // received as one notification
			here.Publish(t.Context(), "user:1")
		}
		wait(t, "published", mine)
		silent(t, "another topic", other)
		for len(mine) > 0 {
			<-mine
		}

		if d.Dialect.Name == "postgres" {
			there := New(d, log) // another instance
			there.Publish(t.Context(), "user:2")
			wait(t, "published elsewhere", other)
			// After a lost connection, the broker reconnects and notifies all subscribers.
			time.Sleep(20 * time.Millisecond)
			for len(mine) > 0 {
				<-mine
			}
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE query = 'LISTEN wcpp_events'`)))
			wait(t, "connected again", mine)
			there.Publish(t.Context(), "user:1")
			wait(t, "published after the loss", mine)
		}
		cancel()
		here.Publish(t.Context(), "user:1")
		silent(t, "cancelled", mine)

		here.Close()
		here.Close()
		for wait(t, "closed", other) { // earlier notifications come first
		}
		late, _ := here.Subscribe("user:1")
		assert.False(t, wait(t, "subscribed after the end", late), "a closed broker lets subscribe")
		stop()
		<-ended
	})
}
