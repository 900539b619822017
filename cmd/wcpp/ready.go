package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"wcpp/internal/app"
)

type readyCmd struct {
	app.Config
}

func (readyCmd) Help() string {
	return `Requests /readyz from the --listen address, with the same settings as serve, and prints the response. Exits with 0 if the
portal is ready, or 2 if it isn't. Waits up to 10 seconds.

Example:
  wcpp ready --config /etc/wcpp/wcpp.yaml`
}

func (c *readyCmd) Run(ctx context.Context) error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("WCPP_LISTEN: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // a minimal container can't resolve localhost
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	address, client, err := c.localClient(net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("the portal isn't responding: %w", err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 4096))
	if err != nil {
		return err
	}
	fmt.Println(strings.TrimSpace(string(body)))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the portal isn't ready: %s", answer.Status)
	}
	return nil
}

// localClient returns the portal's local address and an HTTP client for it. With TLS, the client
// trusts only the portal's own certificate, for the name that browsers use.
func (c *readyCmd) localClient(listen string) (string, *http.Client, error) {
	if c.TLSCertFile == "" {
		return "http://" + listen, http.DefaultClient, nil
	}
	certificates, err := os.ReadFile(c.TLSCertFile)
	if err != nil {
		return "", nil, fmt.Errorf("WCPP_TLS_CERT_FILE: %w", err)
	}
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return "", nil, fmt.Errorf("WCPP_PUBLIC_URL: %w", err)
	}
	own := x509.NewCertPool()
	if !own.AppendCertsFromPEM(certificates) {
		return "", nil, errors.New("WCPP_TLS_CERT_FILE: the file contains no certificate")
	}
	return "https://" + listen, &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: own, ServerName: public.Hostname(), MinVersion: tls.VersionTLS12},
	}}, nil
}
