package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddress is the caller's address: the connection's own, or what trusted
// proxies report of it in X-Forwarded-For. The zero Addr stands for none that
// can be read.
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
	// From the nearest hop outwards, as long as the reporter is trusted.
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

// isForwarded tells whether a proxy that is not trusted passed the request on, or
// the caller pretends so.
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
