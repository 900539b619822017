package main

import (
	"crypto/x509"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// On a machine without CA certificates, such as a container with only this file, the program
// uses its built-in root certificates.
func TestCertificatesOfABareContainer(t *testing.T) {
	if os.Getenv("SSL_CERT_FILE") == "/none" {
		pool, err := x509.SystemCertPool()
		if err != nil || len(pool.Subjects()) < 50 { //nolint:staticcheck // of the fallback all are known
			t.Errorf("%v: %v", pool, err)
		}
		return
	}
	self, err := os.Executable()
	require.NoError(t, err)
	bare := exec.Command(self, "-test.run=^TestCertificatesOfABareContainer$", "-test.v")
	bare.Env = append(os.Environ(), "SSL_CERT_FILE=/none", "SSL_CERT_DIR=/none")
	if out, err := bare.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestNotices(t *testing.T) {
	out, code := wcpp(t, "", "notices")
	if code != 0 || !strings.Contains(out, "modernc.org/sqlite (") || !strings.Contains(out, "Meta Platforms") {
		t.Errorf("exit %d: %.200s", code, out)
	}
}

func TestReady(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, "portal.example", time.Now().Add(time.Hour))
	for _, more := range [][]string{
		nil,
		{"--public-url", "https://portal.example", "--tls-cert-file", cert, "--tls-key-file", key},
	} {
		address := freeAddress(t)
		args := append([]string{"--data", dir, "--listen", address}, more...)
		if out, code := wcpp(t, "", append([]string{"ready"}, args...)...); code != 2 || !strings.Contains(out, "isn't responding") {
			t.Errorf("%v before it serves: exit %d: %s", more, code, out)
		}
		portal := program(t, append([]string{"serve", "--log-level", "error"}, args...)...)
		require.NoError(t, portal.Start())
		await(t, "the portal says that it is ready", func() bool {
			out, code := wcpp(t, "", append([]string{"ready"}, args...)...)
			return code == 0 && strings.Contains(out, "ok")
		})
		require.NoError(t, portal.Process.Signal(syscall.SIGTERM))
		assert.NoError(t, portal.Wait())
	}
}
