package blob

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Both kinds of storage store a whole file, or nothing.
func TestStorage(t *testing.T) {
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("files"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s3 := "s3://files?" + url.Values{"region": {"us-east-1"}, "endpoint": {server.URL}, "use_path_style": {"true"},
		"prefix": {"portal/"}}.Encode()
	dir := filepath.Join(t.TempDir(), "deep", "files")
	for name, address := range map[string]string{"directory": "", "S3": s3} {
		t.Run(name, func(t *testing.T) {
			store, err := Open(t.Context(), address, dir)
			require.NoError(t, err)
			const key = "fee-schedules/1.xlsx"
			read := func(key string) (string, error) {
				f, err := store.Open(t.Context(), key)
				if err != nil {
					return "", err
				}
				defer f.Close()
				content, err := io.ReadAll(f)
				assert.Equalf(t, f.Size, int64(len(content)), "%d bytes", len(content))
				return string(content), err
			}
			put := func(key, content string, end error) error {
				return store.Put(t.Context(), key, func(w io.Writer) error {
					if _, err := io.WriteString(w, content); err != nil {
						return err
					}
					if _, err := store.Open(t.Context(), key); content == "first" && !errors.Is(err, ErrNotFound) {
						t.Errorf("there before it was whole: %v", err)
					}
					return end
				})
			}
			keys := func(prefix string) (list []string) {
				t.Helper()
				for key, err := range store.List(t.Context(), prefix) {
					require.NoError(t, err)
					list = append(list, key.Key)
				}
				slices.Sort(list)
				return list
			}
			if _, err := read(key); !errors.Is(err, ErrNotFound) {
				t.Errorf("what is not there: %v", err)
			}
			broken := errors.New("broken off")
			assert.ErrorIs(t, put(key, "first", broken), broken)
			assert.Empty(t, keys(""))
			large := strings.Repeat("0123456789abcdef", 3*partSize/32)
			for _, content := range []string{"first", "", large, "last"} {
				require.NoError(t, put(key, content, nil))
				if got, err := read(key); err != nil || got != content {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			}
			assert.ErrorIs(t, put(key, large, broken), broken)
			if got, err := read(key); err != nil || got != "last" {
				t.Errorf("a write that failed changed the file: %d bytes, %v", len(got), err)
			}
			for _, other := range []string{"rosters/1/1", "rosters/1/2", "rosters/12/1"} {
				require.NoError(t, put(other, "x", nil))
			}
			assert.Equal(t, []string{"rosters/1/1", "rosters/1/2"}, keys("rosters/1/"))
			assert.Empty(t, keys("nothing/"))
			for range 2 { // the second time, there is nothing left
				assert.NoError(t, store.Delete(t.Context(), "rosters/1/1"))
			}
			assert.Equal(t, []string{key, "rosters/1/2", "rosters/12/1"}, keys(""))
		})
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v %v", info, err)
	}
	for _, wrong := range []string{
		"nonsense://x", "s3://files", "s3://files?endpoint=here", "s3://missing?" + strings.TrimPrefix(s3, "s3://files?"),
		s3 + "&timeout=soon",
	} {
		if _, err := Open(t.Context(), wrong, dir); err == nil {
			t.Errorf("%s is opened", wrong)
		}
	}
}

// A bucket that fails for now isn't an error at the start. A refused one is.
func TestBucketFailsAtTheStart(t *testing.T) {
	var status int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer server.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	address := "s3://files?" + url.Values{"region": {"us-east-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()
	for code, opens := range map[int]bool{403: false, 404: false, 429: true, 500: true, 502: true, 503: true, 504: true} {
		status = code
		if _, err := Open(t.Context(), address, ""); (err == nil) != opens {
			t.Errorf("%d: %v", code, err)
		}
	}
}

// Moving a file frees its key for the next one, even during the move.
func TestMove(t *testing.T) {
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("files"))
	var copied func()
	fake := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fake.ServeHTTP(w, r)
		if r.Header.Get("X-Amz-Copy-Source") != "" && copied != nil {
			copied()
		}
	}))
	defer server.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for name, address := range map[string]string{
		"directory": "",
		"S3":        "s3://files?" + url.Values{"region": {"us-east-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}.Encode(),
	} {
		t.Run(name, func(t *testing.T) {
			store, err := Open(t.Context(), address, t.TempDir())
			require.NoError(t, err)
			put := func(key, content string) {
				t.Helper()
				require.NoError(t, Copy(t.Context(), store, key, strings.NewReader(content)))
			}
			read := func(key string) string {
				t.Helper()
				f, err := store.Open(t.Context(), key)
				if errors.Is(err, ErrNotFound) {
					return "nothing"
				}
				require.NoError(t, err)
				defer f.Close()
				assert.LessOrEqualf(t, time.Since(f.Modified), time.Hour, "modified %s", f.Modified)
				content, err := io.ReadAll(f)
				require.NoError(t, err)
				return string(content)
			}
			assert.ErrorIs(t, store.Move(t.Context(), "a", "b/a"), ErrNotFound)
			put("a", "first")
			if err := store.Move(t.Context(), "a", "b/a"); err != nil || read("a") != "nothing" || read("b/a") != "first" {
				t.Errorf("%v, %s and %s", err, read("a"), read("b/a"))
			}
			if name != "S3" {
				return
			}
			put("a", "second")
			copied = func() { copied = nil; put("a", "third") }
			if err := store.Move(t.Context(), "a", "b/a"); err != nil || read("a") != "third" || read("b/a") != "second" {
				t.Errorf("replaced meanwhile: %v, %s and %s", err, read("a"), read("b/a"))
			}
		})
	}
}

// A configured directory isn't created, because its disk may not be mounted or its name may have
// a typo.
func TestNamedDirectoryIsNotMade(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	if _, err := Open(t.Context(), "file://"+gone, ""); err == nil ||
		!strings.Contains(err.Error(), "directory "+gone+" doesn't exist; create it or mount its disk") {
		t.Error(err)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("it was made")
	}
	if _, err := Open(t.Context(), "file://"+dir, ""); err != nil {
		t.Error(err)
	}
}

// A directory where nobody can write is named with the account.
func TestDirectoryIsntWritable(t *testing.T) {
	if _, err := openDirectory("/sys"); err == nil || !strings.Contains(err.Error(), "the account ") ||
		!strings.Contains(err.Error(), "can't write to the directory /sys") {
		t.Error(err)
	}
}

// A key can't escape the directory.
func TestDirectoryIsClosed(t *testing.T) {
	dir := t.TempDir()
	store, err := Open(t.Context(), "", filepath.Join(dir, "files"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600))
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "files", "link")))
	for _, key := range []string{"../secret", "/etc/hostname", "link/secret", "a/../../secret"} {
		if f, err := store.Open(t.Context(), key); err == nil {
			f.Close()
			t.Errorf("%s is opened", key)
		}
		assert.Errorf(t, store.Put(t.Context(), key+"2", func(io.Writer) error { return nil }), "%s is written", key)
	}
	if _, err := os.Stat(filepath.Join(dir, "secret2")); err == nil {
		t.Error("a file was written outside")
	}
	// Other users of the machine can't read the files.
	require.NoError(t, store.Put(t.Context(), "a/b", func(io.Writer) error { return nil }))
	for name, want := range map[string]os.FileMode{"files": 0o700 | os.ModeDir, "files/a": 0o700 | os.ModeDir, "files/a/b": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
