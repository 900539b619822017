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

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // a bare container has no certificates of its own

	"wcpp/internal/app"
)

// exit carries a command's own exit code.
type exit int

const exitFailed exit = 2

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() { os.Exit(run()) }

// run answers the exit code: 0 done, 1 the command line is wrong, 2 failed, or the
// command's own.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := commands().ExecuteContext(ctx)
	var code exit
	var misused misuse
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &misused):
		fmt.Fprintf(os.Stderr, "wcpp: error: %v\nRun \"%s --help\" for what it takes.\n", err, misused.command)
		// Of an import 1 tells that rows were rejected.
		if strings.HasPrefix(misused.command, "wcpp import") {
			return exitUsage
		}
		return 1
	}
	fmt.Fprintln(os.Stderr, "wcpp:", err)
	return int(exitFailed)
}

// commands is the table of all commands.
func commands() *cobra.Command {
	cobra.EnableCommandSorting = false
	file := new(configFile)
	root := group("wcpp", "The provider portal.",
		command("serve", "Serve the portal.", file, &serveCmd{}),
		command("demo", "Serve the portal with invented data; needs nothing else.", file, &demoCmd{}),
		command("migrate", "Bring the database up to date.", file, &migrateCmd{}),
		group("import", "Take files of bills, payments, claims, users, groups, TINs and providers.",
			command("x12", "Take X12 files: 837 claims, professional, institutional and dental, and 835 payments.", file, &importX12Cmd{}),
			command("csv", "Take a CSV table.", file, &importCSVCmd{}),
			command("nppes", "Take a file of the national provider registry.", file, &importNPPESCmd{}),
			command("documents", "Take documents of bills: an archive or a folder of scans.", file, &importDocumentsCmd{}),
		),
		command("backup", "Copy the embedded database and all files, also while the portal serves.", file, &backupCmd{}),
		command("restore", "Bring a backup into an empty data directory.", file, &restoreCmd{}),
		command("doctor", "Look whether the portal would run as it is set, and say what to do.", file, &doctorCmd{file: file}),
		group("user", "Administer accounts.",
			command("add", "Make an account, such as the first administrator's.", file, &userAddCmd{}),
			command("link", "Print the link by which a new account's owner finishes it once more.", file, &userLinkCmd{}),
			command("reset-factors", "Take the second factors of an account away, such as the last administrator's.", file, &userResetFactorsCmd{}),
		),
		group("audit", "Verify and prune the audit log.",
			command("verify", "Hold the audit log to its chain of signed segments.", file, &auditVerifyCmd{}),
			command("key", "Print the public half of the key that signs the audit log.", file, &auditKeyCmd{}),
			command("prune", "Remove audit entries whose time is over.", file, &auditPruneCmd{}),
		),
		command("openapi", "Print the description of every call (OpenAPI 3.1).", file, &openapiCmd{}),
		command("ready", "Ask the portal that serves here whether it is ready; for health checks.", file, &readyCmd{}),
		command("notices", "Print what others wrote and the program carries, with its licences.", file, &noticesCmd{}),
		command("completion", "Print what a shell completes commands with.", file, &completionCmd{}),
	)
	root.Long = root.Short + "\n\nEvery setting can also be given as a variable (WCPP_...) or in a file given with --config; a flag wins over a variable, a variable over the file."
	root.PersistentFlags().Var(file, "config", "YAML file of settings, named as the flags.")
	root.PersistentFlags().BoolP("help", "h", false, "Show this help.")
	version := root.Flags().Bool("version", false, "Print the version.")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version || len(args) == 1 && args[0] == "version" {
			fmt.Println(app.Version)
			return nil
		}
		return lacksCommand(cmd, args)
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(helping(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Print(help(cmd)) })
	root.AddCommand(completing(root))
	return root
}

// readable writes a duration as people do, 1m30s, in place of its nanoseconds.
func readable(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}

func logger(level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(level))); err != nil {
		l = slog.LevelInfo
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: l, ReplaceAttr: readable}))
	slog.SetDefault(log)
	return log
}
