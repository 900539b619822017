package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/sessions"
	"wcpp/web"
)

// publicSettings is the content of /js/config.json, which the application needs before sign-in.
type publicSettings struct {
	InternalDomains  []string `json:"internalDomains"`
	APIURL           string   `json:"apiUrl"`
	ResourceURL      string   `json:"resourceUrl"`
	HomePageURL      string   `json:"homePageUrl"`
	LoginPageURL     string   `json:"loginPageUrl"`
	SSOURL           string   `json:"ssoUrl"`
	LegacySignIn     bool     `json:"legacySignIn"`
	OutsideSignIn    bool     `json:"outsideSignIn"`
	SupportPhone     string   `json:"supportPhone"`
	SupportEmail     string   `json:"supportEmail"`
	BrandName        string   `json:"brandName"`
	OrganizationName string   `json:"organizationName"`
	TermsURL         string   `json:"termsUrl"`
	PrivacyURL       string   `json:"privacyUrl"`
	WebsiteURL       string   `json:"websiteUrl"`
	AssetPath        string   `json:"resourceAssetPath"`
	ContentPath      string   `json:"resourceContentPath"`
	LiveChat         bool     `json:"liveChat"`
	RosterFileMB     int      `json:"rosterFileMb"`
	RosterFiles      int      `json:"rosterFiles"`
	TimeZone         string   `json:"timeZone"`
	Version          string   `json:"version"`
	Demo             bool     `json:"demo"`
	StatusLine       bool     `json:"statusLine,omitempty"` // whether to request it
}

// mountWeb serves the application and its settings. outline returns the session data for its
// page.
func mountWeb(mux *http.ServeMux, cfg Config, demo bool, outline func(context.Context, string) *sessions.Outline) error {
	settings, err := json.Marshal(publicSettings{
		APIURL: "/api", ResourceURL: "/api/resources", HomePageURL: cfg.Content.HomePageURL, LoginPageURL: cfg.Content.LoginPageURL,
		SSOURL: "/sso/start", LegacySignIn: cfg.Sessions.LegacySignIn, OutsideSignIn: cfg.SSO.IsExternal(),
		SupportPhone: cfg.Brand.SupportPhone, SupportEmail: cfg.Brand.SupportEmail,
		BrandName: cfg.Brand.BrandName, OrganizationName: cfg.Brand.OrganizationName, TermsURL: cfg.Brand.TermsURL,
		PrivacyURL: cfg.Brand.PrivacyURL,
		WebsiteURL: cfg.Content.WebsiteURL, AssetPath: cfg.Content.ResourceAssetPath, ContentPath: cfg.Content.ResourceContentPath,
		LiveChat:     cfg.Chat.ChatURL != "",
		RosterFileMB: cfg.Rosters.RosterFileMB, RosterFiles: cfg.Rosters.RosterFiles,
		TimeZone: cfg.Notifications.TimeZone, Version: Version, Demo: demo, StatusLine: cfg.Access.Offers("status.manage"),
		InternalDomains: cfg.Account.ListDomains(),
	})
	if err != nil {
		return err
	}
	mux.Handle("GET /js/config.json", httpapi.Route("/js/config.json", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(settings)
	})))
	files, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return err
	}
	page, err := newPage(files, outline)
	if err != nil {
		return err
	}
	mux.Handle("GET /wcpp/", newApplicationHandler(files, page))
	// The plain sign-in form uses the application's font.
	mux.Handle("GET /sso/public-sans.woff2", httpapi.Route("/sso/public-sans.woff2",
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fonts, err := fs.Glob(files, fontFile)
			if err != nil || len(fonts) == 0 {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Cache-Control", "public, max-age=86400")
			serveFile(w, r, files, fonts[0])
		})))
	mux.Handle("GET /robots.txt", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /\n"))
	}))
	// Fallbacks don't have a method because the mux rejects "GET /" next to "/api/".
	mux.Handle("/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target := "/wcpp/"
		if r.URL.Path != "/" {
			target = "/wcpp/PageNotFound"
		}
		http.Redirect(w, r, target, http.StatusFound)
	}))
	return nil
}

const fontFile = "assets/public-sans-latin-wght-normal-*.woff2"

// loadTextFont returns the application's font, or nothing if it isn't built.
func loadTextFont() ([]byte, error) {
	fonts, err := fs.Glob(web.Dist, "dist/"+fontFile)
	if err != nil || len(fonts) == 0 {
		return nil, err
	}
	return fs.ReadFile(web.Dist, fonts[0])
}

// newApplicationHandler serves the built browser application. Every path that isn't a file is one of its
// routes and gets the same page.
func newApplicationHandler(files fs.FS, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/wcpp")
		name = strings.TrimPrefix(name, "/")
		if name == "" || name == "index.html" || !hasFile(files, name) {
			if strings.HasPrefix(name, "assets/") {
				http.NotFound(w, r) // from an older build; the page will reload
				return
			}
			httpapi.Route("/wcpp/", page).ServeHTTP(w, r)
			return
		}
		pattern := "/wcpp/"
		if strings.HasPrefix(name, "assets/") {
			pattern = "/wcpp/assets"
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			w.Header().Set("Cache-Control", "no-cache")
		}
		httpapi.Route(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			serveFile(w, r, files, name)
		})).ServeHTTP(w, r)
	})
}

// hasFile reports whether a file exists in any encoding.
func hasFile(files fs.FS, name string) bool {
	for _, form := range []string{"", ".br"} {
		if info, err := fs.Stat(files, name+form); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// serveFile sends the encoding that the request prefers, brotli first if it has no preference. The
// build has only brotli, so the others cost some milliseconds. Hardly any browser needs them.
func serveFile(w http.ResponseWriter, r *http.Request, files fs.FS, name string) {
	accepted := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	encoding, best := "", encodingQuality(accepted, "identity")
	if _, err := fs.Stat(files, name+".br"); err == nil {
		for _, other := range []string{"br", "gzip"} {
			if q := encodingQuality(accepted, other); q > 0 && (q > best || q == best && encoding == "") {
				encoding, best = other, q
			}
		}
	}
	content, err := readEncoded(files, name, encoding)
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "This build doesn't include the web app. Run `make build`.", http.StatusNotFound)
		return
	}
	if err != nil {
		http.Error(w, "Something went wrong on our side. Please try again.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		h.Set("Content-Type", kind)
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // the browser disconnected
	}
}

// readEncoded reads a file in an encoding: br, gzip or none.
func readEncoded(files fs.FS, name, encoding string) ([]byte, error) {
	if encoding == "br" {
		return fs.ReadFile(files, name+".br")
	}
	content, err := web.ReadFile(files, name)
	if err != nil || encoding == "" {
		return content, err
	}
	var packed bytes.Buffer
	out := gzip.NewWriter(&packed)
	if _, err = out.Write(content); err == nil {
		err = out.Close()
	}
	return packed.Bytes(), err
}

// encodingQuality returns the quality of an encoding in an Accept-Encoding header, from 0 (rejected or
// missing) to 1. "*" matches all encodings that aren't listed.
func encodingQuality(accepted, encoding string) float64 {
	unnamed := 0.0
	for part := range strings.SplitSeq(accepted, ",") {
		name, params, err := mime.ParseMediaType(part) // an encoding with parameters has the same syntax
		if err != nil || name != encoding && name != "*" {
			continue
		}
		q := 1.0
		if given, ok := params["q"]; ok {
			q, _ = strconv.ParseFloat(given, 64) // 0 if it isn't a number
		}
		if name == encoding {
			return q
		}
		unnamed = q
	}
	return unnamed
}
