package clamd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/clamd/clamdtest"
	"wcpp/internal/platform/settings"
)

func TestScan(t *testing.T) {
	large := strings.Repeat("x", 3*chunk+1)
	for name, start := range map[string]func(*testing.T) *clamdtest.Daemon{"TCP": clamdtest.Start, "Unix socket": clamdtest.StartUnix} {
		t.Run(name, func(t *testing.T) {
			d := start(t)
			s := New(Settings{d.Address})
			for content, want := range map[string]string{"clean": "", large: "", "": "", large + clamdtest.EICAR: clamdtest.Virus} {
				virus, err := s.Scan(t.Context(), iotest.HalfReader(strings.NewReader(content)))
				if err != nil || virus != want {
					t.Errorf("%d bytes: %q, %v", len(content), virus, err)
				}
				if files := d.Files(); string(files[len(files)-1]) != content {
					t.Errorf("%d bytes arrive as %d", len(content), len(files[len(files)-1]))
				}
			}
			assert.NoError(t, s.Ping(t.Context()))
		})
	}
}

// Whatever else the scanner answers, the file isn't clean.
func TestStrangeAnswers(t *testing.T) {
	d := clamdtest.Start(t)
	s := New(Settings{d.Address})
	for _, answer := range []string{"", "\x00", "OK\x00", "stream: OK", "stream: OK\n", "stream: ok\x00", "stream: OK \x00",
		"stream:  FOUND\x00", "stream: FOUND\x00", "stream: Can't allocate memory ERROR\x00", "UNKNOWN COMMAND\x00", "PONG\x00",
		strings.Repeat("x", longestAnswer) + "\x00", strings.Repeat("x", 10*longestAnswer)} {
		d.Answer(func([]byte) string { return answer })
		if virus, err := s.Scan(t.Context(), strings.NewReader("x")); !errors.Is(err, ErrAnswer) || virus != "" {
			t.Errorf("%.40q: %q, %v", answer, virus, err)
		}
	}
}

// A scanner that refuses large files stops reading them.
func TestSizeLimit(t *testing.T) {
	d := clamdtest.Start(t)
	d.Limit(chunk)
	s := New(Settings{d.Address})
	if _, err := s.Scan(t.Context(), strings.NewReader(strings.Repeat("x", chunk+1))); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	// A part of the answer or none arrives if the file is much larger.
	if _, err := s.Scan(t.Context(), bytes.NewReader(make([]byte, 64<<20))); err == nil {
		t.Error("accepted")
	}
	if virus, err := s.Scan(t.Context(), strings.NewReader(strings.Repeat("x", chunk))); err != nil || virus != "" {
		t.Errorf("%q, %v", virus, err)
	}
}

// A hanging scanner has a time limit, and ends with the request.
func TestHangingScanner(t *testing.T) {
	d := clamdtest.Start(t)
	hang, asked := make(chan struct{}), make(chan struct{}, 10)
	d.Answer(func([]byte) string { asked <- struct{}{}; <-hang; return "stream: OK\x00" })
	defer close(hang)
	s := New(Settings{d.Address})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := s.Scan(ctx, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s.longest = 50 * time.Millisecond
	if _, err := s.Scan(t.Context(), strings.NewReader("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	// Nor does it wait for the end of a file.
	if _, err := s.Scan(t.Context(), endless{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// A file that can't be read isn't clean.
func TestUnreadableFile(t *testing.T) {
	s := New(Settings{clamdtest.Start(t).Address})
	for _, failure := range []error{io.ErrUnexpectedEOF, io.ErrNoProgress} {
		if _, err := s.Scan(t.Context(), io.MultiReader(strings.NewReader("x"), iotest.ErrReader(failure))); !errors.Is(err, failure) {
			t.Error(err)
		}
	}
}

func TestScannerIsDown(t *testing.T) {
	for _, address := range []string{"tcp://127.0.0.1:1", "unix:///nowhere/clamd.ctl"} {
		s := New(Settings{address})
		if _, err := s.Scan(t.Context(), strings.NewReader("x")); err == nil {
			t.Errorf("%s: no error", address)
		}
		assert.Errorf(t, s.Ping(t.Context()), "%s: no error", address)
	}
}

func TestSettings(t *testing.T) {
	for address, valid := range map[string]bool{
		"": true, "tcp://127.0.0.1:3310": true, "tcp://[::1]:3310": true, "tcp://clamav.internal:3310": true,
		"unix:///run/clamav/clamd.ctl": true, "127.0.0.1:3310": false, "tcp://127.0.0.1": false, "tcp://:3310": false,
		"tcp://127.0.0.1:3310/x": false, "http://127.0.0.1:3310": false, "unix://run/clamd.ctl": false, "unix:///": false,
		"/run/clamd.ctl": false,
	} {
		var p settings.Problems
		Settings{address}.Check(&p)
		if err := p.Err(); (err == nil) != valid {
			t.Errorf("%q: %v", address, err)
		}
	}
}
