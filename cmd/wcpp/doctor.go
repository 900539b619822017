package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/app/doctor"
)

const exitIll exit = 1

type doctorCmd struct {
	app.Config
	file *configFile
}

func (doctorCmd) Help() string {
	return `Checks settings, data directory, database, storage, mail server, sign-in, folders, connected systems, clocks and
certificate, and suggests fixes. It changes nothing: test files in storage and folders are deleted. Run it with the
settings and the account of serve. Exits with 1 if something is wrong, 64 if the command line is, otherwise 0.

Examples:
  wcpp doctor --config /etc/wcpp/wcpp.yaml
  runuser -u wcpp -- wcpp doctor --data /var/lib/wcpp --public-url https://portal.example`
}

func (c *doctorCmd) Run(ctx context.Context) error {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) // doctor prints its own line for each problem
	ill := false
	doctor.Examine(ctx, c.Config, string(*c.file), listUnknownVariables(), time.Now, func(f doctor.Finding) {
		fmt.Println(f)
		ill = ill || f.State == doctor.Wrong
	})
	if ill {
		return exitIll
	}
	return nil
}
