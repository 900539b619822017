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
	return `Looks at settings, data directory, database, storage, mail relay, sign-on, folders, the systems that are asked, clocks and
certificate, and says what to do. It changes nothing; into storage and folders it puts a small file and removes it. Run it
with the settings, and as the account, of serve. It ends with 1 where something is wrong, else with 0.

Examples:
  wcpp doctor --config /etc/wcpp/wcpp.yaml
  runuser -u wcpp -- wcpp doctor --data /var/lib/wcpp --public-url https://portal.example`
}

func (c *doctorCmd) Run(ctx context.Context) error {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) // each fault has its line
	ill := false
	doctor.Examine(ctx, c.Config, string(*c.file), unknownVariables(), time.Now, func(f doctor.Finding) {
		fmt.Println(f)
		ill = ill || f.State == doctor.Wrong
	})
	if ill {
		return exitIll
	}
	return nil
}
