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

// Attachment is a file that a browser saves.
type Attachment struct {
	Name        string
	ContentType string
	Size        int64 // in bytes; 0 where it is not known before
}

// Send answers the file as it is written. One that cannot be sent whole is broken off: nobody
// is to take a part for the whole.
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

// SendAll answers the file with what is read, and closes that.
func (a Attachment) SendAll(content io.ReadCloser) *huma.StreamResponse {
	return a.Send(func(_ context.Context, out io.Writer) error {
		defer content.Close()
		_, err := io.Copy(out, content)
		return err
	})
}

// SendBytes answers the file with the content.
func (a Attachment) SendBytes(content []byte) *huma.StreamResponse {
	a.Size = int64(len(content))
	return a.Send(func(_ context.Context, out io.Writer) error {
		_, err := out.Write(content)
		return err
	})
}

// BreakOff breaks off an answer that could not be written whole because of an error, which
// is logged unless the reader left. Without an error it does nothing.
func BreakOff(err error) {
	if err != nil {
		panic(broken{err})
	}
}

// broken is why an answer was broken off.
type broken struct{ cause error }

func (b broken) Error() string { return b.cause.Error() }
func (b broken) Unwrap() error { return b.cause }

func (broken) Is(target error) bool { return target == http.ErrAbortHandler }

var errNotTaken = errors.New("client disconnected")

// A reader that takes nothing for so long is given up.
const writeLimit = time.Minute

// patient gives each piece of an answer its own time, however long the whole takes.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Patient writes an answer that lasts as long as its reader takes something of it.
func Patient(hc huma.Context) http.ResponseWriter {
	_, w := humago.Unwrap(hc)
	return patient{w, http.NewResponseController(w)}
}

func (p patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(writeLimit)) // where it cannot be set the server's own holds
	n, err := p.ResponseWriter.Write(b)
	if err != nil {
		err = errNotTaken
	}
	return n, err
}
