package app_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/sessions"
	"wcpp/web"
)

var (
	outlineInPage = regexp.MustCompile(`<script type="application/json" id="outline">(.*?)</script>`)
	startInPage   = regexp.MustCompile(`(?:src|href)="/wcpp/(assets/[^"]+\.(?:js|css))"`)
	fileInPage    = regexp.MustCompile(`<link rel="(modulepreload|stylesheet)" crossorigin href="/wcpp/([^"]+)">`)
)

// opened requests a page with the session cookie ("" for none). It returns the page's session
// data and files.
func (p *portal) opened(path, token string) (outline string, files []string) {
	p.t.Helper()
	var opts []option
	if token != "" {
		opts = append(opts, cookie(httpapi.SessionCookie, token))
	}
	r := p.do("GET", path, nil, opts...)
	if r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" || r.header.Get("Vary") != "Cookie" ||
		!strings.Contains(r.header.Get("Content-Security-Policy"), "script-src 'self';") {
		p.t.Fatalf("%s answered %d with %v", path, r.status, r.header)
	}
	if found := outlineInPage.FindSubmatch(r.body); found != nil {
		outline = string(found[1])
	}
	if asked := strings.Contains(string(r.body), `href="/api/session"`); asked != (outline != "") {
		p.t.Errorf("%s asks for a session: %v, carries %q", path, asked, outline)
	}
	for _, m := range fileInPage.FindAllSubmatch(r.body, -1) {
		if name := string(m[2]); !strings.HasPrefix(name, "assets/start-") { // which every page starts with
			files = append(files, name)
		}
	}
	return outline, files
}

func TestPageCarriesTheOutlineOfItsSession(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for _, token := range []string{"", "of nobody", `"><script>`} {
			for _, path := range []string{"/wcpp/", "/wcpp/login", "/wcpp/billSearch", "/wcpp/index.html"} {
				if outline, _ := p.opened(path, token); outline != "" {
					t.Errorf("%s tells the token %q of %s", path, token, outline)
				}
			}
		}

		// It has the same data as the session endpoint, without personal data.
		same := func(token, mirrored string) {
			t.Helper()
			text, _ := p.opened("/wcpp/billSearch", token)
			var outline sessions.Outline
			var session sessions.Session
			if err := json.Unmarshal([]byte(text), &outline); err != nil {
				t.Fatalf("%v in %q", err, text)
			}
			p.do("GET", "/api/session", nil, bearer(token)).into(t, &session)
			account := session.User
			if mirrored != "" {
				account = *session.MirroredUser
			}
			if outline.Type != account.TypeCd || !slices.Equal(outline.Routes, session.Routes) ||
				!slices.Equal(outline.Menu, session.Menu) ||
				!slices.Equal(outline.Workspace, session.Workspace) || !slices.Equal(outline.Permissions, session.Permissions) ||
				outline.IdleMinutes != session.IdleMinutes {
				t.Errorf("got %+v in the page, %+v from the session", outline, session)
			}
			var fields map[string]any
			_ = json.Unmarshal([]byte(text), &fields)
			for name := range fields {
				assert.Contains(t, []string{"type", "routes", "menu", "workspace", "permissions", "idleMinutes"}, name)
			}
			body := string(p.do("GET", "/wcpp/billSearch", nil, cookie(httpapi.SessionCookie, token)).body)
			for _, personal := range []string{token, session.User.UserNm, "Tester", "@example.com", session.User.UserFirstName,
				account.UserNm} {
				assert.NotContains(t, body, personal)
			}
		}
		for _, name := range []string{"prad", "nnus"} {
			same(p.signIn(name), "")
		}
		if outline, files := p.opened("/wcpp/login?code=x&state=y", p.signIn("prad")); outline != "" || len(files) == 0 {
			t.Errorf("got %q of the previous session and files %v after a new sign-in", outline, files)
		}
		staff := p.signIn("isad")
		same(staff, "")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(staff)), 200, "")
		same(staff, "prus")

		// Opening pages isn't activity, and an ended session provides no data.
		idle := p.signIn("prus")
		for range 3 {
			p.clock.Advance(10 * time.Minute)
			if outline, _ := p.opened("/wcpp/home", idle); outline == "" {
				t.Error("the session is not there")
			}
		}
		p.clock.Advance(90 * time.Second)
		if outline, _ := p.opened("/wcpp/home", idle); outline != "" {
			t.Errorf("an idle session is told: %s", outline)
		}
		p.want(p.do("GET", "/api/session", nil, bearer(idle)), 401, "")
		left := p.signIn("prus")
		p.want(p.do("POST", "/api/logout", nil, bearer(left)), 200, "")
		if outline, _ := p.opened("/wcpp/home", left); outline != "" {
			t.Errorf("a session that was signed out is told: %s", outline)
		}
	})
}

// Each screen on the server's list has files that its page names and that exist.
func TestPageNamesTheFilesOfItsScreen(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("prad")
	_, shell := p.opened("/wcpp/News", token)
	assert.NotEmpty(t, shell, "a page names no files of the shell")
	named := func(path, token string) []string {
		t.Helper()
		_, files := p.opened("/wcpp/"+path, token)
		for i, name := range files {
			if f, err := web.Dist.Open("dist/" + name + ".br"); err != nil {
				t.Errorf("%s: %v", path, err)
			} else {
				_ = f.Close()
			}
			assert.NotContainsf(t, files[:i], name, "%s names %s twice", path, name)
		}
		return files
	}
	routes := map[string]bool{"AuditLog": true, "FeeSchedule": true, "": true}
	for _, kind := range access.Types {
		for _, route := range (access.Settings{Workspace: "on"}).Routes(access.Person{Type: kind}) {
			routes[route] = true
		}
	}
	for route := range routes {
		files := named(strings.Replace(route, "$id", "Ab-9_z", 1), token)
		if len(files) <= len(shell) || !slices.Equal(files[:len(shell)], shell) {
			t.Errorf("%s names %v", route, files)
		}
	}
	for other, of := range map[string]string{"BILLSEARCH": "billSearch", "billSearch/": "billSearch", "billSearch?x=1": "billSearch",
		"": "home"} {
		assert.Equalf(t, named(of, token), named(other, token), "%q names", other)
	}
	assert.Equal(t, shell, named("no/such/page", token))
	// Anonymous users get only the files of public screens.
	for path, some := range map[string]bool{"login": false, "billSearch": false, "resetPassword": true, "confirmEmail?token=x": true} {
		if files := named(path, ""); (len(files) > 0) != some {
			t.Errorf("%s names %v to who is not signed in", path, files)
		}
	}
}

// Limits the size of a screen's first load in brotli bytes, so that an increase is deliberate.
// It checks every screen in the build, for all users.
func TestFirstLoadStaysSmall(t *testing.T) {
	const most, mostOfSignIn = 230_000, 95_000
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("prad")
	listed, err := web.ReadFile(web.Dist, "dist/routes.json")
	require.NoError(t, err)
	var screens struct{ SignedIn, SignedOut map[string][]string }
	require.NoError(t, json.Unmarshal(listed, &screens))
	require.NotEmpty(t, screens.SignedIn)
	require.NotEmpty(t, screens.SignedOut)
	var start []string
	for _, m := range startInPage.FindAllSubmatch(p.do("GET", "/wcpp/login", nil).body, -1) {
		start = append(start, string(m[1]))
	}
	hold := func(address, token string, most int64) {
		t.Helper()
		_, files := p.opened("/wcpp"+strings.Replace(address, "$id", "Ab-9_z", 1), token)
		var bytes int64
		for _, name := range slices.Concat(start, files) {
			info, err := fs.Stat(web.Dist, "dist/"+name+".br")
			require.NoError(t, err)
			bytes += info.Size()
		}
		t.Logf("%s loads %d bytes", address, bytes)
		assert.LessOrEqualf(t, bytes, most, "%s loads %d bytes, more than", address, bytes)
	}
	hold("/login", "", mostOfSignIn)
	for address := range screens.SignedIn {
		hold(address, token, most)
	}
	for address := range screens.SignedOut {
		hold(address, "", most)
	}
}
