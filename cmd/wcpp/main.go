// Command wcpp is the provider portal: server, feeds and administration in one program.
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
	_ "golang.org/x/crypto/x509roots/fallback" // a minimal container has no CA certificates

	"wcpp/internal/app"
	"wcpp/internal/platform/db"
)

// exit has a command's own exit code.
type exit int

const exitFailed exit = 2

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() { os.Exit(run()) }

// run returns the exit code: 0 for success, 1 for a command-line error, 2 for a failure, or the
// command's own code.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRootCommand().ExecuteContext(ctx)
	var code exit
	var misused usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &misused):
		fmt.Fprintf(os.Stderr, "wcpp: error: %v\nRun \"%s --help\" for usage.\n", err, misused.command)
		// These commands use 1 for rejected rows, a changed audit log and a wrong setting.
		for _, own := range []string{"wcpp import", "wcpp audit", "wcpp doctor"} {
			if strings.HasPrefix(misused.command, own) {
				return exitUsage
			}
		}
		return 1
	}
	fmt.Fprintln(os.Stderr, "wcpp:", describeFailure(err))
	return int(exitFailed)
}

// describeFailure adds what to do about a full disk, because SQLite reports it as an I/O error.
func describeFailure(err error) string {
	if db.IsStorageFault(err) {
		return err.Error() + "\nwcpp: the disk is full or failing; free some space, then try again"
	}
	return err.Error()
}

// newRootCommand returns the root command with all commands.
func newRootCommand() *cobra.Command {
	cobra.EnableCommandSorting = false
	file := new(configFile)
	root := newGroup("wcpp", "Provider portal server and tools.",
		newCommand("serve", "Start the portal.", file, &serveCmd{}),
		newCommand("demo", "Start a demo portal with sample data.", file, &demoCmd{}),
		newCommand("migrate", "Run database migrations.", file, &migrateCmd{}),
		newGroup("import", "Import bills, payments, claims, users, groups, TINs and providers.",
			newCommand("x12", "Import X12 files (837 claims and 835 payments).", file, &importX12Cmd{}),
			newCommand("csv", "Import a CSV file.", file, &importCSVCmd{}),
			newCommand("nppes", "Import an NPPES file.", file, &importNPPESCmd{}),
			newCommand("documents", "Import bill documents from archives or folders.", file, &importDocumentsCmd{}),
		),
		newCommand("backup", "Back up the embedded database and all files.", file, &backupCmd{}),
		newCommand("restore", "Restore a backup to an empty data directory.", file, &restoreCmd{}),
		newCommand("doctor", "Check the configuration and suggest fixes.", file, &doctorCmd{file: file}),
		newGroup("user", "Manage user accounts.",
			newCommand("add", "Create an account, such as the first administrator.", file, &userAddCmd{}),
			newCommand("link", "Print a new registration link for an account.", file, &userLinkCmd{}),
			newCommand("reset-factors", "Remove an account's two-step verification methods.", file, &userResetFactorsCmd{}),
		),
		newGroup("audit", "Verify and prune the audit log.",
			newCommand("verify", "Verify the audit log's signatures.", file, &auditVerifyCmd{}),
			newCommand("key", "Print the audit log's public key.", file, &auditKeyCmd{}),
			newCommand("prune", "Delete audit entries past their retention period.", file, &auditPruneCmd{}),
		),
		newCommand("openapi", "Print the API description (OpenAPI 3.1).", file, &openapiCmd{}),
		newCommand("ready", "Check whether the local portal is ready.", file, &readyCmd{}),
		newCommand("notices", "Print third-party license notices.", file, &noticesCmd{}),
		newCommand("completion", "Print a shell completion script.", file, &completionCmd{}),
	)
	root.Long = root.Short + "\n\nYou can also set each setting as an environment variable (WCPP_...) or in a file (--config). Flags " +
		"override variables, and variables override the file."
	root.PersistentFlags().Var(file, "config", "Settings file (YAML) with flag names as keys.")
	root.PersistentFlags().BoolP("help", "h", false, "Show this help.")
	version := root.Flags().Bool("version", false, "Print the version.")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version || len(args) == 1 && args[0] == "version" {
			fmt.Println(app.Version)
			return nil
		}
		return requireSubcommand(cmd, args)
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelpCommand(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Print(formatHelp(cmd)) })
	root.AddCommand(newCompleteCommand(root))
	return root
}

// formatDuration formats a duration like 1m30s instead of nanoseconds.
func formatDuration(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}

func newLogger(level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(level))); err != nil {
		l = slog.LevelInfo
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: l, ReplaceAttr: formatDuration}))
	slog.SetDefault(log)
	return log
}
