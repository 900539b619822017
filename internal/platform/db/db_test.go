package db

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
)

// Without a TLS setting in the URL, a remote database requires TLS and a verified host name.
func TestPostgresElsewhereIsEncrypted(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	for url, want := range map[string]bool{
		"postgres://wcpp:secret@db.example/wcpp":                     true,
		"postgres://wcpp:secret@db.example/wcpp?application_name=x":  true,
		"postgres://wcpp:secret@10.0.0.7:5433/wcpp":                  true,
		"postgresql://wcpp@one.example:5432,two.example:5432/wcpp":   true,
		"postgres://wcpp:secret@db.example/wcpp?sslmode=disable":     false, // explicitly disabled
		"postgres://wcpp@127.0.0.1:5432/wcpp":                        false,
		"postgres://wcpp@localhost/wcpp":                             false,
		"postgres:///wcpp?host=/var/run/postgresql":                  false,
		"postgres://wcpp:secret@db.example/wcpp?sslmode=verify-full": true,
	} {
		cfg, err := pgx.ParseConfig(requireTLS(url))
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		proven := cfg.TLSConfig != nil && !cfg.TLSConfig.InsecureSkipVerify && cfg.TLSConfig.ServerName == cfg.Host
		for _, other := range cfg.Fallbacks {
			proven = proven && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
		}
		assert.Equalf(t, want, proven, "%s: encrypted and proven", url)
	}
}
