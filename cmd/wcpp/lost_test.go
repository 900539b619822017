package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db/dbtest"
)

// When the machine of an instance disappears in the middle of a transaction, the other instance
// continues. If an instance's connections lose everything, it continues with new ones.
func TestLostMachine(t *testing.T) {
	t.Parallel()
	direct := dbtest.URL(t, "postgres")
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", direct, "--type", "PRUS", "--first-name", "Ada",
		"--last-name", "Moore", "--email", "ada@example.com", "--tins", "111111111", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	wires, instances := make([]*dbtest.Wire, 2), make([]string, 2)
	for n := range wires {
		var through string
		wires[n], through = dbtest.NewWire(t, direct)
		address, cmd := startServer(t, through, t.TempDir())
		defer func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}()
		instances[n] = address
	}
	token, err := signIn(instances[1])
	require.NoError(t, err)

	wires[1].Set(dbtest.Swallow)
	await(t, "it continues with new connections", func() bool {
		status := getStatus(instances[1], token)
		if status != http.StatusOK && status != http.StatusServiceUnavailable {
			t.Errorf("answered %d", status)
		}
		return status == http.StatusOK
	})
	awaitBody(t, instances[1], "/readyz", "200 ok")

	wires[0].Set(dbtest.SwallowAtCommit)
	go func() { _, _ = signIn(instances[0]) }() // locks the person's rows and disappears
	await(t, "the machine disappears", wires[0].Happened)
	await(t, "a person signs in and out of other locks", func() bool {
		_, err := signIn(instances[1])
		if err != nil && !strings.Contains(err.Error(), "503") {
			t.Error(err)
		}
		return err == nil
	})
}
