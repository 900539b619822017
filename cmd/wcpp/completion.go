package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `Prints what the shell reads to complete commands, flags and their values.

Examples:
  source <(wcpp completion bash)          # or into /usr/share/bash-completion/completions/wcpp
  wcpp completion zsh > "${fpath[1]}/_wcpp"
  wcpp completion fish > ~/.config/fish/completions/wcpp.fish`
}

// The shells ask the program itself, so what they offer is of its version. Where it offers
// nothing they offer files.
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

func (c *completionCmd) Run() error {
	fmt.Print(completions[c.Shell])
	return nil
}

// completeCmd answers the scripts.
type completeCmd struct {
	Words []string `arg:"" optional:"" help:"The words behind wcpp; the last one is being written."`
}

func (c *completeCmd) Run(parser *kong.Kong) error {
	for _, word := range offers(parser.Model.Node, c.Words) {
		fmt.Println(word)
	}
	return nil
}

// offers are the words that the last one may become: commands, the flags of those that
// are named, and the values of a flag or argument that knows them.
func offers(at *kong.Node, words []string) []string {
	// bash parts words at equal signs.
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "=" })
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	flags := slices.Clone(at.Flags)
	var asks *kong.Flag // for its value
	for _, word := range words[:len(words)-1] {
		if asks != nil {
			asks = nil
			continue
		}
		if name, is := strings.CutPrefix(word, "--"); is {
			if n := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Name == name }); n >= 0 && !flags[n].IsBool() {
				asks = flags[n]
			}
			continue
		}
		if n := slices.IndexFunc(at.Children, func(child *kong.Node) bool { return child.Name == word }); n >= 0 {
			at = at.Children[n]
			flags = append(flags, at.Flags...)
		}
	}
	var offered []string
	switch {
	case asks != nil:
		offered = values(asks.Enum)
	case strings.HasPrefix(last, "-"):
		for _, f := range flags {
			if !f.Hidden {
				offered = append(offered, "--"+f.Name)
			}
		}
	default:
		for _, child := range at.Children {
			if !child.Hidden {
				offered = append(offered, child.Name)
			}
		}
		for _, argument := range at.Positional {
			offered = append(offered, values(argument.Enum)...)
		}
	}
	return slices.DeleteFunc(offered, func(word string) bool { return !strings.HasPrefix(word, last) })
}

func values(enum string) []string {
	if enum == "" {
		return nil
	}
	return strings.Split(enum, ",")
}
