package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"wcpp/internal/app"
)

// lighthouse runs Lighthouse on four demo screens with a slow phone, and measures a keystroke in
// a filter. It's skipped if the browser tests aren't installed.
func (b *bench) lighthouse(ctx context.Context) error {
	if _, err := os.Stat("e2e/node_modules/lighthouse"); err != nil {
		say("Lighthouse is left out: make test-e2e installs it")
		return nil
	}
	p, err := b.start(ctx, "demo", "--data", filepath.Join(b.dir, "lighthouse"))
	if err != nil {
		return err
	}
	defer p.stop() //nolint:errcheck // its figures are taken
	var key struct{ Keys, Median, Slow, Rows float64 }
	if err := p.browse(ctx, "bench/keystroke.mjs", &key); err != nil {
		return err
	}
	b.table.add("a letter in a filter of 5,000 bills, 25 shown, until it is painted",
		fmt.Sprintf("%.0f ms, 95 of 100 within %.0f ms", key.Median, key.Slow),
		fmt.Sprintf("%.0f ms until its rows are", key.Rows), "", "< 16 ms", key.Median < 16)
	type scores struct {
		Performance   int `json:"performance"`
		Accessibility int `json:"accessibility"`
		BestPractices int `json:"best-practices"`
	}
	var found struct{ SignIn, BillSearch, OpenBills, BillPage scores }
	if err := p.browse(ctx, "bench/lighthouse.mjs", &found, strconv.Itoa(max(b.rounds, 5))); err != nil {
		return err
	}
	for _, screen := range []struct {
		name string
		scores
		goal int
	}{{"sign-in", found.SignIn, 98}, {"bill search", found.BillSearch, 95}, {"open bills", found.OpenBills, 95},
		{"the page of a bill", found.BillPage, 95}} {
		b.table.add("Lighthouse, mobile, "+screen.name+": performance", fmt.Sprint(screen.Performance), "", "",
			fmt.Sprintf("≥ %d", screen.goal), screen.Performance >= screen.goal)
		b.table.add("Lighthouse, mobile, "+screen.name+": accessibility, best practices",
			fmt.Sprintf("%d, %d", screen.Accessibility, screen.BestPractices), "", "", "100, 100",
			screen.Accessibility == 100 && screen.BestPractices == 100)
	}
	return nil
}

// browse runs a browser script against the demo as a demo user and parses its result.
func (p *portal) browse(ctx context.Context, script string, found any, args ...string) error {
	// Browsers accept the secure session cookie on localhost, but not on its IP address.
	url := strings.Replace(p.url, "127.0.0.1", "localhost", 1)
	var said, complaints bytes.Buffer
	command := exec.CommandContext(ctx, "node", append([]string{script, url, "prad.demo", app.DemoPassword}, args...)...)
	command.Stdout, command.Stderr = &said, &complaints
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", script, err, complaints.Bytes())
	}
	return json.Unmarshal(said.Bytes(), found)
}
