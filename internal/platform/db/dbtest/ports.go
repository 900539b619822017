package dbtest

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// Test servers use ports below the system's range for outgoing connections (32768
// and up on Linux). Otherwise, the system could use a port before the server starts.
const (
	firstPort = 20_000
	lastPort  = 32_000
)

var taken atomic.Int64

// FreePort returns an unused loopback port. A process never gets the same port twice.
func FreePort(t testing.TB) int {
	t.Helper()
	const ports = lastPort - firstPort
	for range ports {
		port := firstPort + (os.Getpid()*97+int(taken.Add(1)))%ports
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("every port is taken")
	return 0
}
