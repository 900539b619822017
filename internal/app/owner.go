package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
)

// owner identifies a storage's database, with the number of its cleanup runs. It's saved in both
// the database and the storage.
type owner struct {
	Name  string `json:"name"`
	Looks int    `json:"looks"`
	// Database is the identity of a PostgreSQL database. It isn't saved in the database, because a copy would have it.
	Database string `json:"database,omitempty"`
}

const (
	ownerName = "lost-files" // key in the secrets table
	ownerFile = "lost-files/owner.json"
)

// ownsFiles reports whether files unknown to this database are orphaned. They aren't if another
// database uses the storage, such as a copy of this one, or if they're newer than the point to which
// this database was restored. Cleanup therefore starts only once the storage has this database's name
// and identity, and stops if its count is higher.
func (a *App) ownsFiles(ctx context.Context, now time.Time) (bool, error) {
	own, err := a.loadOwner(ctx, now)
	if err != nil {
		return false, err
	}
	stored, named, err := a.readOwner(ctx)
	if err != nil {
		return false, err
	}
	here, err := a.DB.Identity(ctx)
	if err != nil {
		return false, err
	}
	isOther := stored.Name != own.Name || stored.Database != "" && stored.Database != here
	if named && (isOther || stored.Looks > own.Looks) {
		a.log.WarnContext(ctx,
			"kept orphaned files, because another database uses this storage or this one was restored to an earlier state", "file",
			ownerFile)
		return false, nil
	}
	own.Looks++
	text, err := json.Marshal(own)
	if err != nil {
		return false, err
	}
	// Update the database first. After an interruption, the storage's count is then behind, not
	// ahead.
	if _, err := db.Exec(ctx, a.DB.Writer, `UPDATE secrets SET value = $1 WHERE name = $2`, text, ownerName); err != nil {
		return false, err
	}
	own.Database = here
	if text, err = json.Marshal(own); err != nil {
		return false, err
	}
	return named, blob.Copy(ctx, a.files, ownerFile, strings.NewReader(string(text)))
}

func (a *App) loadOwner(ctx context.Context, now time.Time) (own owner, err error) {
	var text []byte
	err = db.Get(ctx, a.DB.Writer, &text, `SELECT value FROM secrets WHERE name = $1`, ownerName)
	if err == nil {
		return own, json.Unmarshal(text, &own)
	}
	if !errors.Is(err, db.ErrNotFound) {
		return own, err
	}
	own.Name = rand.Text()
	if text, err = json.Marshal(own); err != nil {
		return own, err
	}
	_, err = db.Exec(ctx, a.DB.Writer, `INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, $3)`, ownerName, text, db.At(now))
	return own, err
}

func (a *App) readOwner(ctx context.Context) (stored owner, named bool, err error) {
	file, err := a.files.Open(ctx, ownerFile)
	if errors.Is(err, blob.ErrNotFound) {
		return stored, false, nil
	}
	if err != nil {
		return stored, false, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<10))
	if err != nil {
		return stored, false, err
	}
	return stored, true, json.Unmarshal(text, &stored)
}
