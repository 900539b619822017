package mail

import (
	"context"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var sender = Address{Name: `Harbörline "East", Inc.`, Address: "portal@portal.example"}

func newFiles(t *testing.T) (Transport, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data", "mail")
	f, err := NewFiles(dir, sender)
	require.NoError(t, err)
	return f, dir
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// arrived compares a received email with the sent one.
func arrived(t *testing.T, raw string, sent Message) netmail.Header {
	t.Helper()
	got, err := Read(strings.NewReader(raw))
	require.NoErrorf(t, err, "%v in\n%s", err, raw)
	lines := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	if lines(got.Text) != lines(sent.Text) || lines(got.HTML) != lines(sent.HTML) {
		t.Errorf("text:\n%s\nHTML:\n%s", got.Text, got.HTML)
	}
	if got.Subject != sent.Subject || got.From != sender.Name+" <"+sender.Address+">" || got.To != strings.ReplaceAll(sent.To, `"`, "") {
		t.Errorf("%q from %q to %q", got.Subject, got.From, got.To)
	}
	m, err := netmail.ReadMessage(strings.NewReader(raw))
	require.NoError(t, err)
	if from, err := m.Header.AddressList("From"); err != nil || len(from) != 1 || *from[0] != sender {
		t.Errorf("from %v, %v", from, err)
	}
	want, err := netmail.ParseAddress(sent.To)
	require.NoError(t, err)
	if to, err := m.Header.AddressList("To"); err != nil || len(to) != 1 || *to[0] != *want {
		t.Errorf("to %v, %v", to, err)
	}
	if since := time.Since(got.Date); since < -time.Minute || since > time.Hour {
		t.Errorf("date %v", got.Date)
	}
	if !regexp.MustCompile(`^<[0-9A-Za-z.-]+@portal\.example>$`).MatchString(m.Header.Get("Message-Id")) {
		t.Errorf("message id %q", m.Header.Get("Message-Id"))
	}
	if m.Header.Get("Auto-Submitted") != "auto-generated" || m.Header.Get("User-Agent") != "" {
		t.Errorf("headers %v", m.Header)
	}
	return m.Header
}

func utf8Message(t *testing.T) Message {
	t.Helper()
	l := content()
	l.Subject = "Réinitialiser: ваш пароль " + strings.Repeat("и ещё ", 20) + "ok"
	m := write(t, l)
	m.To = `"Zoë, O'Brien" <zoe@office.example>`
	return m
}

func TestFiles(t *testing.T) {
	f, dir := newFiles(t)
	first, second := utf8Message(t), write(t, content())
	second.ID, second.HTML = "mail-42", ""
	for _, m := range []Message{first, second} {
		require.NoError(t, f.Send(t.Context(), m))
	}
	names := list(t, dir)
	if len(names) != 2 || !IsFile(names[0]) || !IsFile(names[1]) {
		t.Fatal(names)
	}
	for i, sent := range []Message{first, second} {
		path := filepath.Join(dir, names[i])
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		header := arrived(t, string(raw), sent)
		if i == 1 && header.Get("Message-Id") != "<mail-42@portal.example>" {
			t.Errorf("message id %q", header.Get("Message-Id"))
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestNothingIsInjected(t *testing.T) {
	f, dir := newFiles(t)
	for name, spoil := range map[string]func(*Message){
		"line break in the recipient":   func(m *Message) { m.To = "zoe@office.example\r\nBcc: all@office.example" },
		"folded recipient":              func(m *Message) { m.To = "Zoe\r\n <zoe@office.example>" },
		"two recipients":                func(m *Message) { m.To = "zoe@office.example, all@office.example" },
		"no address":                    func(m *Message) { m.To = "zoe" },
		"nobody":                        func(m *Message) { m.To = "" },
		"line break in the subject":     func(m *Message) { m.Subject = "Hello\r\nBcc: all@office.example" },
		"bare line feed in the subject": func(m *Message) { m.Subject = "Hello\nBcc: all@office.example" },
		"zero in the subject":           func(m *Message) { m.Subject = "Hello\x00" },
		"no subject":                    func(m *Message) { m.Subject = "" },
		"no text":                       func(m *Message) { m.Text = "" },
		"line break in the id":          func(m *Message) { m.ID = "1\r\nBcc: all" },
	} {
		m := write(t, content())
		spoil(&m)
		err := f.Send(t.Context(), m)
		if err == nil || !Permanent(err) {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), "office.example") {
			t.Errorf("%s: an address in %v", name, err)
		}
	}
	assert.Empty(t, list(t, dir))
}

func TestFilesFailures(t *testing.T) {
	f, dir := newFiles(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Error(t, f.Send(ended, write(t, content())), "written after the end")
	require.NoError(t, os.RemoveAll(dir))
	if err := f.Send(t.Context(), write(t, content())); err == nil || Permanent(err) {
		t.Errorf("without a directory: %v", err)
	}
	for _, from := range []Address{
		{}, {Address: "portal"}, {Address: "Portal <portal@portal.example>"},
		{Name: "Portal\r\nBcc: all@office.example", Address: "portal@portal.example"},
	} {
		if _, err := NewFiles(t.TempDir(), from); err == nil {
			t.Errorf("%v was taken as sender", from)
		}
		if _, err := NewSMTP(Options{From: from}); err == nil {
			t.Errorf("%v was taken as sender", from)
		}
	}
}

func TestReadRefusesRubbish(t *testing.T) {
	f, dir := newFiles(t)
	require.NoError(t, f.Send(t.Context(), write(t, content())))
	raw, err := os.ReadFile(filepath.Join(dir, list(t, dir)[0]))
	require.NoError(t, err)
	whole := string(raw)
	for name, text := range map[string]string{
		"nothing":      "",
		"no header":    "hello",
		"no sender":    strings.Replace(whole, "From:", "X-From:", 1),
		"no date":      strings.Replace(whole, "Date:", "X-Date:", 1),
		"no type":      strings.Replace(whole, "Content-Type:", "X-Type:", 1),
		"cut":          whole[:len(whole)-200],
		"odd encoding": strings.Replace(whole, "Subject: ", "Subject: =?klingon?q?x?=", 1),
	} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}
