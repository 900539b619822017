package app

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"testing/fstest"
)

func TestFilesAreSentInTheFormAskedFor(t *testing.T) {
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"a.js": "as it is", "a.js.br": "brotli", "a.js.gz": "gzip", "b.js": "as it is", "b.js.gz": "gzip", "c.woff2": "as it is",
	} {
		files[name] = &fstest.MapFile{Data: []byte(content)}
	}
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	if _, err := gz.Write([]byte("as it is")); err != nil || gz.Close() != nil {
		t.Fatal(err)
	}
	files["d.js.gz"], files["d.js.br"] = &fstest.MapFile{Data: packed.Bytes()}, &fstest.MapFile{Data: []byte("brotli")} // and no d.js
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
		{"b.js", "br, gzip;q=0.1", "gzip"},
		{"c.woff2", "br, gzip", ""},
		{"d.js", "br, gzip", "br"},
		{"d.js", "", ""},
		{"d.js", "br;q=0, gzip;q=0", ""},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := httptest.NewRequest(method, "/", nil)
			r.Header.Set("Accept-Encoding", c.accepted)
			w := httptest.NewRecorder()
			serveFile(w, r, files, c.name)
			content := map[string]string{"br": "brotli", "gzip": "gzip", "": "as it is"}[c.encoding]
			h := w.Header()
			if h.Get("Content-Encoding") != c.encoding || h.Get("Vary") != "Accept-Encoding" || h.Get("Content-Length") !=
				strconv.Itoa(len(content)) {
				t.Errorf("%s %s, %q: %v", method, c.name, c.accepted, h)
			}
			if method == http.MethodHead {
				content = ""
			}
			if w.Body.String() != content {
				t.Errorf("%s %s, %q: %s", method, c.name, c.accepted, w.Body)
			}
		}
	}
}
