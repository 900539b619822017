package demo_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/demo"
)

func TestContentHost(t *testing.T) {
	host := demo.NewContent([]string{"http://localhost:8080"}, []byte("font"))
	get := func(path, key string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		w := httptest.NewRecorder()
		host.ServeHTTP(w, r)
		return w
	}
	for _, page := range []string{"/home", "/login", "/widget", "/content.css", "/frame.js", "/widget.js"} {
		w := get(page, "")
		if w.Code != 200 || !strings.HasSuffix(w.Header().Get("Content-Security-Policy"), "frame-ancestors http://localhost:8080") {
			t.Errorf("%s: %d %v", page, w.Code, w.Header())
		}
		for _, foreign := range []string{"http://", "https://", "<style", " style=", " onclick="} {
			assert.NotContainsf(t, w.Body.String(), foreign, "%s contains %q, which its policy forbids", page, foreign)
		}
	}

	var list []struct {
		Properties struct{ Name, Category, WalkmeID string }
		Links      []struct{ Href string }
	}
	require.NoError(t, json.Unmarshal(get("/provider-resources.json", demo.ContentKey).Body.Bytes(), &list))
	var categories []string
	for _, d := range list {
		path, under := strings.CutPrefix(d.Links[0].Href, demo.AssetPath)
		if d.Properties.Name == "" || d.Properties.WalkmeID == "" || !under {
			t.Errorf("%+v", d)
		}
		if !slices.Contains(categories, d.Properties.Category) {
			categories = append(categories, d.Properties.Category)
		}
		w := get(demo.ContentPath+path, demo.ContentKey)
		start, kind := "%PDF-", "application/pdf"
		if strings.HasSuffix(path, ".webm") {
			start, kind = "\x1aE\xdf\xa3", "video/webm"
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != kind || !strings.HasPrefix(w.Body.String(), start) {
			t.Errorf("%s: %d %s", path, w.Code, w.Header().Get("Content-Type"))
		}
	}
	assert.GreaterOrEqual(t, len(list), 25)
	assert.Len(t, categories, 5)

	for _, asked := range regexp.MustCompile(`data-resource="([^"]+)"`).FindAllStringSubmatch(get("/home", "").Body.String(), -1) {
		if got := get(asked[1], demo.ContentKey).Code; got != 200 {
			t.Errorf("the home page asks for %s: %d", asked[1], got)
		}
	}

	// Only the portal gets documents, and nothing else is served.
	for path, want := range map[string]int{
		"/provider-resources.json": 401, demo.ContentPath + "/training/portal-tour.webm": 401,
	} {
		assert.Equalf(t, want, get(path, "guessed").Code, "%s without the key", path)
	}
	for _, path := range []string{"/", "/documents/training/absent.pdf", "/documents/releases/portal-tour.webm", "/portal-tour.webm"} {
		assert.Equal(t, 404, get(path, demo.ContentKey).Code, path)
	}
}
