// Package blob stores files by key: in a directory by default, or in S3-compatible storage.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"time"
)

// ErrNotFound means that no file has the key.
var ErrNotFound = errors.New("file not found")

// Store stores files by key. Keys can contain slashes. A key has a file only after the file is
// complete.
type Store interface {
	// Put stores what write writes. If write fails, it stores nothing.
	Put(ctx context.Context, key string, write func(io.Writer) error) error
	// Open returns a file, or ErrNotFound. The caller must close it.
	Open(ctx context.Context, key string) (*File, error)
	// Move changes the key of a file, or returns ErrNotFound. A file that is put under the old
	// key at the same time stays there, or makes Move fail. In a bucket without versions, a file
	// put during the final request is lost.
	Move(ctx context.Context, from, to string) error
	// Delete removes a file. A missing file is no error.
	Delete(ctx context.Context, key string) error
	// List yields the files with a key prefix.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
}

// Entry is a file in a list.
type Entry struct {
	Key      string
	Size     int64 // bytes
	Modified time.Time
}

// File is an open file.
type File struct {
	io.ReadCloser
	Size     int64 // bytes
	Modified time.Time
}

// Copy stores the content of r.
func Copy(ctx context.Context, s Store, key string, r io.Reader) error {
	return s.Put(ctx, key, func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// Upload stores a local file.
func Upload(ctx context.Context, s Store, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return Copy(ctx, s, key, f)
}

// Download writes a file to a local path that must not exist yet, and returns its size.
func Download(ctx context.Context, s Store, key, path string) (size int64, err error) {
	in, err := s.Open(ctx, key)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(out, in)
	return in.Size, errors.Join(err, out.Close())
}

// Open opens the storage at an address: s3://bucket?region=... or file:///directory. S3
// addresses accept endpoint=... for compatible services, prefix=... for a key prefix, and
// timeout=20s for the maximum silence. The file directory must exist. Without an address, it
// opens dir and creates it if needed.
func Open(ctx context.Context, address, dir string) (Store, error) {
	if address == "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("open file directory: %w", err)
		}
		return openDirectory(dir)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("open storage: invalid address")
	}
	switch u.Scheme {
	case "file":
		// A missing directory can mean an unmounted disk or a typo. Creating it would hide the
		// existing files and store new ones where no one expects them.
		if _, err := os.Stat(u.Path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open storage: directory %s doesn't exist; create it or mount its disk", u.Path)
		}
		return openDirectory(u.Path)
	case "s3":
		return openS3(ctx, u)
	}
	return nil, errors.New("open storage: address must start with s3:// or file://")
}
