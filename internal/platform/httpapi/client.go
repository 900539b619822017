package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddress returns the client's address: from the connection, or from X-Forwarded-For if
// trusted proxies set it. It returns the zero Addr if the address is invalid.
func clientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	addr = addr.Unmap()
	// From the nearest hop outward, while the reporting proxy is trusted.
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && isTrusted(addr, trusted); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = next.Unmap()
	}
	return addr
}

// isForwarded reports whether an untrusted proxy forwarded the request, or the client claims so.
func isForwarded(r *http.Request, trusted []netip.Prefix) bool {
	if r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Forwarded") == "" {
		return false
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err != nil || !isTrusted(peer.Addr().Unmap(), trusted)
}

func isTrusted(addr netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
}
