package dbtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Server is a PostgreSQL server for one test. The test can stop it, kill it, and start replicas
// of it.
type Server struct {
	t    testing.TB
	dir  string
	port int
}

// programsEnv is the environment variable with the folder of PostgreSQL's programs. make test
// sets it.
const programsEnv = "WCPP_PG_BIN"

// StartServer starts a server with settings such as "max_connections=30". It is removed after
// the test.
func StartServer(t testing.TB, settings ...string) *Server {
	t.Helper()
	skipWithoutPostgres(t)
	s := newServer(t)
	s.run("initdb", "-D", s.data(), "-U", "wcpp", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	s.configure(settings...)
	s.Start()
	return s
}

// Follower starts a replica of this server. name identifies the replica on this server.
func (s *Server) Follower(name string) *Server {
	s.t.Helper()
	f := newServer(s.t)
	f.run("pg_basebackup", "-D", f.data(), "-R", "--checkpoint=fast", "--no-sync",
		"-d", fmt.Sprintf("host=127.0.0.1 port=%d user=wcpp application_name=%s", s.port, name))
	f.configure()
	f.Start()
	return f
}

func newServer(t testing.TB) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "wcpp-postgres-") // the server's user can't access the test's folders
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if owner := serverUser(); owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return &Server{t, dir, FreePort(t)}
}

// serverUser returns the user that runs PostgreSQL, because root can't. nil means the current
// user.
func serverUser() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32)
	gid, _ := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) configure(settings ...string) {
	s.t.Helper()
	settings = append([]string{
		fmt.Sprintf("port=%d", s.port), "listen_addresses='127.0.0.1'", fmt.Sprintf("unix_socket_directories='%s'", s.dir), "fsync=off",
		"shared_buffers=64MB",
	}, settings...)
	file, err := os.OpenFile(filepath.Join(s.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(strings.Join(settings, "\n") + "\n"); err != nil {
		s.t.Fatal(err)
	}
}

// Start starts a stopped server.
func (s *Server) Start() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data(), "-w", "-l", filepath.Join(s.dir, "log"), "start")
	s.t.Cleanup(func() { _ = s.command("pg_ctl", "-D", s.data(), "-m", "immediate", "stop").Run() }) // already stopped servers fail here
}

// Kill stops the server abruptly, like a power failure.
func (s *Server) Kill() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop")
}

// Promote makes a replica the primary.
func (s *Server) Promote() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data(), "-w", "promote")
}

// Set changes settings of the running server, such as "synchronous_standby_names='x'".
func (s *Server) Set(settings ...string) {
	s.t.Helper()
	s.configure(settings...)
	s.run("pg_ctl", "-D", s.data(), "reload")
	time.Sleep(100 * time.Millisecond) // pg_ctl returns before the reload finishes
}

// Host returns the server's listen address.
func (s *Server) Host() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// URL returns the address of a database on the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://wcpp@%s/%s?sslmode=disable", s.Host(), database)
}

func (s *Server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(os.Getenv(programsEnv), program), args...)
	cmd.Dir = s.dir
	RunAsServer(cmd)
	return cmd
}

// PoolerSettings returns the settings of a PgBouncer with listen address, user, and server. It
// assigns each transaction one of up to most connections.
func PoolerSettings(listen, user, server string, most int) (string, error) {
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		return "", err
	}
	at, atPort, err := net.SplitHostPort(listen)
	return fmt.Sprintf(`[databases]
* = user=%s host=%s port=%s
[pgbouncer]
listen_addr = %s
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = %d
max_client_conn = 500
`, user, host, port, at, atPort, most), err
}

// RunAsServer runs a program as PostgreSQL's user, because it refuses to run as root.
func RunAsServer(cmd *exec.Cmd) {
	if owner := serverUser(); owner != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	}
}

func (s *Server) run(program string, args ...string) {
	s.t.Helper()
	cmd := s.command(program, args...)
	// The server inherits this output. With a file instead of a pipe, the command doesn't wait
	// for the server.
	out, err := os.Create(filepath.Join(s.dir, program+".out"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		output, _ := os.ReadFile(out.Name())
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		s.t.Fatalf("%s: %v\n%s\n%s", program, err, output, log)
	}
}
