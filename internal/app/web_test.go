package app

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

func TestFilesAreSentInTheFormAskedFor(t *testing.T) {
	var packed bytes.Buffer
	out := brotli.NewWriter(&packed)
	if _, err := out.Write([]byte("as it is")); err != nil || out.Close() != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"a.js.br": {Data: packed.Bytes()}, "c.woff2": {Data: []byte("as it is")}}
	for _, c := range []struct{ name, accepted, encoding string }{
		{"a.js", "", ""},
		{"a.js", "gzip, deflate, br, zstd", "br"},
		{"a.js", "GZIP", "gzip"},
		{"a.js", "br;q=0.5, gzip;q=0.5", "br"},
		{"a.js", "br;q=0.5, gzip;q=0.8", "gzip"},
		{"a.js", "br;q=0.001", "br"},
		{"a.js", "br ; q=0, gzip", "gzip"},
		{"a.js", "br;q=0.0, gzip;q=0.000", ""},
		{"a.js", "*", "br"},
		{"a.js", "br;q=0, *", "gzip"},
		{"a.js", "*;q=0", ""},
		{"a.js", "identity, gzip;q=0.5", ""},
		{"a.js", "identity;q=0.5, gzip;q=0.5", "gzip"},
		{"a.js", "brotli, xgzip", ""},
		{"a.js", "br;q=much", ""},
		{"c.woff2", "br, gzip", ""},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := httptest.NewRequest(method, "/", nil)
			r.Header.Set("Accept-Encoding", c.accepted)
			w := httptest.NewRecorder()
			serveFile(w, r, files, c.name)
			h := w.Header()
			if h.Get("Content-Encoding") != c.encoding || h.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s %s, %q: %v", method, c.name, c.accepted, h)
			}
			if method == http.MethodHead {
				if w.Body.Len() > 0 || h.Get("Content-Length") == "0" {
					t.Errorf("%s, %q: %d bytes, %v", c.name, c.accepted, w.Body.Len(), h)
				}
				continue
			}
			if h.Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
				t.Errorf("%s, %q: %d bytes, %v", c.name, c.accepted, w.Body.Len(), h)
			}
			content := io.Reader(w.Body)
			switch c.encoding {
			case "br":
				content = brotli.NewReader(content)
			case "gzip":
				var err error
				if content, err = gzip.NewReader(content); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := io.ReadAll(content); err != nil || string(got) != "as it is" {
				t.Errorf("%s, %q: %q, %v", c.name, c.accepted, got, err)
			}
		}
	}
}
