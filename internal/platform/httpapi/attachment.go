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
		BreakOff(write(hc.Context(), Patient(hc)))
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

// BreakOff aborts an incomplete response because of an error. It logs the error unless the
// client left. Without an error, it does nothing.
func BreakOff(err error) {
	if err != nil {
		panic(broken{err})
	}
}

// broken is the cause of an aborted response.
type broken struct{ cause error }

func (b broken) Error() string { return b.cause.Error() }
func (b broken) Unwrap() error { return b.cause }

func (broken) Is(target error) bool { return target == http.ErrAbortHandler }

var errNotTaken = errors.New("client disconnected")

// Timeout for a client that reads nothing.
const writeLimit = time.Minute

// patient extends the write deadline for each write, so the whole response can take longer.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Patient returns a writer that waits as long as its client reads.
func Patient(hc huma.Context) http.ResponseWriter {
	_, w := humago.Unwrap(hc)
	return patient{w, http.NewResponseController(w)}
}

func (p patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(writeLimit)) // if this fails, the server's own deadline applies
	n, err := p.ResponseWriter.Write(b)
	if err != nil {
		err = errNotTaken
	}
	return n, err
}
