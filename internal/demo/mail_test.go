package demo

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/mail"
)

func openMailbox(t *testing.T, dir string) (get func(path string) (int, string)) {
	t.Helper()
	mux := http.NewServeMux()
	NewMailbox(dir).Mount(mux)
	return func(path string) (int, string) {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
}

func sendTo(t *testing.T, dir string, messages ...mail.Message) {
	t.Helper()
	files, err := mail.NewFiles(dir, mail.Address{Name: "Harborline Network", Address: "portal@portal.example"})
	require.NoError(t, err)
	for _, m := range messages {
		require.NoError(t, files.Send(t.Context(), m))
	}
}

var mailLink = regexp.MustCompile(`href="(/demo/mail/[^"]+)"`)

func TestMailbox(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mail")
	get := openMailbox(t, dir)
	if code, page := get("/demo/mail"); code != http.StatusOK || !strings.Contains(page, "No emails yet.") {
		t.Errorf("%d %s", code, page)
	}
	const link = "http://localhost:8080/wcpp/resetPassword?token=abc&x=1"
	sendTo(t, dir,
		mail.Message{To: "zoe@office.example", Subject: "First", Text: "Hello"},
		mail.Message{To: "bob@office.example", Subject: "Zoë <b>", Text: "<script>alert(1)</script>\nOpen " + link +
			".\njavascript:alert(1)\n", HTML: "<p>not shown</p>"})

	code, page := get("/demo/mail")
	second, first := strings.Index(page, "Zoë &lt;b&gt;"), strings.Index(page, ">First<")
	if code != http.StatusOK || second < 0 || first < second || !strings.Contains(page, ">bob@office.example<") ||
		strings.Contains(page, "no mails yet") {
		t.Errorf("%d %s", code, page)
	}
	links := mailLink.FindAllStringSubmatch(page, -1)
	require.Len(t, links, 2)
	code, page = get(links[0][1])
	escaped := strings.ReplaceAll(link, "&", "&amp;")
	for _, want := range []string{
		"Zoë &lt;b&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", `Open <a href="` + escaped + `">` + escaped + "</a>.",
		"<dd>Harborline Network &lt;portal@portal.example&gt;</dd>", "<dd>bob@office.example</dd>", "<time datetime=",
	} {
		assert.Contains(t, page, want)
	}
	if code != http.StatusOK || strings.Contains(page, "<script") || strings.Contains(page, `href="javascript`) ||
		strings.Contains(page, "not shown") {
		t.Errorf("%d %s", code, page)
	}
	if code, style := get("/demo/mail.css"); code != http.StatusOK || !strings.Contains(style, "color-scheme") {
		t.Errorf("%d %s", code, style)
	}
	if regexp.MustCompile(`<style|style="|<script|\son[a-z]+="`).MatchString(page) {
		t.Error("the page needs what its content security policy forbids")
	}
}

func TestMailboxShowsMailsOnly(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "mail")
	sendTo(t, dir, mail.Message{To: "zoe@office.example", Subject: "Hello", Text: "secret"})
	get := openMailbox(t, dir)
	_, page := get("/demo/mail")
	name := filepath.Base(mailLink.FindStringSubmatch(page)[1])
	// The same email with names and in places that don't belong to the mailbox.
	move := func(to string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(to, raw, 0o600)
		}
		require.NoError(t, err)
	}
	move(filepath.Join(outside, name))
	move(filepath.Join(dir, "note.eml"))
	require.NoError(t, os.Symlink(filepath.Join(outside, name), filepath.Join(dir, "20260101T000000.000000000Z-0000000000000000.eml")))
	for _, path := range []string{
		"..%2f" + name, "%2e%2e%2f" + name, "..%5c" + name, name + "%00", "%2f" + name, "note.eml", ".", "..%2f..%2f..%2fetc%2fpasswd",
		"20260101T000000.000000000Z-0000000000000000.eml", "20260101T000000.000000000Z-ffffffffffffffff.eml",
	} {
		if code, page := get("/demo/mail/" + path); code == http.StatusOK || strings.Contains(page, "secret") {
			t.Errorf("%s: %d %s", path, code, page)
		}
	}
	if code, page := get("/demo/mail/" + name); code != http.StatusOK || !strings.Contains(page, "secret") {
		t.Errorf("%d %s", code, page)
	}
}

func TestMailboxOfManyAndOfBroken(t *testing.T) {
	dir := t.TempDir()
	for i := range maxListed + 3 {
		name := fmt.Sprintf("20260101T000000.%09dZ-0000000000000000.eml", i)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("no mail"), 0o600))
	}
	get := openMailbox(t, dir)
	code, page := get("/demo/mail")
	if n := strings.Count(page, "(unreadable)"); code != http.StatusOK || n != maxListed || !strings.Contains(page, "not listed: 3<") {
		t.Errorf("%d, %d mails", code, n)
	}
	if code, _ := get(mailLink.FindStringSubmatch(page)[1]); code != http.StatusInternalServerError {
		t.Errorf("a broken mail: %d", code)
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	if code, _ := openMailbox(t, file)("/demo/mail"); code != http.StatusInternalServerError {
		t.Errorf("an unreadable directory: %d", code)
	}
}
