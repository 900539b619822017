package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"wcpp/internal/platform/db/dbtest"
)

// pooler measures the cost of a transaction pooler. It runs the same searches behind PgBouncer
// without prepared statements, and directly on the server.
func (b *bench) pooler(ctx context.Context, bills int) error {
	say("pooler: making %d bills ...", bills)
	s := &site{bills: bills, kind: "postgres"}
	var drop func()
	var err error
	if s.url, drop, err = b.database(ctx, s.kind, "pooler"); err != nil {
		return err
	}
	defer drop()
	if err := b.open(ctx, s); err != nil {
		return err
	}
	defer s.db.Close()
	defer s.portal.stop() //nolint:errcheck // its figures are taken
	pooled, end, err := b.startPooler(ctx, s.url)
	if err != nil {
		return err
	}
	defer end()
	behind, err := b.start(ctx, "serve", "--database-url", pooled, "--database-direct-url", s.url, "--data", filepath.Join(b.dir, "pooled"))
	if err != nil {
		return err
	}
	defer behind.stop() //nolint:errcheck // its figures are taken
	throughPooler, err := signInAll(behind)
	if err != nil {
		return err
	}
	var indirect, straight []float64
	for round := range b.rounds + 1 {
		s.seed++
		own, err := b.served(ctx, s, s.browsers)
		if err != nil {
			return err
		}
		served, err := b.served(ctx, s, throughPooler)
		if err != nil {
			return err
		}
		if round > 0 { // the first round is a warm-up
			indirect, straight = append(indirect, served), append(straight, own)
		}
	}
	b.table.add(fmt.Sprintf("bill search behind PgBouncer, %s bills", short(bills)), grouped(median(indirect))+"/s",
		grouped(median(straight))+"/s, the server itself", fmt.Sprintf("%.2f", median(each(indirect, straight))), "", true)
	return nil
}

// startPooler starts PgBouncer for a database and returns the pooled address.
func (b *bench) startPooler(ctx context.Context, address string) (pooled string, end func(), err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	at := free.Addr().String()
	free.Close()
	settings, err := dbtest.PoolerSettings(at, u.User.Username(), u.Host, 20)
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "wcpp-bench-pooler")
	if err == nil {
		err = os.Chmod(dir, 0o755) //nolint:gosec // it may run as another user, and holds no secret
	}
	if err != nil {
		return "", nil, err
	}
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil { //nolint:gosec // as above
		return "", nil, err
	}
	command := exec.CommandContext(ctx, "/usr/sbin/pgbouncer", file)
	dbtest.RunAsServer(command)
	if err := command.Start(); err != nil {
		return "", nil, err
	}
	end = func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		os.RemoveAll(dir)
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", at)
		if err == nil {
			_ = conn.Close() // only a connection check
			break
		}
		if time.Since(began) > 10*time.Second {
			end()
			return "", nil, fmt.Errorf("PgBouncer does not answer: %w", err)
		}
	}
	u.Host = at
	query := u.Query()
	query.Set("default_query_exec_mode", "exec")
	u.RawQuery = query.Encode()
	return u.String(), end, nil
}
