package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// Attachment is a file download.
type Attachment struct {
	Name        string
	ContentType string
	Size        int64 // in bytes; 0 if unknown
}

// Send streams the file. It aborts the response if the file can't be sent completely, so that no
// one mistakes a part for the whole file.
func (a Attachment) Send(write func(context.Context, io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", a.ContentType)
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.Name}))
		if a.Size > 0 {
			hc.SetHeader("Content-Length", strconv.FormatInt(a.Size, 10))
		}
		Abort(write(hc.Context(), NewSlowWriter(hc)))
	}}
}

// SendAll sends content and closes it.
func (a Attachment) SendAll(content io.ReadCloser) *huma.StreamResponse {
	return a.Send(func(_ context.Context, out io.Writer) error {
		defer content.Close()
		_, err := io.Copy(out, content)
		return err
	})
}

// SendBytes sends content.
func (a Attachment) SendBytes(content []byte) *huma.StreamResponse {
	a.Size = int64(len(content))
	return a.Send(func(_ context.Context, out io.Writer) error {
		_, err := out.Write(content)
		return err
	})
}

// PDF is a document that browsers display.
type PDF struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Policy      string `header:"Content-Security-Policy"`
	Body        []byte
}

// NewPDF returns a document as a download with a file name, or the error.
func NewPDF(name string, body []byte, err error) (*PDF, error) {
	if err != nil {
		return nil, err
	}
	return &PDF{
		ContentType: "application/pdf", Disposition: `inline; filename="` + name + `"`, Body: body,
		// Browsers show a PDF as an object in a page of their own.
		Policy: "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
	}, nil
}

// Abort aborts an incomplete response because of an error. It logs the error unless the
// client left. Without an error, it does nothing.
func Abort(err error) {
	if err != nil {
		panic(abortedError{err})
	}
}

// abortedError is the cause of an aborted response.
type abortedError struct{ cause error }

func (b abortedError) Error() string { return b.cause.Error() }
func (b abortedError) Unwrap() error { return b.cause }

func (abortedError) Is(target error) bool { return target == http.ErrAbortHandler }

var errNotTaken = errors.New("client disconnected")

// Timeout for a client that reads nothing.
const writeLimit = time.Minute

// slowWriter extends the write deadline for each write, so the whole response can take longer.
type slowWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// NewSlowWriter returns a writer that waits as long as its client reads.
func NewSlowWriter(hc huma.Context) http.ResponseWriter {
	_, w := humago.Unwrap(hc)
	return slowWriter{w, http.NewResponseController(w)}
}

func (p slowWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(writeLimit)) // if this fails, the server's own deadline applies
	n, err := p.ResponseWriter.Write(b)
	if err != nil {
		err = errNotTaken
	}
	return n, err
}
