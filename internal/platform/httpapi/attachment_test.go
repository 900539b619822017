package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An incomplete file aborts the response, so that every browser reports the error. The cause is
// logged.
func TestAttachmentIsBrokenOffRatherThanCutShort(t *testing.T) {
	var log strings.Builder
	failing := errors.New("the disk is gone")
	get := func(t *testing.T, answer *huma.StreamResponse) (http.Header, []byte, error) {
		t.Helper()
		log.Reset()
		mux := http.NewServeMux()
		mux.HandleFunc("GET /file", func(w http.ResponseWriter, r *http.Request) {
			answer.Body(humago.NewContext(&huma.Operation{}, r, w))
		})
		server := httptest.NewServer(Wrap(mux, Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Metrics: prometheus.NewRegistry()}))
		defer server.Close()
		res, err := http.Get(server.URL + "/file")
		require.NoError(t, err)
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		return res.Header, body, err
	}
	file := Attachment{Name: `Größe "2026".csv`, ContentType: "text/csv; charset=utf-8"}

	for name, answer := range map[string]*huma.StreamResponse{
		"as it is written": file.Send(func(_ context.Context, out io.Writer) error {
			_, err := io.WriteString(out, "whole")
			return err
		}),
		"as it is read": file.SendAll(io.NopCloser(strings.NewReader("whole"))),
		"its bytes":     file.SendBytes([]byte("whole")),
	} {
		header, body, err := get(t, answer)
		if err != nil || string(body) != "whole" || header.Get("Content-Type") != file.ContentType {
			t.Errorf("%s: %q, %v, %v", name, body, err, header)
		}
		assert.Equal(t, `attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe%20%222026%22.csv`, header.Get("Content-Disposition"), name)
	}
	if header, _, _ := get(t, file.SendBytes([]byte("whole"))); header.Get("Content-Length") != "5" {
		t.Errorf("%s bytes are told", header.Get("Content-Length"))
	}

	_, body, err := get(t, file.Send(func(_ context.Context, out io.Writer) error {
		_, _ = io.WriteString(out, strings.Repeat("half ", 4000))
		return failing
	}))
	assert.Errorf(t, err, "%d bytes passed for the whole file", len(body))
	assert.Containsf(t, log.String(), failing.Error(), "the log has %q", &log)

	_, _, err = get(t, file.SendAll(struct {
		io.Reader
		io.Closer
	}{io.MultiReader(strings.NewReader(strings.Repeat("half ", 4000)), unreadable{failing}), io.NopCloser(nil)}))
	if err == nil || !strings.Contains(log.String(), failing.Error()) {
		t.Errorf("what is read fails: %v, the log has %q", err, &log)
	}
}

type unreadable struct{ error }

func (u unreadable) Read([]byte) (int, error) { return 0, u.error }
