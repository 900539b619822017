package app_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/platform/migrations"
)

// A waiting portal reports the current reason, not the first one.
func TestAWaitingPortalTellsItsReasonOfNow(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var tries atomic.Int64
	ended := make(chan error, 1)
	go func() {
		_, err := app.OpenServing(ctx, slog.New(slog.DiscardHandler), listener.(app.Listener), func() (int, error) {
			if tries.Add(1) == 1 {
				return 0, &os.PathError{Op: "open", Path: "data", Err: syscall.ENOSPC}
			}
			return 0, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		})
		ended <- err
	}()
	told := func() string {
		r, err := http.Get("http://" + listener.Addr().String() + "/readyz")
		require.NoError(t, err)
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Body.Close() != nil || r.StatusCode != http.StatusServiceUnavailable {
			t.Fatal(r.StatusCode, err)
		}
		return string(body)
	}
	first := told()
	for end := time.Now().Add(30 * time.Second); told() == first; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %d tries: %s", tries.Load(), first)
		}
	}
	if !strings.HasPrefix(first, "not ready: ") || !strings.HasPrefix(told(), "not ready: ") {
		t.Errorf("%q, then %q", first, told())
	}
	cancel()
	assert.Error(t, <-ended, "it opened")
}

// A new version starts when the tables are partitioned.
func TestAPortalWaitsForAPartitionMove(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	tries := 0
	opened, err := app.OpenServing(t.Context(), slog.New(slog.DiscardHandler), listener.(app.Listener), func() (int, error) {
		if tries++; tries == 1 {
			return 0, fmt.Errorf("migrate: %w", migrations.ErrMoving)
		}
		return tries, nil
	})
	assert.Equal(t, 2, opened)
	assert.NoError(t, err)
}
