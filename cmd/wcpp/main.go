// Command wcpp is the provider portal: server, feeds and administration in one
// program.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	_ "golang.org/x/crypto/x509roots/fallback" // a bare container has no certificates of its own

	"wcpp/internal/app"
)

type commands struct {
	Serve   serveCmd   `cmd:"" help:"Serve the portal."`
	Demo    demoCmd    `cmd:"" help:"Serve the portal with invented data; needs nothing else."`
	Migrate migrateCmd `cmd:"" help:"Bring the database up to date."`
	Import  importCmd  `cmd:"" help:"Take files of bills, payments, claims, users, groups, TINs and providers."`
	Backup  backupCmd  `cmd:"" help:"Copy the embedded database and all files, also while the portal serves."`
	Restore restoreCmd `cmd:"" help:"Bring a backup into an empty data directory."`
	Doctor  doctorCmd  `cmd:"" help:"Look whether the portal would run as it is set, and say what to do."`
	User    userCmd    `cmd:"" help:"Administer accounts."`
	Audit   auditCmd   `cmd:"" help:"Verify and prune the audit log."`
	OpenAPI openapiCmd `cmd:"" name:"openapi" help:"Print the description of every call (OpenAPI 3.1)."`
	Ready   readyCmd   `cmd:"" help:"Ask the portal that serves here whether it is ready; for health checks."`
	Notices noticesCmd `cmd:"" help:"Print what others wrote and the program carries, with its licences."`

	Completion completionCmd `cmd:"" help:"Print what a shell completes commands with."`
	Complete   completeCmd   `cmd:"" hidden:""`

	Config  kong.ConfigFlag  `placeholder:"FILE" help:"YAML file of settings, named as the flags."`
	Version kong.VersionFlag `help:"Print the version."`
}

// exit carries a command's own exit code.
type exit int

const exitFailed exit = 2

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() { os.Exit(run()) }

// run answers the exit code: 0 done, 2 failed, or the command's own.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var cli commands
	parser, err := kong.New(&cli,
		kong.Name("wcpp"),
		kong.Description("The provider portal.\n\nEvery setting can also be given as a variable (WCPP_...) or in a file given with --config; a flag wins over a variable, a variable over the file."),
		kong.Configuration(settingsFile),
		kong.Vars{"version": app.Version, "kinds": strings.Join(app.FeedTables(), ", ")},
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(&cli),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Exit(func(code int) {
			// Of an import 1 tells that rows were rejected.
			if code != 0 && len(os.Args) > 1 && os.Args[1] == "import" {
				code = exitUsage
			}
			os.Exit(code)
		}),
	)
	if err != nil {
		panic(err)
	}
	kctx, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	err = kctx.Run(parser)
	var code exit
	switch {
	case errors.As(err, &code):
		return int(code)
	case err != nil:
		fmt.Fprintln(os.Stderr, "wcpp:", err)
		return int(exitFailed)
	}
	return 0
}

func logger(level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(level))); err != nil {
		l = slog.LevelInfo
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: l}))
	slog.SetDefault(log)
	return log
}
