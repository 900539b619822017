package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
)

// unreadable is a storage that stores files but can't open them.
type unreadable struct {
	blob.Store
	err error
}

func (s unreadable) Open(context.Context, string) (*blob.File, error) { return nil, s.err }

// deletedOnce doesn't find a file at first.
type deletedOnce struct {
	blob.Store
	opened bool
}

func (s *deletedOnce) Open(ctx context.Context, key string) (*blob.File, error) {
	if !s.opened {
		s.opened = true
		return nil, blob.ErrNotFound
	}
	return s.Store.Open(ctx, key)
}

// Another instance can delete the shared file before this one reads it. A storage that loses files fails.
func TestProbeStorageReads(t *testing.T) {
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	denied := errors.New("access denied")
	for _, c := range []struct {
		files blob.Store
		want  error
	}{
		{files, nil}, {unreadable{files, denied}, denied},
		{&deletedOnce{Store: files}, nil}, {unreadable{files, blob.ErrNotFound}, blob.ErrNotFound},
	} {
		a := &App{files: c.files}
		assert.ErrorIs(t, a.probeStorage(t.Context()), c.want)
	}
}

// hanging is a storage on a network disk whose server is gone: writes wait, whatever their context.
type hanging struct {
	blob.Store
	back  chan struct{}
	tries atomic.Int32
}

func (s *hanging) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	s.tries.Add(1)
	<-s.back
	return s.Store.Put(ctx, key, write)
}

func TestHangingStorageIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files, err := blob.Open(t.Context(), "", t.TempDir())
		require.NoError(t, err)
		slow := &hanging{Store: files, back: make(chan struct{})}
		a := &App{files: slow, log: slog.New(slog.DiscardHandler)}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go a.watchStorage(ctx)
		reported := func(after time.Duration, want string) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			if why := a.storing.Load(); why == nil || *why != want {
				t.Errorf("%v, want %q", why, want)
			}
		}
		reported(26*time.Second, "No response in time.")
		reported(5*time.Minute, "No response in time.")
		assert.Equal(t, int32(1), slow.tries.Load())
		close(slow.back)
		reported(31*time.Second, "")
		reported(time.Minute, "")
		assert.GreaterOrEqual(t, slow.tries.Load(), int32(3))
	})
}
