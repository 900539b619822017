package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// The program is killed at different times during an upload to the desk. Afterwards the file is
// either fully accepted or absent.
func TestKilledWhileAFeedIsBrought(t *testing.T) {
	const moments, rows = 20, 500
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, data, folder := dbtest.URL(t, kind), t.TempDir(), t.TempDir()
			if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", url, "--type", "ISAD", "--employee-id", "E1",
				"--first-name", "Ada", "--last-name", "Moore",
				"--email", "ada@example.com", "--password-stdin"); code != 0 {
				t.Fatal(out)
			}
			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			defer d.Close()
			confirmed := map[int]bool{}
			for moment := 0; moment <= moments; moment += 2 {
				address, cmd := startServer(t, url, data, "--feed-url", "file://"+folder, "--second-factor", "ISAD=offered")
				token, err := signIn(address)
				require.NoError(t, err)
				var content strings.Builder
				content.WriteString("group_id,name,kind\n")
				for n := range rows {
					fmt.Fprintf(&content, "%d,Group %d of %d,provider\n", (moment+1)*10_000+n, n, moment)
				}
				err = bringFeed(address, token, fmt.Sprintf("groups-%d.csv", moment), content.String(), func(part int) {
					if part == moment {
						_ = cmd.Process.Kill()
					}
				})
				confirmed[moment] = err == nil
				_ = cmd.Process.Kill() // in case the last round's process is still running
				_ = cmd.Wait()
			}
			if confirmed[0] || confirmed[moments/2] || !confirmed[moments] {
				t.Errorf("confirmed: %v", confirmed)
			}

			_, cmd := startServer(t, url, data, "--feed-url", "file://"+folder, "--second-factor", "ISAD=offered")
			defer func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}()
			await(t, "what was brought is taken", func() bool {
				var waiting int
				require.NoError(t, db.Get(t.Context(), d.Reader, &waiting, `SELECT count(*) FROM feed_files WHERE ended_at IS NULL`))
				left, err := os.ReadDir(filepath.Join(folder, "taking"))
				return waiting == 0 && (errors.Is(err, os.ErrNotExist) || len(left) == 0)
			})
			for moment := 0; moment <= moments; moment += 2 {
				var there int
				require.NoError(t, db.Get(t.Context(), d.Reader, &there, `SELECT count(*) FROM groups WHERE id >= $1
					AND id < $2`, (moment+1)*10_000, (moment+2)*10_000))
				if there != rows && (there != 0 || confirmed[moment]) {
					t.Errorf("killed at moment %d, confirmed: %v: %d groups", moment, confirmed[moment], there)
				}
			}
		})
	}
}

// bringFeed uploads a file in 20 chunks, calls at before each, and returns nil if the upload was
// confirmed.
func bringFeed(address, token, name, content string, at func(part int)) error {
	body, to := io.Pipe()
	form := multipart.NewWriter(to)
	go func() {
		part, err := form.CreateFormFile("file", name)
		for n := range 20 {
			at(n)
			if err == nil {
				_, err = io.WriteString(part, content[len(content)*n/20:len(content)*(n+1)/20])
			}
		}
		_ = to.CloseWithError(errors.Join(err, form.Close()))
	}()
	req, err := http.NewRequest(http.MethodPost, "http://"+address+"/api/desk/feeds/upload", body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var sent struct{ ID int64 }
	if err := json.NewDecoder(res.Body).Decode(&sent); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK || sent.ID == 0 {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}
