// Package blob opens where files are kept: a directory by default, or S3 and
// what is compatible with it.
package blob

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/s3blob"   // s3://
	"gocloud.dev/gcerrors"
)

// Bucket keeps files by key.
type Bucket = blob.Bucket

// Reader reads a file.
type Reader = blob.Reader

// ListOptions narrow a listing of files.
type ListOptions = blob.ListOptions

// IsNotFound tells whether an error means that there is no such file.
func IsNotFound(err error) bool { return gcerrors.Code(err) == gcerrors.NotFound }

// Open opens the address, or else the directory, which is made. Files in a
// directory appear whole or not at all.
func Open(ctx context.Context, address, dir string) (*Bucket, error) {
	if address == "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("directory of files: %w", err)
		}
		path, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		address = (&url.URL{Scheme: "file", Path: path, RawQuery: "no_tmp_dir=true&metadata=skip&dir_file_mode=0700"}).String()
	}
	bucket, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open storage: %w", err)
	}
	return bucket, nil
}
