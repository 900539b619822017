package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Every answered search is in the audit log, even if the program is killed between searches.
func TestKilledWhileSearching(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, data := dbtest.URL(t, kind), t.TempDir()
			if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", url, "--type", "PRUS", "--first-name", "Ada",
				"--last-name", "Moore",
				"--email", "ada@example.com", "--tins", "111111111", "--password-stdin"); code != 0 {
				t.Fatal(out)
			}
			address, cmd := startServer(t, url, data)
			token, err := signIn(address)
			require.NoError(t, err)
			var answered atomic.Int64
			var wait sync.WaitGroup
			for n := range 8 {
				wait.Go(func() {
					for search(address, token, fmt.Sprintf("N%d", n)) {
						answered.Add(1)
					}
				})
			}
			await(t, "people search", func() bool { return answered.Load() > 100 })
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			wait.Wait()
			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			defer d.Close()
			var noted int64
			require.NoError(t, db.Get(t.Context(), d.Reader, &noted, `SELECT count(*) FROM audit_log
				WHERE operation = 'searchByAssorted'`))
			if noted < answered.Load() || noted > answered.Load()+8 {
				t.Errorf("%d searches were answered, %d are in the log", answered.Load(), noted)
			}
		})
	}
}

// search reports whether a bill search was answered.
func search(address, token, number string) bool {
	body, err := json.Marshal(map[string]string{"ftin": "111111111", "billControlNumber": number})
	if err != nil {
		return false
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+address+"/api/billSearch/searchByAssorted", bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: time.Minute}
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err == nil && res.StatusCode == http.StatusOK
}
