package dbtest

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// The ports that tests give to servers lie below those that the system takes for outgoing
// connections (from 32768 on, on Linux): else one may be taken between here and the server.
const (
	firstPort = 20_000
	lastPort  = 32_000
)

var taken atomic.Int64

// FreePort is one of loopback that nobody listens on; a process gets none twice.
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
