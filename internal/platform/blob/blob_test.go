package blob

import (
	"errors"
	"io"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Both kinds of storage keep a file whole, or not at all.
func TestStorage(t *testing.T) {
	store := s3mem.New()
	if err := store.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(store).Server())
	defer server.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s3 := "s3://files?" + url.Values{"region": {"us-east-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()
	dir := filepath.Join(t.TempDir(), "deep", "files")
	for name, address := range map[string]string{"directory": "", "S3": s3} {
		t.Run(name, func(t *testing.T) {
			bucket, err := Open(t.Context(), address, dir)
			if err != nil {
				t.Fatal(err)
			}
			defer bucket.Close()
			const key = "fee-schedules/1.xlsx"
			write := func(content string, end error) error {
				w, err := bucket.NewWriter(t.Context(), key, &blob.WriterOptions{ContentType: "text/plain"})
				if err != nil {
					return err
				}
				if _, err := io.WriteString(w, content); err != nil {
					return err
				}
				if exists, err := bucket.Exists(t.Context(), key); exists && content == "first" || err != nil {
					t.Errorf("there before it was whole: %v", err)
				}
				return errors.Join(end, w.Close())
			}
			if _, err := bucket.ReadAll(t.Context(), key); gcerrors.Code(err) != gcerrors.NotFound {
				t.Errorf("what is not there: %v", err)
			}
			for _, content := range []string{"first", "second"} {
				if err := write(content, nil); err != nil {
					t.Fatal(err)
				}
				if got, err := bucket.ReadAll(t.Context(), key); err != nil || string(got) != content {
					t.Errorf("%q, %v", got, err)
				}
			}
		})
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v %v", info, err)
	}
	if _, err := Open(t.Context(), "nonsense://x", dir); err == nil {
		t.Error("an address of no known kind is opened")
	}
}
