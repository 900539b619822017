package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/text"
)

type backupCmd struct {
	app.Store
	BlobURL string `env:"WCPP_BLOB_URL" placeholder:"URL" help:"Blob storage URL (same as for serve)."`
	File    string `arg:"" help:"Archive to write (tar). Contains secrets, so protect it."`
}

func (backupCmd) Help() string {
	return `Copies the embedded database and all files at one point in time, while the portal is serving.

Examples:
  wcpp backup --data /var/lib/wcpp /backup/wcpp-$(date +%F).tar`
}

func (c *backupCmd) Run(ctx context.Context) (err error) {
	if err := c.CheckExists(); err != nil { // before any file is created there
		return err
	}
	clean, err := c.UseTempDir()
	if err != nil {
		return err
	}
	defer clean()
	// The archive gets its final name only when it's complete.
	unfinished := c.File + ".unfinished"
	out, err := os.OpenFile(unfinished, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, fileperm.File)
	if err != nil {
		return err
	}
	if err := out.Chmod(fileperm.File); err != nil { // a file left by an earlier interruption can be readable by others
		return errors.Join(err, out.Close())
	}
	err = app.Backup(ctx, c.Store, c.BlobURL, out, time.Now())
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(unfinished, c.File)
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	fmt.Println("backed up to", c.File)
	return nil
}

type restoreCmd struct {
	app.Store
	BlobURL string `env:"WCPP_BLOB_URL" placeholder:"URL" help:"Blob storage URL (same as for serve)."`
	File    string `arg:"" help:"Archive created by wcpp backup."`
}

func (restoreCmd) Help() string {
	return `Checks that a backup is complete, then restores it to an empty data directory.

Examples:
  wcpp restore --data /var/lib/wcpp-new /backup/wcpp-2026-11-21.tar`
}

func (c *restoreCmd) Run(ctx context.Context) error {
	in, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	files, err := app.Restore(ctx, c.Store, c.BlobURL, in, info.Size())
	if err == nil {
		fmt.Printf("restored the database and %s\n", text.FormatCount(files, "file", "files"))
	}
	return err
}
