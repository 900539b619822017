// Package resources fetches documents and videos from the network's content host. Users need
// only their portal session, and the host never sees it.
package resources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/problem"
)

// Service fetches the resources below one URL.
type Service struct {
	base   *url.URL // nil: no host configured
	key    string
	limit  time.Duration
	client *http.Client
	audit  *audit.Log
}

// NewService creates the service. It sends the optional key to the host as a bearer token.
// Requests fail if the host sends nothing for longer than the time limit.
func NewService(settings Settings, auditLog *audit.Log, watched func(http.RoundTripper) http.RoundTripper) (*Service, error) {
	s := &Service{key: settings.ResourceKey, limit: settings.ResourceTimeout, audit: auditLog}
	if settings.ResourceURL == "" {
		return s, nil
	}
	base, err := url.Parse(strings.TrimRight(settings.ResourceURL, "/"))
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	transport.DisableCompression = true
	s.base, s.client = base, &http.Client{
		Transport:     watched(transport),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

// Resource is a document, or the requested range of it.
type Resource struct {
	Status int
	Header http.Header
	body   io.ReadCloser
	stall  *time.Timer
	limit  time.Duration
	cancel context.CancelFunc

	waited time.Duration // for the host
	got    int64         // bytes
}

// A host that sends less than slowest bytes a second, after the time limit has passed patience
// times, is treated like one that sends nothing.
const (
	slowest  = 4 << 10
	patience = 3
)

var errSlow = errors.New("resource host: the document arrives too slowly")

// Read reads the document as it arrives. It fails if nothing, or too little, arrives for too long.
func (r *Resource) Read(p []byte) (int, error) {
	r.stall.Reset(r.limit)
	defer r.stall.Stop() // a slow client isn't the host's fault
	began := time.Now()
	n, err := r.body.Read(p)
	r.waited += time.Since(began)
	r.got += int64(n)
	if err == nil && r.waited > patience*r.limit && float64(r.got) < slowest*r.waited.Seconds() {
		err = errSlow
	}
	return n, err
}

// Close closes the connection to the host.
func (r *Resource) Close() error {
	r.stall.Stop()
	r.cancel()
	return r.body.Close()
}

// RequestHeaders contains the browser's range and cache headers for the host.
type RequestHeaders struct{ Range, IfRange, IfNoneMatch, IfModifiedSince string }

func (a RequestHeaders) header() http.Header {
	h := http.Header{"Accept": {"*/*"}, "Accept-Encoding": {"identity"}, "User-Agent": {"wcpp"}}
	for name, value := range map[string]string{
		"Range": a.Range, "If-Range": a.IfRange, "If-None-Match": a.IfNoneMatch, "If-Modified-Since": a.IfModifiedSince,
	} {
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

// isOpening reports whether the response opens the document, rather than continuing it. The first
// byte alone only shows the browser its type.
func (r *Resource) isOpening() bool {
	part := r.Header.Get("Content-Range")
	return part == "" || strings.HasPrefix(part, "bytes 0-") && !strings.HasPrefix(part, "bytes 0-0/")
}

// Open fetches the document at a path below the host's URL.
func (s *Service) Open(ctx context.Context, path string, asked RequestHeaders) (*Resource, error) {
	if s.base == nil {
		return nil, problem.WithMessage(problem.NotFound, "The resource host isn't configured. Contact support.")
	}
	if !isSafe(path) {
		return nil, problem.New(problem.NotFound)
	}
	r, err := s.fetch(ctx, path, asked)
	if err != nil {
		return nil, err
	}
	// The resource list, and the later ranges of a video, aren't opened documents.
	if !r.isOpening() || r.Header.Get("Content-Type") == "application/json" {
		return r, nil
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "open-resource", Subject: path, Result: "ok"}); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// isSafe accepts paths that stay the same however often they are decoded.
func isSafe(path string) bool {
	return fs.ValidPath(path) && path != "." && len(path) <= 1000 &&
		!strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' || c == '%' })
}

func (s *Service) fetch(ctx context.Context, path string, asked RequestHeaders) (*Resource, error) {
	ctx, cancel := context.WithCancel(ctx)
	stall := time.AfterFunc(s.limit, cancel)
	give := func(kind problem.Kind, cause error) error {
		stall.Stop()
		cancel()
		return problem.New(kind).WithCause(fmt.Errorf("resource host: %w", cause))
	}
	address := *s.base
	address.Path, address.RawPath = address.Path+"/"+path, ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, give(problem.Internal, err)
	}
	req.Header = asked.header()
	if s.key != "" {
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, give(problem.Unavailable, err)
	}
	stall.Stop()
	switch res.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusNotModified, http.StatusRequestedRangeNotSatisfiable:
		if coding := res.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
			err = fmt.Errorf("unexpected content encoding %q", coding)
		}
	case http.StatusNotFound, http.StatusGone:
		res.Body.Close()
		return nil, give(problem.NotFound, errors.New("document not found"))
	default:
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	if err != nil {
		res.Body.Close()
		return nil, give(problem.Unavailable, err)
	}
	return &Resource{Status: res.StatusCode, Header: passHeaders(res), body: res.Body, stall: stall, limit: s.limit, cancel: cancel}, nil
}

// passHeaders returns the host's headers that the browser gets. Cookies and all others are dropped.
func passHeaders(res *http.Response) http.Header {
	h := http.Header{}
	for _, name := range []string{"Content-Length", "Content-Range", "ETag", "Last-Modified", "Accept-Ranges"} {
		if value := res.Header.Get(name); value != "" {
			h.Set(name, value)
		}
	}
	if res.StatusCode == http.StatusNotModified {
		return h
	}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || !isDisplayable(kind) {
		kind = "application/octet-stream"
		h.Set("Content-Disposition", "attachment")
	}
	h.Set("Content-Type", kind)
	return h
}

// isDisplayable reports whether a browser can safely display the type on the portal's origin. These
// types don't run scripts.
func isDisplayable(kind string) bool {
	switch kind {
	case "application/pdf", "application/json", "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint":
		return true
	}
	family, name, _ := strings.Cut(kind, "/")
	return family == "video" || family == "audio" || family == "image" && !strings.HasPrefix(name, "svg") ||
		strings.HasPrefix(kind, "application/vnd.openxmlformats-officedocument.")
}
