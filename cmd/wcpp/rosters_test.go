package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Rosters are uploaded while the program is killed. Every byte of a confirmed roster is stored,
// and unconfirmed ones aren't visible.
func TestKilledWhileRostersComeIn(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, data := dbtest.URL(t, kind), t.TempDir()
			group := rosterAdmin(t, url)
			confirmed := map[int64]byte{} // file contents by upload
			number := byte(0)
			for round := range 4 {
				address, cmd := startServer(t, url, data)
				token, err := signIn(address)
				require.NoError(t, err)
				killed := time.AfterFunc(time.Duration(700+90*round)*time.Millisecond, func() { _ = cmd.Process.Kill() })
				for {
					number++
					id, err := sendRoster(address, token, filesOf(number))
					if err != nil {
						break
					}
					confirmed[id] = number
				}
				killed.Stop()
				_ = cmd.Process.Kill() // it may have exited by itself
				_ = cmd.Wait()
			}
			require.NotEmpty(t, confirmed, "no roster was confirmed")

			address, cmd := startServer(t, url, data)
			defer func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}()
			token, err := signIn(address)
			require.NoError(t, err)
			var uploads []struct {
				LogID int64
				Files []struct{ Size int64 }
			}
			require.NoError(t, json.Unmarshal(call(t, http.MethodGet, address, token, fmt.Sprintf("/api/roster/uploadLogs/group/%d",
				group)), &uploads))
			there := map[int64]bool{}
			for _, upload := range uploads {
				there[upload.LogID] = true
				if len(upload.Files) != 2 || upload.Files[0].Size != 6<<20 || upload.Files[1].Size != 1<<20 {
					t.Errorf("half of roster %d is seen: %+v", upload.LogID, upload.Files)
				}
				number, known := confirmed[upload.LogID]
				want := filesOf(number)
				for n := range upload.Files {
					got := call(t, http.MethodGet, address, token, fmt.Sprintf("/api/roster/file/%d/%d", upload.LogID, n+1))
					if int64(len(got)) != upload.Files[n].Size || known && !bytes.Equal(got, want[n]) {
						t.Errorf("file %d of roster %d is not as it was sent", n+1, upload.LogID)
					}
				}
			}
			for id := range confirmed {
				assert.Truef(t, there[id], "roster %d was confirmed and is lost", id)
			}
			t.Logf("%d confirmed, %d seen", len(confirmed), len(uploads))
		})
	}
}

// rosterAdmin adds a roster administrator and returns the group.
func rosterAdmin(t *testing.T, url string) (group int64) {
	t.Helper()
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", url, "--type", "ROAD", "--first-name", "Ada", "--last-name",
		"Moore",
		"--email", "ada@example.com", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	defer d.Close()
	for _, statement := range []string{
		`INSERT INTO roster_sources (source_id, name, name_key) VALUES (201, 'Hub', 'hub')`,
		`INSERT INTO roster_source_groups (source_group_id, source_id, group_id, name, name_key, is_admin)
			VALUES (20101, 201, 'G1', 'Lake', 'lake', false)`,
		`INSERT INTO group_roster_sources (group_id, source_id, added_at, added_by) SELECT group_id, 201, created_at, 'test' FROM users
			WHERE user_name = 'amoore'`,
	} {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
	}
	require.NoError(t, db.Get(t.Context(), d.Writer, &group, `SELECT group_id FROM users WHERE user_name = 'amoore'`))
	return group
}

// filesOf returns the files of a roster, unique for each number.
func filesOf(number byte) [2][]byte {
	return [2][]byte{bytes.Repeat([]byte{number}, 6<<20), bytes.Repeat([]byte{^number}, 1<<20)}
}

// sendRoster uploads files as a roster and returns its ID.
func sendRoster(address, token string, files [2][]byte) (int64, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	var failed error
	for _, field := range [][2]string{{"sourceId", "201"}, {"groupId", "G1"}, {"rosterType", "full"}} {
		failed = errors.Join(failed, form.WriteField(field[0], field[1]))
	}
	for n, content := range files {
		part, err := form.CreateFormFile("files", fmt.Sprintf("%d.pdf", n))
		if err != nil {
			return 0, err
		}
		_, err = part.Write(content)
		failed = errors.Join(failed, err)
	}
	if err := errors.Join(failed, form.Close()); err != nil {
		return 0, err
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+address+"/api/roster/upload", &body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var sent struct{ LogID int64 }
	if err := json.NewDecoder(res.Body).Decode(&sent); err != nil {
		return 0, err
	}
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d", res.StatusCode)
	}
	return sent.LogID, nil
}
