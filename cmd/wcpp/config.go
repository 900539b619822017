package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"wcpp/internal/platform/settings"
)

// settingsOf reads a YAML file of settings: keys are the flags of settings without their
// dashes, for whatever command; values are written as behind the flag, or as a list. It
// refuses names that are no setting, as of a slip of the pen.
func settingsOf(file configFile, root *cobra.Command) (map[string]string, error) {
	if file == "" {
		return nil, nil
	}
	r, err := os.Open(string(file))
	if err != nil {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	defer r.Close()
	var whole yaml.Node
	if err := yaml.NewDecoder(r).Decode(&whole); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	nodes, err := pairs(whole)
	if err != nil {
		return nil, fmt.Errorf("settings file, %w", err)
	}
	values, known := map[string]string{}, settingsAmong(root)
	var unknown []string
	for name, node := range nodes {
		value, err := written(node)
		if err != nil {
			return nil, fmt.Errorf("settings file, line %d: %s: %w", node.Line, name, err)
		}
		if !known[name] {
			unknown = append(unknown, name)
		}
		if value != "" {
			values[name] = value
		}
	}
	if len(unknown) == 0 {
		return values, nil
	}
	slices.Sort(unknown)
	return nil, fmt.Errorf("settings file: unknown settings (%s); for valid names, see wcpp serve --help", strings.Join(unknown, ", "))
}

// pairs are the names of a file and what stands behind each. What is wrong is told by its
// line: the library's own words would quote what may be a secret.
func pairs(whole yaml.Node) (map[string]yaml.Node, error) {
	nodes := map[string]yaml.Node{}
	if len(whole.Content) == 0 || whole.Content[0].Tag == "!!null" { // nothing but remarks
		return nodes, nil
	}
	top := whole.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: use the form NAME: VALUE", top.Line)
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		name, value := top.Content[i], top.Content[i+1]
		if _, twice := nodes[name.Value]; twice {
			return nil, fmt.Errorf("line %d: duplicate name", name.Line)
		}
		if name.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: use the form NAME: VALUE", name.Line)
		}
		nodes[name.Value] = *value
	}
	return nodes, nil
}

// written is a value as a flag has it: its letters, so that 012345678 stays a TIN.
func written(node yaml.Node) (string, error) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!null":
		return "", nil
	case node.Kind == yaml.ScalarNode:
		return node.Value, nil
	case node.Kind == yaml.SequenceNode:
		var items []string
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return "", errors.New("a list can contain only values")
			}
			items = append(items, item.Value)
		}
		return strings.Join(items, ","), nil
	}
	return "", errors.New("must be a value or a list of values")
}

// unknownVariables names the variables that are meant for the portal, as they are named
// like its own, and that are none: of a slip of the pen nothing else would tell.
func unknownVariables() (names []string) {
	known := variablesAmong(commands())
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "WCPP_") && !known[name] && !ownTools(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ownTools tells the variables of the tests and of the tools that run them.
func ownTools(name string) bool {
	return strings.HasPrefix(name, "WCPP_TEST_") || strings.HasPrefix(name, "WCPP_PG_") || name == "WCPP_SAMPLE_DATA"
}

// variablesAmong names the variables of all commands.
func variablesAmong(cmd *cobra.Command) map[string]bool {
	names := map[string]bool{}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if f, is := flag.Value.(*settings.Field); is && f.Env != "" {
			names[f.Env] = true
		}
	})
	for _, child := range cmd.Commands() {
		maps.Copy(names, variablesAmong(child))
	}
	return names
}

// settingsAmong names the flags of all commands that have a variable: the others say what
// a command does now.
func settingsAmong(cmd *cobra.Command) map[string]bool {
	names := map[string]bool{}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if f, is := flag.Value.(*settings.Field); is && f.Env != "" {
			names[flag.Name] = true
		}
	})
	for _, child := range cmd.Commands() {
		maps.Copy(names, settingsAmong(child))
	}
	return names
}
