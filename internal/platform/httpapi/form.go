package httpapi

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// Form is the input of an operation with a multipart form. The operation reads it part by part,
// so it is never in memory as a whole.
type Form struct {
	request *http.Request
	control *http.ResponseController
}

// Resolve stores the request.
func (f *Form) Resolve(hc huma.Context) []error {
	r, w := humago.Unwrap(hc)
	f.request, f.control = r, http.NewResponseController(w)
	return nil
}

// Parts returns the form's reader. It times out after a minute without data.
func (f *Form) Parts() (*multipart.Reader, error) {
	kind, params, err := mime.ParseMediaType(f.request.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, errors.New("not a form")
	}
	return multipart.NewReader(&slowReader{Reader: f.request.Body, control: f.control}, params["boundary"]), nil
}

// Drain reads up to most bytes of the remaining body. Browsers read an early error response only
// after they have sent the body.
func (f *Form) Drain(most int64) { _, _ = io.Copy(io.Discard, io.LimitReader(f.request.Body, most)) }

// ExtendDeadline restarts the operation's time limit, because the server's deadlines started before
// the form was read. The read deadline still applies. The server reads in the background to
// detect a closed connection, and treats a read timeout as one.
func (f *Form) ExtendDeadline(d time.Duration) {
	_ = f.control.SetReadDeadline(time.Now().Add(d))
	_ = f.control.SetWriteDeadline(time.Now().Add(d))
}

// readLimit is the timeout without data.
const readLimit = time.Minute

// slowReader extends the read deadline while data arrives.
type slowReader struct {
	io.Reader
	control *http.ResponseController
	until   time.Time
}

func (s *slowReader) Read(p []byte) (int, error) {
	if time.Until(s.until) < readLimit/2 {
		s.until = time.Now().Add(readLimit)
		_ = s.control.SetReadDeadline(s.until) // if this fails, the server's own deadline applies
	}
	return s.Reader.Read(p)
}

// FileName returns the unchecked file name of a part, or an empty string. The caller must
// sanitize it.
func FileName(p *multipart.Part) string {
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return params["filename"]
}
