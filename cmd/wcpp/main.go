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
	err := commands().ExecuteContext(ctx)
	var code exit
	var misused misuse
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &misused):
		fmt.Fprintf(os.Stderr, "wcpp: error: %v\nRun \"%s --help\" for usage.\n", err, misused.command)
		// For imports, 1 means that rows were rejected.
		if strings.HasPrefix(misused.command, "wcpp import") {
			return exitUsage
		}
		return 1
	}
	fmt.Fprintln(os.Stderr, "wcpp:", err)
	return int(exitFailed)
}

// commands returns the root command with all commands.
func commands() *cobra.Command {
	cobra.EnableCommandSorting = false
	file := new(configFile)
	root := group("wcpp", "Provider portal server and tools.",
		command("serve", "Start the portal.", file, &serveCmd{}),
		command("demo", "Start a demo portal with sample data.", file, &demoCmd{}),
		command("migrate", "Run database migrations.", file, &migrateCmd{}),
		group("import", "Import bills, payments, claims, users, groups, TINs and providers.",
			command("x12", "Import X12 files (837 claims and 835 payments).", file, &importX12Cmd{}),
			command("csv", "Import a CSV file.", file, &importCSVCmd{}),
			command("nppes", "Import an NPPES file.", file, &importNPPESCmd{}),
			command("documents", "Import bill documents from archives or folders.", file, &importDocumentsCmd{}),
		),
		command("backup", "Back up the embedded database and all files.", file, &backupCmd{}),
		command("restore", "Restore a backup to an empty data directory.", file, &restoreCmd{}),
		command("doctor", "Check the configuration and suggest fixes.", file, &doctorCmd{file: file}),
		group("user", "Manage user accounts.",
			command("add", "Create an account, such as the first administrator.", file, &userAddCmd{}),
			command("link", "Print a new registration link for an account.", file, &userLinkCmd{}),
			command("reset-factors", "Remove an account's two-step verification methods.", file, &userResetFactorsCmd{}),
		),
		group("audit", "Verify and prune the audit log.",
			command("verify", "Verify the audit log's signatures.", file, &auditVerifyCmd{}),
			command("key", "Print the audit log's public key.", file, &auditKeyCmd{}),
			command("prune", "Delete audit entries past their retention period.", file, &auditPruneCmd{}),
		),
		command("openapi", "Print the API description (OpenAPI 3.1).", file, &openapiCmd{}),
		command("ready", "Check whether the local portal is ready.", file, &readyCmd{}),
		command("notices", "Print third-party license notices.", file, &noticesCmd{}),
		command("completion", "Print a shell completion script.", file, &completionCmd{}),
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
		return lacksCommand(cmd, args)
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(helping(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Print(help(cmd)) })
	root.AddCommand(completing(root))
	return root
}

// readable formats a duration like 1m30s instead of nanoseconds.
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
