package db

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
)

// During an outage, loops log nothing, and the pulse logs the outage once.
func TestLoopsAreQuietInAnOutage(t *testing.T) {
	nowhere, err := pgx.ParseConfig("postgres://wcpp@127.0.0.1:1/wcpp")
	require.NoError(t, err)
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	p := NewHealthProbe(&DB{Dialect: postgresDialect, Writer: stdlib.OpenDB(*nowhere)}, log)
	loop := p.QuietLogger(log).With("queue", "mail").WithGroup("g")
	say := func() { loop.Error("jobs are not fetched") }
	say()
	p.logChange(t.Context(), ErrOutage)
	for range 100 {
		say()
	}
	p.logChange(t.Context(), ErrOutage)
	p.logChange(t.Context(), nil)
	say()
	var lines []string
	for line := range strings.Lines(said.String()) {
		_, line, _ = strings.Cut(line, "msg=")
		lines = append(lines, line)
	}
	if len(lines) != 4 || !strings.HasPrefix(lines[0], `"jobs are not fetched" queue=mail`) ||
		!strings.HasPrefix(lines[1], `"database isn't responding, `) ||
		!strings.HasPrefix(lines[2], `"database is responding again"`) || lines[3] != lines[0] {
		t.Errorf("%q", lines)
	}
}
