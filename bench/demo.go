package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// demo measures the program as a new user sees it.
func (b *bench) demo(ctx context.Context) error {
	p, err := b.start(ctx, "demo", "--data", filepath.Join(b.dir, "demo"))
	if err != nil {
		return err
	}
	b.table.add("demo, empty directory to ready", fmt.Sprintf("%.1f s", p.ready.Seconds()), "", "", "< 5 s", p.ready < 5*time.Second)
	time.Sleep(10 * time.Second) // wait until startup memory is released
	held, err := p.resident()
	if err != nil {
		return err
	}
	b.table.add("demo, idle, resident memory", megabytes(held), "", "", "< 150 MB", held < 150e6)
	if err := p.stop(); err != nil {
		return err
	}
	info, err := os.Stat(b.program)
	if err != nil {
		return err
	}
	b.table.add("the program, one file", megabytes(info.Size()), "", "", "< 60 MB", info.Size() < 60e6)
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }
