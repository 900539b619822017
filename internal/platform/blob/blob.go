// Package blob keeps files by key: in a directory by default, or in S3 and what
// is compatible with it.
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

// ErrNotFound tells that there is no file of a key.
var ErrNotFound = errors.New("file not found")

// Store keeps files by key, parted by slashes. A key has a file only once it is
// whole.
type Store interface {
	// Put keeps what write writes; when write fails nothing is kept.
	Put(ctx context.Context, key string, write func(io.Writer) error) error
	// Open answers a file, or ErrNotFound. It must be closed.
	Open(ctx context.Context, key string) (*File, error)
	// Move gives a file another key, or answers ErrNotFound. What is put under the
	// first key meanwhile stays there, or fails the move; in a bucket without
	// versions what is put there during its last call is lost.
	Move(ctx context.Context, from, to string) error
	// Delete removes a file; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// List gives the files whose keys begin with a prefix.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
}

// Entry is a file as a list has it.
type Entry struct {
	Key      string
	Size     int64 // bytes
	Modified time.Time
}

// File is a file being read.
type File struct {
	io.ReadCloser
	Size     int64 // bytes
	Modified time.Time
}

// Copy keeps what r gives.
func Copy(ctx context.Context, s Store, key string, r io.Reader) error {
	return s.Put(ctx, key, func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// Upload keeps a file of this machine.
func Upload(ctx context.Context, s Store, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return Copy(ctx, s, key, f)
}

// Download writes a file to this machine, where none of the path may be, and
// answers its size.
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

// Open opens the address: s3://bucket?region=... (with endpoint=... for what is
// compatible, prefix=... for a part of the bucket, timeout=20s for how long it may
// say nothing), file:///directory, which must be there, or else
// the directory, which is made.
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
		// Where it is not there a disk may not be mounted, or the name have a slip: what is
		// made then hides what was kept, and nobody looks for files in it.
		if _, err := os.Stat(u.Path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open storage: directory %s doesn't exist; create it or mount its disk", u.Path)
		}
		return openDirectory(u.Path)
	case "s3":
		return openS3(ctx, u)
	}
	return nil, errors.New("open storage: address must start with s3:// or file://")
}
