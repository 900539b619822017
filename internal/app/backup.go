package app

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/disk"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/tempdir"
)

// The entries of a backup, in order.
const (
	backupDatabase = "wcpp.db"
	backupFiles    = "files/"
	backupManifest = "manifest.json" // last, because a backup without it is incomplete
)

// notBackedUp are files that a restored portal writes again. The storage's owner is one of them: it
// can be newer than the copied database, and cleanup of orphaned files would then stop.
var notBackedUp = []string{storageProbe, ownerFile}

// manifest lists a backup's contents so that a restore can verify them.
type manifest struct {
	Version string            `json:"version"`
	MadeAt  time.Time         `json:"madeAt"`
	SHA256  map[string]string `json:"sha256"` // by name
}

// errEmbeddedOnly refers users of another database to its own tools.
var errEmbeddedOnly = errors.New("this command backs up the embedded database only; for PostgreSQL, use pg_dump or its archive, and " +
	"your storage's own tools for files")

// freeSpace returns the free bytes of a disk. Tests replace it.
var freeSpace = disk.Free

// checkSpace returns an error if a portal's disk would be almost full with a copy of this size.
func checkSpace(dir string, size int64) error {
	const gb = 1 << 30
	free, err := freeSpace(dir)
	if needed := uint64(max(size, 0)) + disk.Little; err == nil && free < needed { //nolint:gosec // not negative
		err = fmt.Errorf("not enough space in %s: %.1f GB free, needs %.1f GB", dir, float64(free)/gb, float64(needed)/gb)
	}
	return err
}

// Backup writes the embedded database and all files to out (a tar archive) as of one point in
// time, while the portal runs. It copies the database first. A file is always stored before its
// row, and no referenced file is ever removed. Every row in the backup therefore finds its file.
func Backup(ctx context.Context, s Store, blobURL string, out *os.File, now time.Time) error {
	if _, isFile := db.Path(s.URL()); !isFile {
		return errEmbeddedOnly
	}
	if err := s.CheckExists(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "backup")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	snapshot := filepath.Join(dir, backupDatabase)
	if err := copyDatabase(ctx, s, snapshot); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	files, err := blob.Open(ctx, blobURL, filepath.Join(s.Data, "files"))
	if err != nil {
		return err
	}
	if err := checkArchiveSpace(ctx, filepath.Dir(out.Name()), snapshot, files); err != nil {
		return err
	}
	a := archive{tar.NewWriter(out), manifest{Version: Version, MadeAt: now.UTC().Truncate(time.Second), SHA256: map[string]string{}}}
	if err := a.addDatabase(snapshot); err != nil {
		return err
	}
	if err := a.addFiles(ctx, files); err != nil {
		return err
	}
	return a.close()
}

// copyDatabase copies the database as of one point in time, if there's space.
func copyDatabase(ctx context.Context, s Store, to string) error {
	d, err := db.Open(ctx, s.URL())
	if err != nil {
		return err
	}
	var size int64
	err = db.Get(ctx, d.Writer, &size, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`)
	if err == nil {
		err = checkSpace(filepath.Dir(to), size)
	}
	if err == nil {
		_, err = d.Writer.ExecContext(ctx, `VACUUM INTO ?`, to)
	}
	return errors.Join(err, d.Close())
}

// checkArchiveSpace checks the disk of the archive. If the copied database is on the same one, its free space already
// excludes that copy.
func checkArchiveSpace(ctx context.Context, dir, snapshot string, files blob.Store) error {
	const entrySize = 2 << 10 // enough for a file's header, padding and checksum
	info, err := os.Stat(snapshot)
	if err != nil {
		return err
	}
	size := info.Size() + entrySize
	for entry, err := range files.List(ctx, "") {
		if err != nil {
			return err
		}
		size += entry.Size + entrySize
	}
	return checkSpace(dir, size)
}

// archive is a backup in progress.
type archive struct {
	tar      *tar.Writer
	manifest manifest
}

func (a *archive) add(name string, size int64, r io.Reader) error {
	if err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: a.manifest.MadeAt}); err != nil {
		return err
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(a.tar, hash), r); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	a.manifest.SHA256[name] = hex.EncodeToString(hash.Sum(nil)) // the manifest can't have its own hash
	return nil
}

func (a *archive) addDatabase(snapshot string) error {
	database, err := os.Open(snapshot)
	if err != nil {
		return err
	}
	defer database.Close()
	info, err := database.Stat()
	if err != nil {
		return err
	}
	return a.add(backupDatabase, info.Size(), database)
}

func (a *archive) addFiles(ctx context.Context, files blob.Store) error {
	for entry, err := range files.List(ctx, "") {
		if err != nil {
			return err
		}
		if slices.Contains(notBackedUp, entry.Key) {
			continue
		}
		f, err := files.Open(ctx, entry.Key)
		if errors.Is(err, blob.ErrNotFound) {
			continue // a file without a row can be removed at any time
		}
		if err != nil {
			return err
		}
		if err := errors.Join(a.add(backupFiles+entry.Key, f.Size, f), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// close finishes the archive with the manifest.
func (a *archive) close() error {
	content, err := json.MarshalIndent(a.manifest, "", "  ")
	if err != nil {
		return err
	}
	if err := a.add(backupManifest, int64(len(content)), bytes.NewReader(content)); err != nil {
		return err
	}
	return a.tar.Close()
}

// Restore restores a backup into an empty data directory. It verifies the whole backup before
// placing any data. An interrupted restore can be restarted, and nothing opens the database
// until it's complete. The disk needs space for size bytes.
func Restore(ctx context.Context, s Store, blobURL string, in io.Reader, size int64) (restored int, err error) {
	target, isFile := db.Path(s.URL())
	if !isFile {
		return 0, errEmbeddedOnly
	}
	release, err := db.LockDatabase(s.URL())
	if err != nil {
		return 0, err
	}
	defer release() //nolint:errcheck // the program's end does it too
	mark := db.RestoreMarker(target)
	_, err = os.Stat(mark)
	again, placing := err == nil, false
	if !again {
		if err := s.checkEmpty(target, blobURL); err != nil {
			return 0, err
		}
		if err := fileperm.CreateFile(slog.Default(), mark); err != nil {
			return 0, err
		}
	}
	defer func() {
		if err == nil || !again && !placing { // otherwise some of it is already in place
			err = errors.Join(err, os.Remove(mark))
		}
	}()
	folder, err := tempdir.Open(filepath.Join(filepath.Dir(target), "tmp"))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if err := checkSpace(folder.Path, size); err != nil {
		return 0, err
	}
	unpacked, err := blob.Open(ctx, "", folder.Path)
	if err != nil {
		return 0, err
	}
	names, err := unpack(ctx, in, unpacked)
	if err != nil {
		return 0, err
	}
	files, err := blob.Open(ctx, blobURL, filepath.Join(s.Data, "files"))
	if err != nil {
		return 0, err
	}
	placing = true
	for _, name := range names {
		key, isFile := strings.CutPrefix(name, backupFiles)
		if !isFile {
			continue
		}
		f, err := unpacked.Open(ctx, name)
		if err != nil {
			return 0, err
		}
		if err := errors.Join(blob.Copy(ctx, files, key, f), f.Close(), unpacked.Delete(ctx, name)); err != nil {
			return 0, err
		}
		restored++
	}
	return restored, os.Rename(filepath.Join(folder.Path, backupDatabase), target)
}

// checkEmpty returns an error if a database, its logs or files already exist at the target.
func (s Store) checkEmpty(database, blobURL string) error {
	for _, name := range slices.Concat([]string{database}, db.Companions(database)) {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s already exists; restore to an empty directory", name)
		}
	}
	files := filepath.Join(s.Data, "files")
	left, err := os.ReadDir(files)
	if blobURL == "" && len(left) > 0 {
		return fmt.Errorf("%s already contains files; restore to an empty directory", files)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// unpack writes a backup to a directory and verifies that it's complete.
func unpack(ctx context.Context, in io.Reader, into blob.Store) (names []string, err error) {
	broken := func(why string) error { return fmt.Errorf("the backup is incomplete: %s", why) }
	archive := tar.NewReader(in)
	sums := map[string]string{}
	var listed *manifest
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, broken(err.Error())
		}
		if h.Name == backupManifest {
			listed = &manifest{}
			if err := json.NewDecoder(io.LimitReader(archive, 1<<30)).Decode(listed); err != nil {
				return nil, broken(err.Error())
			}
			continue
		}
		if h.Typeflag != tar.TypeReg || h.Name != backupDatabase && !strings.HasPrefix(h.Name, backupFiles) ||
			path.Clean(h.Name) != h.Name {
			return nil, broken("unexpected content")
		}
		hash := sha256.New()
		if err := blob.Copy(ctx, into, h.Name, io.TeeReader(archive, hash)); err != nil {
			return nil, broken(err.Error())
		}
		sums[h.Name] = hex.EncodeToString(hash.Sum(nil))
		names = append(names, h.Name)
	}
	if listed == nil {
		return nil, broken("the end is missing")
	}
	for name, sum := range listed.SHA256 {
		if sums[name] != sum {
			return nil, broken(name + " doesn't match the backup")
		}
	}
	if len(sums) != len(listed.SHA256) || sums[backupDatabase] == "" {
		return nil, broken("files are missing or unexpected")
	}
	return names, nil
}
