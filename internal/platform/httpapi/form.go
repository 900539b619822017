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

// Form is a multipart form as it comes in: read part by part, never held in memory.
// It is the input of an operation.
type Form struct {
	request *http.Request
	control *http.ResponseController
}

// Resolve takes the request.
func (f *Form) Resolve(hc huma.Context) []error {
	r, w := humago.Unwrap(hc)
	f.request, f.control = r, http.NewResponseController(w)
	return nil
}

// Parts reads the form; a connection on which nothing comes for a minute is given up.
func (f *Form) Parts() (*multipart.Reader, error) {
	kind, params, err := mime.ParseMediaType(f.request.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, errors.New("not a form")
	}
	return multipart.NewReader(&slowly{Reader: f.request.Body, control: f.control}, params["boundary"]), nil
}

// Drain reads what is still sent, as far as so many bytes: a browser hears a refusal
// only once it has sent what it began to.
func (f *Form) Drain(most int64) { _, _ = io.Copy(io.Discard, io.LimitReader(f.request.Body, most)) }

// Allow gives the operation so long from now on: the server's own limits count from
// before the form was read. That of reading holds on: the server listens whether
// somebody still waits, and takes its end for a goodbye.
func (f *Form) Allow(d time.Duration) {
	_ = f.control.SetReadDeadline(time.Now().Add(d))
	_ = f.control.SetWriteDeadline(time.Now().Add(d))
}

// readLimit is how long nothing may come.
const readLimit = time.Minute

// slowly lets a body take its time as long as something comes.
type slowly struct {
	io.Reader
	control *http.ResponseController
	until   time.Time
}

func (s *slowly) Read(p []byte) (int, error) {
	if time.Until(s.until) < readLimit/2 {
		s.until = time.Now().Add(readLimit)
		_ = s.control.SetReadDeadline(s.until) // where it cannot be set the server's own holds
	}
	return s.Reader.Read(p)
}

// FileName is the name that a part's file came with, as it was sent; empty where it
// has none. What is left of it its reader decides.
func FileName(p *multipart.Part) string {
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return params["filename"]
}
