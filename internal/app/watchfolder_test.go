package app

import (
	"context"
	"errors"
	"testing"

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
	if err != nil {
		t.Fatal(err)
	}
	denied := errors.New("access denied")
	for _, c := range []struct {
		files blob.Store
		want  error
	}{
		{files, nil}, {unreadable{files, denied}, denied},
		{&deletedOnce{Store: files}, nil}, {unreadable{files, blob.ErrNotFound}, blob.ErrNotFound},
	} {
		a := &App{files: c.files}
		if err := a.probeStorage(t.Context()); !errors.Is(err, c.want) {
			t.Errorf("%v, not %v", err, c.want)
		}
	}
}
