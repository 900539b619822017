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

// Another instance can delete the shared file before this one reads it.
func TestProbeStorageReads(t *testing.T) {
	files, err := blob.Open(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	denied := errors.New("access denied")
	for _, c := range []struct {
		files blob.Store
		want  error
	}{{files, nil}, {unreadable{files, denied}, denied}, {unreadable{files, blob.ErrNotFound}, nil}} {
		a := &App{files: c.files}
		if err := a.probeStorage(t.Context()); !errors.Is(err, c.want) {
			t.Errorf("%v, not %v", err, c.want)
		}
	}
}
