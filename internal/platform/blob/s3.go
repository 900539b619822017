package blob

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

type bucket struct {
	client       *minio.Client
	name, prefix string
}

// partSize is how much of a file is buffered in memory during an upload.
const partSize = 8 << 20

// mostCopied is the most bytes that S3 copies in one request. Larger files are copied in parts.
const mostCopied = 5 << 30

// openS3 signs in with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a shared credentials file,
// or the machine's own credentials.
func openS3(ctx context.Context, u *url.URL) (Store, error) {
	q := u.Query()
	region, style := q.Get("region"), minio.BucketLookupAuto
	if q.Get("use_path_style") == "true" {
		style = minio.BucketLookupPath
	}
	endpoint := q.Get("endpoint")
	if endpoint == "" {
		if region == "" {
			return nil, errors.New("open storage: s3:// needs a region or an endpoint")
		}
		endpoint = "https://s3." + region + ".amazonaws.com"
	}
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, errors.New("open storage: endpoint must start with http:// or https://")
	}
	timeout := defaultTimeout
	if given := q.Get("timeout"); given != "" {
		if timeout, err = time.ParseDuration(given); err != nil || timeout < time.Second {
			return nil, errors.New("open storage: timeout must be 1 second or more, such as 20s")
		}
	}
	client, err := minio.New(at.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}),
		Secure: at.Scheme == "https", Region: region, BucketLookup: style, Transport: transport(at.Scheme == "https", timeout),
		MaxRetries: 2,
	})
	if err != nil {
		return nil, fmt.Errorf("open storage: %w", err)
	}
	b := &bucket{client, u.Host, q.Get("prefix")}
	there, err := client.BucketExists(ctx, b.name)
	if err == nil && !there {
		err = errors.New("bucket not found")
	}
	if isTemporary(err) && ctx.Err() == nil {
		// Requests without files continue to work. Others fail until storage is available.
		slog.ErrorContext(ctx, "storage is unreachable, so files can't be saved or opened", "bucket", b.name, "error", err)
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open storage %s: %w", b.name, err)
	}
	return b, nil
}

// isTemporary reports whether a storage server didn't answer, or answered that it fails for now.
func isTemporary(err error) bool {
	status := minio.ToErrorResponse(err).StatusCode
	away := (*url.Error)(nil)
	return errors.As(err, &away) || status >= http.StatusInternalServerError || status == http.StatusTooManyRequests
}

// defaultTimeout is the longest silence of a storage server.
const defaultTimeout = 20 * time.Second

// transport closes connections without traffic for the timeout. Long transfers may continue.
func transport(secure bool, timeout time.Duration) http.RoundTripper {
	dialer := net.Dialer{Timeout: 5 * time.Second}
	t := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConns: 256, MaxIdleConnsPerHost: 16, IdleConnTimeout: timeout,
		TLSHandshakeTimeout: 5 * time.Second, ExpectContinueTimeout: 5 * time.Second, DisableCompression: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return deadlineConn{conn, timeout}, nil
		},
	}
	if secure {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return t
}

// deadlineConn is a connection with a deadline for each read and write.
type deadlineConn struct {
	net.Conn
	timeout time.Duration
}

func (m deadlineConn) Read(p []byte) (int, error) {
	if err := m.SetDeadline(time.Now().Add(m.timeout)); err != nil {
		return 0, err
	}
	return m.Conn.Read(p)
}

func (m deadlineConn) Write(p []byte) (int, error) {
	if err := m.SetDeadline(time.Now().Add(m.timeout)); err != nil {
		return 0, err
	}
	return m.Conn.Write(p)
}

func (b *bucket) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	out, in := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := write(in)
		in.CloseWithError(err) // nil ends the file; any other error aborts it
		written <- err
	}()
	err := b.send(ctx, key, out)
	out.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // so that the writer doesn't wait for a closed reader
	if failed := <-written; failed != nil && err == nil {
		return failed
	}
	return err
}

// send uploads a file in one request, or in parts if it is larger than one part.
func (b *bucket) send(ctx context.Context, key string, file io.Reader) error {
	first := make([]byte, partSize)
	n, err := io.ReadFull(file, first)
	size := int64(n)
	switch {
	case err == nil:
		size = -1 // not known yet
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	_, err = b.client.PutObject(ctx, b.name, b.prefix+key, io.MultiReader(bytes.NewReader(first[:n]), file), size, minio.PutObjectOptions{
		PartSize: partSize, ContentType: mime.TypeByExtension(path.Ext(key)),
		DisableContentSha256: true, // not every compatible server accepts a body signed in chunks
	})
	return err
}

func (b *bucket) Open(ctx context.Context, key string) (*File, error) {
	o, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	info, err := o.Stat()
	if err != nil {
		return nil, errors.Join(toNotFound(err), o.Close())
	}
	return &File{o, info.Size, info.LastModified}, nil
}

// toNotFound converts a missing-object error to ErrNotFound.
func toNotFound(err error) error {
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return ErrNotFound
	}
	return err
}

// Move copies the object and deletes the copied version. In a bucket without versions, it
// deletes the object if it hasn't changed.
func (b *bucket) Move(ctx context.Context, from, to string) error {
	was, err := b.client.StatObject(ctx, b.name, b.prefix+from, minio.StatObjectOptions{})
	if err != nil {
		return toNotFound(err)
	}
	source := minio.CopySrcOptions{Bucket: b.name, Object: b.prefix + from, VersionID: was.VersionID, MatchETag: was.ETag}
	target := minio.CopyDestOptions{Bucket: b.name, Object: b.prefix + to}
	if was.Size <= mostCopied {
		_, err = b.client.CopyObject(ctx, target, source)
	} else {
		_, err = b.client.ComposeObject(ctx, target, source)
	}
	if err != nil {
		return toNotFound(err)
	}
	if was.VersionID == "" {
		is, err := b.client.StatObject(ctx, b.name, b.prefix+from, minio.StatObjectOptions{})
		if err != nil || is.ETag != was.ETag {
			if errors.Is(toNotFound(err), ErrNotFound) {
				err = nil
			}
			return err
		}
	}
	return b.client.RemoveObject(ctx, b.name, b.prefix+from, minio.RemoveObjectOptions{VersionID: was.VersionID})
}

func (b *bucket) Delete(ctx context.Context, key string) error {
	return b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{})
}

func (b *bucket) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true}) {
			if o.Err != nil {
				yield(Entry{}, o.Err)
				return
			}
			if !yield(Entry{strings.TrimPrefix(o.Key, b.prefix), o.Size, o.LastModified}, nil) {
				return
			}
		}
	}
}
