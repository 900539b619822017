package app

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/resources"
)

const (
	contentPath       = "/js/content/"
	contentAnswerFor  = 30 * time.Second
	contentAnswerWait = 3 * time.Second
)

// contentPage is a page on the content host. A browser can't read the status of a framed page,
// so the portal checks it.
type contentPage struct {
	address string
	client  *http.Client
	now     func() time.Time

	asking sync.Mutex
	asked  time.Time
	failed atomic.Bool
}

func newContentPage(address string, now func() time.Time) *contentPage {
	return &contentPage{address: address, now: now, client: &http.Client{
		Timeout: contentAnswerWait,
		// The browser follows redirects. The portal asks only the configured host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// hasFailed reports whether the host responds with an error. A host that only the portal can't
// reach hasn't failed.
func (p *contentPage) hasFailed(ctx context.Context) bool {
	// One request checks, while the others get the last result.
	if p.address == "" || !p.asking.TryLock() {
		return p.failed.Load()
	}
	defer p.asking.Unlock()
	if p.now().Sub(p.asked) < contentAnswerFor {
		return p.failed.Load()
	}
	r, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodGet, p.address, nil)
	if err != nil {
		return p.failed.Load()
	}
	r.Header.Set("Accept", "text/html")
	res, err := p.client.Do(r)
	if err == nil {
		_ = res.Body.Close()
	}
	p.failed.Store(err == nil && res.StatusCode >= http.StatusBadRequest)
	p.asked = p.now()
	return p.failed.Load()
}

// mountContentPages serves whether the content pages can be shown.
func mountContentPages(mux *http.ServeMux, cfg resources.Settings, now func() time.Time) {
	for name, page := range map[string]*contentPage{
		"home": newContentPage(cfg.HomePageURL, now), "login": newContentPage(cfg.LoginPageURL, now),
	} {
		path := contentPath + name + ".json"
		mux.Handle("GET "+path, httpapi.Route(path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer, _ := json.Marshal(map[string]bool{"failed": page.hasFailed(r.Context())}) // a bool always marshals
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			_, _ = w.Write(answer)
		})))
	}
}
