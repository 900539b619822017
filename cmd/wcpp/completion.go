package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wcpp/internal/platform/settings"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `Prints a script that completes commands, flags and their values.

Examples:
  source <(wcpp completion bash)          # or save as /usr/share/bash-completion/completions/wcpp
  wcpp completion zsh > "${fpath[1]}/_wcpp"
  wcpp completion fish > ~/.config/fish/completions/wcpp.fish`
}

// The scripts call the program itself, so completions match its version. If it returns none, the
// shell completes filenames.
var completions = map[string]string{
	"bash": `_wcpp() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]#=}"))
}
complete -o default -F _wcpp wcpp
`,
	"zsh": `#compdef wcpp
_wcpp() {
  local -a offered
  offered=(${(f)"$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#offered )); then compadd -a offered; else _files; fi
}
if [[ $funcstack[1] = _wcpp ]]; then _wcpp "$@"; else compdef _wcpp wcpp; fi
`,
	"fish": `complete -c wcpp -a '(set -l said (commandline -opc); $said[1] complete -- $said[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

func (c *completionCmd) Run(context.Context) error {
	fmt.Print(completions[c.Shell])
	return nil
}

// newCompleteCommand creates the command that the scripts call. Its arguments are the words after wcpp,
// including the incomplete last one.
func newCompleteCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{Use: "complete", Hidden: true, DisableFlagParsing: true, Run: func(_ *cobra.Command, words []string) {
		for _, word := range listCompletions(root, words[min(1, len(words)):]) { // after --
			fmt.Println(word)
		}
	}}
}

// listCompletions returns completions for the last word: commands, flags of the named commands, and known
// values of a flag or argument.
func listCompletions(at *cobra.Command, words []string) []string {
	// Bash splits words at equal signs.
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "=" })
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	var asks *pflag.Flag // the flag that expects a value
	for _, word := range words[:len(words)-1] {
		if asks != nil {
			asks = nil
			continue
		}
		if name, is := strings.CutPrefix(word, "--"); is {
			if f := at.Flag(name); f != nil && f.NoOptDefVal == "" {
				asks = f
			}
			continue
		}
		if n := slices.IndexFunc(at.Commands(), func(child *cobra.Command) bool { return child.Name() == word }); n >= 0 {
			at = at.Commands()[n]
		}
	}
	var offered []string
	switch {
	case asks != nil:
		if f, knows := asks.Value.(*settings.Field); knows {
			offered = slices.Clone(f.Enum)
		}
	case strings.HasPrefix(last, "-"):
		for _, flags := range []*pflag.FlagSet{at.LocalFlags(), at.InheritedFlags()} {
			flags.VisitAll(func(f *pflag.Flag) { offered = append(offered, "--"+f.Name) })
		}
	default:
		for _, child := range at.Commands() {
			if child.IsAvailableCommand() {
				offered = append(offered, child.Name())
			}
		}
		offered = append(offered, at.ValidArgs...)
	}
	return slices.DeleteFunc(offered, func(word string) bool { return !strings.HasPrefix(word, last) })
}
