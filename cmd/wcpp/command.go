package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wcpp/internal/platform/settings"
)

// runner is a command. Its struct fields are its flags and arguments.
type runner interface {
	Run(ctx context.Context) error
}

// usageError is a command-line error.
type usageError struct {
	command string
	err     error
}

func (m usageError) Error() string { return m.err.Error() }
func (m usageError) Unwrap() error { return m.err }

// configFile is the --config flag that all commands have. It's read after the flags are parsed.
type configFile string

func (c *configFile) Set(name string) error { *c = configFile(name); return nil }
func (c *configFile) String() string        { return "" }
func (c *configFile) Type() string          { return "FILE" }

// argumentsOf annotates a command with its arguments for the help text.
const argumentsOf = "arguments"

// newCommand creates a runnable command.
func newCommand(name, short string, file *configFile, r runner) *cobra.Command {
	fields := settings.ListFields(r)
	cmd := &cobra.Command{Use: name, Short: short, Long: short, SilenceErrors: true, SilenceUsage: true, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs, Annotations: map[string]string{}}
	if r, explains := r.(interface{ Help() string }); explains {
		cmd.Long += "\n\n" + r.Help()
	}
	cmd.Flags().SortFlags = false
	for _, f := range fields {
		switch {
		case f.Argument:
			name := "<" + f.Name + ">"
			if f.IsList() {
				name += " ..."
			}
			cmd.Use += " " + name
			cmd.Annotations[argumentsOf] += fmt.Sprintf("  %-20s  %s\n", name, f.Help)
			cmd.ValidArgs = append(cmd.ValidArgs, f.Enum...)
		default:
			if f.Required {
				cmd.Use += " --" + f.Name + "=" + f.Type()
			}
			flag := cmd.Flags().VarPF(f, f.Name, "", formatUsage(f))
			if f.IsBool() {
				flag.NoOptDefVal = "true"
			}
		}
	}
	cmd.SetFlagErrorFunc(asUsageError)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		known, err := readSettings(*file, cmd.Root())
		if err == nil {
			err = resolve(fields, known, args)
		}
		if err == nil {
			if r, checks := r.(interface{ Validate() error }); checks {
				err = r.Validate()
			}
		}
		if err != nil {
			return asUsageError(cmd, err)
		}
		return r.Run(cmd.Context())
	}
	return cmd
}

func asUsageError(cmd *cobra.Command, err error) error {
	return usageError{cmd.CommandPath(), err}
}

// newGroup creates a command with subcommands.
func newGroup(name, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Long: short, Args: cobra.ArbitraryArgs, RunE: requireSubcommand, SilenceErrors: true,
		SilenceUsage: true, DisableFlagsInUseLine: true}
	cmd.SetFlagErrorFunc(asUsageError)
	cmd.AddCommand(children...)
	return cmd
}

func requireSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return asUsageError(cmd, fmt.Errorf("unknown command %q", args[0]))
	}
	var names []string
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name())
		}
	}
	return asUsageError(cmd, errors.New("missing command; use one of "+strings.Join(names, ", ")))
}

// resolve sets fields from the command line, environment variables and the config file.
func resolve(fields []*settings.Field, file map[string]string, args []string) error {
	exclusive := map[string]string{}
	var missing []string
	for _, f := range fields {
		var err error
		switch {
		case f.Argument && f.IsList():
			for _, arg := range args {
				err = errors.Join(err, f.Set(arg))
			}
			args = nil
		case f.Argument && len(args) > 0:
			if err = f.Set(args[0]); err != nil {
				err = fmt.Errorf("<%s> %w, got %q", f.Name, err, args[0])
			}
			args = args[1:]
		default:
			err = f.Resolve(file)
		}
		if err != nil {
			return err
		}
		if f.Given && f.Exclusive != "" {
			if other, given := exclusive[f.Exclusive]; given {
				return fmt.Errorf("--%s and --%s can't be used together", other, f.Name)
			}
			exclusive[f.Exclusive] = f.Name
		}
		if !f.Given && f.Argument {
			missing = append(missing, "<"+f.Name+">")
		} else if !f.Given && f.Required {
			missing = append(missing, "--"+f.Name)
		}
	}
	switch {
	case len(missing) > 0:
		return errors.New("missing: " + strings.Join(missing, ", "))
	case len(args) > 0:
		return errors.New("unexpected argument " + args[0])
	}
	return nil
}

// formatUsage describes a flag with its variable and default.
func formatUsage(f *settings.Field) string {
	var also []string
	if f.Env != "" {
		also = append(also, "$"+f.Env)
	}
	if f.Default != "" {
		also = append(also, "default: "+f.Default)
	}
	if also == nil {
		return f.Help
	}
	return f.Help + " (" + strings.Join(also, ", ") + ")"
}

// newHelpCommand creates the help command, which prints the same as --help.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Hidden: true, RunE: func(_ *cobra.Command, args []string) error {
		asked, left, err := root.Find(args)
		if err != nil || len(left) > 0 {
			return asUsageError(root, fmt.Errorf("unknown command %q", strings.Join(args, " ")))
		}
		return asked.Help()
	}}
}

// formatHelp describes a command with its flags and arguments.
func formatHelp(cmd *cobra.Command) string {
	const columns = 100
	var b strings.Builder
	use := cmd.UseLine()
	if cmd.HasSubCommands() {
		use += " <command>"
	}
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", use, strings.TrimSpace(cmd.Long))
	if arguments := cmd.Annotations[argumentsOf]; arguments != "" {
		b.WriteString("\nArguments:\n" + arguments)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.AddFlagSet(cmd.LocalFlags())
	flags.AddFlagSet(cmd.InheritedFlags())
	b.WriteString("\nFlags:\n" + flags.FlagUsagesWrapped(columns))
	if cmd.HasSubCommands() {
		b.WriteString("\nCommands:\n" + listCommands(cmd, ""))
		fmt.Fprintf(&b, "\nRun \"%s <command> --help\" for details about a command.\n", cmd.CommandPath())
	}
	return b.String()
}

func listCommands(cmd *cobra.Command, under string) string {
	var b strings.Builder
	for _, child := range cmd.Commands() {
		switch {
		case child.HasSubCommands():
			b.WriteString(listCommands(child, under+child.Name()+" "))
		case child.IsAvailableCommand():
			fmt.Fprintf(&b, "  %-20s  %s\n", under+child.Name(), child.Short)
		}
	}
	return b.String()
}
