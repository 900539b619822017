package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/scans"
)

// Scanner finds viruses.
type Scanner interface {
	// Scan returns the name of the virus in a file, or "" for a clean file.
	Scan(ctx context.Context, file io.Reader) (virus string, err error)
}

// Documents are the limits of documents that users upload.
var Documents = Limits{Bytes: 25 << 20, Wanted: "Choose a PDF, TIFF, JPEG or PNG file.",
	Smaller: "Split it, or scan it at a lower resolution."}

// Parallel checks per instance, and how long an upload waits for its turn. A large image takes
// several hundred MB of memory, so documents are opened one after the other.
const (
	documentsAtOnce = 1
	documentWait    = time.Minute
	scansAtOnce     = 2
	// Many proxies end a request after a minute. The wait and the scan are shorter, so that a hanging
	// scanner counts as a failure.
	scanWait = 20 * time.Second
)

// CheckLimit is the time limit for the checks of one document.
const CheckLimit = 4 * time.Minute

// Checker checks uploaded files. The program has one, because it limits parallel checks.
type Checker struct {
	scanner   Scanner // nil without one
	documents chan struct{}
	scans     chan struct{}
	scanned   *prometheus.CounterVec
}

// NewChecker returns a checker. Without a scanner (nil), it doesn't look for viruses.
func NewChecker(scanner Scanner) *Checker {
	c := &Checker{
		scanner: scanner, documents: make(chan struct{}, documentsAtOnce), scans: make(chan struct{}, scansAtOnce),
		scanned: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "wcpp_files_scanned_total", Help: "Uploaded files checked for viruses, by result: clean, found, failed.",
		}, []string{"result"}),
	}
	if c.HasScanner() {
		for _, result := range []string{clean, found, failed} {
			c.scanned.WithLabelValues(result) // so that the first one is an increase
		}
	}
	return c
}

// Results of a scan in the metric.
const (
	clean  = "clean"
	found  = "found"
	failed = "failed"
)

// Module returns the checker's metrics.
func (c *Checker) Module() module.Module {
	return module.Module{Metrics: []prometheus.Collector{c.scanned}}
}

// HasScanner reports whether files are checked for viruses.
func (c *Checker) HasScanner() bool { return c.scanner != nil }

// ReceiveDocument saves the document of a form that has nothing else, within the limits of
// Documents, and checks it as CheckDocument and Scan do. The caller stores it with blob.Upload and
// closes it. It restarts the operation's time limit. After an error, it has removed the file.
func (c *Checker) ReceiveDocument(ctx context.Context, form *httpapi.Form) (*File, error) {
	f, err := Receive(form, Documents)
	if err != nil {
		return nil, err
	}
	form.ExtendDeadline(CheckLimit)
	if err = c.CheckDocument(ctx, f); err == nil {
		err = c.Scan(ctx, f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// CheckDocument reads a whole document and sets its media type: PDF, TIFF, JPEG or PNG, by the
// content, which must begin as such a file. The name gets the extension of that type. It returns a
// problem of kind Invalid for any other file, and for one that is damaged, needs a password, uses an
// unsupported format of TIFF, or has too many pages or pixels.
func (c *Checker) CheckDocument(ctx context.Context, f *File) (err error) {
	leave, err := enter(ctx, c.documents, documentWait)
	if err != nil {
		return err
	}
	defer leave()
	content, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	f.MediaType, err = scans.Check(ctx, content)
	message := ""
	switch {
	case err == nil:
		f.Name = nameDocument(f.Name, f.MediaType)
		return nil
	case ctx.Err() != nil: // the client is gone
		return ctx.Err()
	case errors.Is(err, scans.ErrUnknown):
		message = "%s isn't a PDF, TIFF, JPEG or PNG file. Scan it, or save it as a PDF."
	case errors.Is(err, scans.ErrEncrypted), errors.Is(err, scans.ErrBroken):
		message = "%s can't be opened. Save it again without a password, or scan it as a PDF, TIFF, JPEG or PNG."
	case errors.Is(err, scans.ErrUnsupported):
		message = "%s is a TIFF in a format we can't read, such as JPEG compression. Save it as a PDF."
	case errors.Is(err, scans.ErrTooLarge):
		message = "%s has too many pages or pixels. Split it, or scan it at a lower resolution."
	default:
		return err
	}
	return problem.WithMessage(problem.Invalid, fmt.Sprintf(message, f.Name)).WithCause(err)
}

// extensions are those of each media type, the usual one first.
var extensions = map[string][]string{
	scans.PDF: {".pdf"}, scans.TIFF: {".tif", ".tiff"}, scans.JPEG: {".jpg", ".jpeg"}, scans.PNG: {".png"},
}

// nameDocument returns a clean name with an extension of the media type. Otherwise an image with a
// script behind it could be named like a web page, and its script would run when staff open it.
func nameDocument(name, mediaType string) string {
	known := extensions[mediaType]
	if slices.Contains(known, strings.ToLower(path.Ext(name))) {
		return name
	}
	return CleanName(name + known[0])
}

// VirusFound is the code of the problem for a file with a virus.
const VirusFound = "VIRUS_FOUND"

// Scan looks for viruses if there is a scanner. For a file with one, it returns a problem of kind
// Invalid with the code VirusFound. If the scanner doesn't give an answer, it returns a problem of
// kind Unavailable.
func (c *Checker) Scan(ctx context.Context, f *File) error {
	if !c.HasScanner() {
		return nil
	}
	leave, err := enter(ctx, c.scans, scanWait)
	if err != nil {
		return err
	}
	defer leave()
	content, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer content.Close()
	virus, err := c.scanner.Scan(ctx, content)
	switch {
	case ctx.Err() != nil: // the client is gone
		return ctx.Err()
	case err != nil:
		c.scanned.WithLabelValues(failed).Inc()
		return problem.WithMessage(problem.Unavailable, "We couldn't check the file for viruses. Try again later.").WithCause(err)
	case virus != "":
		c.scanned.WithLabelValues(found).Inc()
		e := problem.WithMessage(problem.Invalid, f.Name+" was rejected: our virus scanner flagged it. Nothing was sent.")
		e.Code = VirusFound
		return e.WithCause(fmt.Errorf("the virus scanner found %s", virus))
	}
	c.scanned.WithLabelValues(clean).Inc()
	return nil
}

// enter waits for a turn, until the request ends or up to longest. Waiting uses none of the slots
// that requests share.
func enter(ctx context.Context, turns chan struct{}, longest time.Duration) (leave func(), err error) {
	defer admission.Pause(ctx)()
	limit := time.NewTimer(longest)
	defer limit.Stop()
	select {
	case turns <- struct{}{}:
		return func() { <-turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, problem.WithMessage(problem.Unavailable, "We're checking many files right now. Try again in a few minutes.")
	}
}
