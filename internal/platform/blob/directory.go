package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"time"

	"wcpp/internal/platform/fileperm"
)

// directory stores each file under its key. Files outside can't be reached.
type directory struct{ root *os.Root }

// Files in progress are in this folder until they are complete.
const unfinished = ".unfinished"

func openDirectory(dir string) (Store, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open file directory: %w", err)
	}
	d := &directory{root}
	if err := root.MkdirAll(unfinished, 0o700); errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("the account %s can't write to the directory %s: %w", fileperm.FindName(os.Geteuid()), dir, err)
	} else if err != nil {
		return nil, fmt.Errorf("open file directory: %w", err)
	}
	return d, d.removeUnfinished()
}

// removeUnfinished removes unfinished files after a crash.
func (d *directory) removeUnfinished() error {
	left, err := fs.ReadDir(d.root.FS(), unfinished)
	for _, entry := range left {
		info, gone := entry.Info()
		if gone == nil && time.Since(info.ModTime()) > 24*time.Hour {
			err = errors.Join(err, d.root.Remove(path.Join(unfinished, entry.Name())))
		}
	}
	return err
}

func (d *directory) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	name := path.Join(unfinished, rand.Text())
	f, err := d.root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close(), ctx.Err()); err == nil {
		err = d.finish(name, key)
	}
	if err != nil {
		return errors.Join(err, d.root.Remove(name))
	}
	return nil
}

// finish gives a complete file its key, in a way that survives a crash of the machine.
func (d *directory) finish(name, key string) error {
	if err := d.root.MkdirAll(path.Dir(key), 0o700); err != nil {
		return err
	}
	if err := d.root.Rename(name, key); err != nil {
		return err
	}
	return d.sync(path.Dir(key))
}

// sync flushes the directory's file names to disk.
func (d *directory) sync(dir string) error {
	f, err := d.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *directory) Move(_ context.Context, from, to string) error {
	err := d.finish(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	return d.sync(path.Dir(from))
}

func (d *directory) Open(_ context.Context, key string) (*File, error) {
	f, err := d.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotFound
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &File{f, info.Size(), info.ModTime()}, nil
}

func (d *directory) Delete(_ context.Context, key string) error {
	if err := d.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d *directory) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		start := "."
		if i := strings.LastIndexByte(prefix, '/'); i > 0 {
			start = prefix[:i]
		}
		err := fs.WalkDir(d.root.FS(), start, func(key string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // removed by another process
			case err != nil || ctx.Err() != nil:
				return errors.Join(err, ctx.Err())
			case key == unfinished:
				return fs.SkipDir
			case !entry.Type().IsRegular() || !strings.HasPrefix(key, prefix):
				return nil
			}
			info, err := entry.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && !yield(Entry{key, info.Size(), info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield(Entry{}, err)
		}
	}
}
