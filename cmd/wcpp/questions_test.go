package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

const askRounds = 20 // on each database

// The program is killed at different points between the upload of a file and the response to the
// question that it belongs to. The office then sends the question again with the same key. Each
// question is stored once, with its file, and each file's row has its content.
func TestKilledWhileAsking(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a := &asking{killed: &killed{t: t, url: dbtest.URL(t, kind), data: t.TempDir()}}
			a.prepare()
			for round := range askRounds {
				a.round(time.Duration(round) * 3 * time.Millisecond)
			}
			a.round(time.Minute) // completes the last one
			a.check()
		})
	}
}

// asking is an office that asks questions with files until the program is killed.
type asking struct {
	*killed
	asked   []question // all that have a file
	pending *question  // sent without a response
}

type question struct {
	key  string
	file int64
	size int // pixels of its picture
	// number is the response. It's empty if none arrived.
	number string
}

func (a *asking) prepare() {
	t := a.t
	var err error
	if a.db, err = db.Open(t.Context(), a.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.db.Close() })
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), a.db)))
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", a.url, "--type", "PRAD", "--first-name", "Ada",
		"--last-name", "Moore", "--email", "ada@example.com", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
}

// round sends the pending question again, asks another one, and kills the program some time after
// that one begins.
func (a *asking) round(after time.Duration) {
	begun, done := make(chan struct{}), make(chan struct{})
	a.start(func() bool {
		select {
		case <-begun:
		case <-done: // it failed before
			return true
		}
		select {
		case <-done:
		case <-time.After(after):
		}
		return true
	}, func(address string) {
		defer close(done)
		var err error
		if a.staff, err = signIn(address); err != nil {
			a.t.Error(err)
			return
		}
		if q := a.pending; q != nil {
			if a.pending = nil; !a.send(address, q) {
				a.t.Errorf("%s isn't stored after a restart", q.key)
			}
			a.asked = append(a.asked, *q)
		}
		close(begun)
		q := &question{key: fmt.Sprint("key ", after), size: len(a.asked) + 1}
		if q.file, err = a.upload(address, q.size); err != nil {
			return
		}
		if a.pending = q; a.send(address, q) {
			a.pending = nil
			a.asked = append(a.asked, *q)
		}
	})
}

// send reports whether a response arrived.
func (a *asking) send(address string, q *question) bool {
	var stored struct{ Number string }
	done := a.post(address, "/api/work/cases", map[string]any{
		"requestKey": q.key, "topic": "OTHER", "body": "Why?", "files": []int64{q.file},
	}, &stored)
	q.number = stored.Number
	return done && q.number != ""
}

// upload sends a picture and returns its ID. It returns an error if no response arrived.
func (a *asking) upload(address string, size int) (int64, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "scan.png")
	if err = errors.Join(err, writePicture(part, size), form.Close()); err != nil {
		return 0, err
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+address+"/api/work/cases/files", &body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+a.staff)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	assert.Equalf(a.t, http.StatusOK, res.StatusCode, "upload: %d %s", res.StatusCode, answer)
	var stored struct{ ID int64 }
	return stored.ID, json.Unmarshal(answer, &stored)
}

func writePicture(to io.Writer, size int) error {
	return png.Encode(to, image.NewGray(image.Rect(0, 0, size, size)))
}

func (a *asking) check() {
	t := a.t
	assert.GreaterOrEqual(t, len(a.asked), askRounds/4)
	if cases, entries := a.count(`SELECT count(*) FROM cases`), a.count(`SELECT count(*) FROM case_entries`); cases != len(a.asked) ||
		entries != cases {
		t.Errorf("%d questions have a response, %d are stored with %d entries", len(a.asked), cases, entries)
	}
	for _, q := range a.asked {
		var picture bytes.Buffer
		require.NoError(t, writePicture(&picture, q.size))
		hash := sha256.Sum256(picture.Bytes())
		if n := a.count(fmt.Sprintf(`SELECT count(*) FROM case_files f JOIN cases c ON c.id = f.case_id
			WHERE c.number = '%s' AND f.id = %d AND f.sha256 = '%s'`, q.number, q.file, hex.EncodeToString(hash[:]))); n != 1 {
			t.Errorf("%s (%s) has its file %d times", q.number, q.key, n)
		}
	}
	var rows []struct{ StorageKey, SHA256 string }
	require.NoError(t, db.Select(t.Context(), a.db.Reader, &rows, `SELECT storage_key, sha256 FROM case_files`))
	for _, f := range rows {
		content, err := os.ReadFile(filepath.Join(a.data, "files", filepath.FromSlash(f.StorageKey)))
		if sum := sha256.Sum256(content); err != nil || hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("the content of %s: %v", f.StorageKey, err)
		}
	}
	t.Logf("%d questions, %d files", len(a.asked), len(rows))
}
