package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
)

// An import can store an orphaned file again before its row is visible.
func TestFilesThatAreStoredAgainStay(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	files, err := blob.Open(ctx, "", dir)
	require.NoError(t, err)
	old := time.Now().Add(-72 * time.Hour)
	for _, key := range []string{"papers/again", "papers/lost"} {
		err := blob.Copy(ctx, files, key, strings.NewReader("x"))
		if err = errors.Join(err, os.Chtimes(filepath.Join(dir, key), old, old)); err != nil {
			t.Fatal(err)
		}
	}
	known := func(context.Context, []string) ([]string, error) {
		return nil, blob.Copy(ctx, files, "papers/again", strings.NewReader("x"))
	}
	a := &App{files: files, log: slog.New(slog.DiscardHandler)}
	require.NoError(t, a.removeOrphansIn(ctx, "papers/", "papers/", known, time.Now().Add(-lostAfter)))
	left, err := filepath.Glob(filepath.Join(dir, "papers", "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "again" {
		t.Errorf("left: %v, %v", left, err)
	}
}
