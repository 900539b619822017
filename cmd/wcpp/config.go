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

// readSettings reads a YAML settings file. Keys are flag names without dashes, for any command.
// Values are written as on the command line, or as a list. Unknown names are an error so that
// typos don't go unnoticed.
func readSettings(file configFile, root *cobra.Command) (map[string]string, error) {
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
	nodes, err := parsePairs(whole)
	if err != nil {
		return nil, fmt.Errorf("settings file, %w", err)
	}
	values, known := map[string]string{}, listSettings(root)
	var unknown []string
	for name, node := range nodes {
		value, err := formatValue(node)
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

// parsePairs returns a file's keys and values. Errors name only the line, because the library's
// messages quote values that can be secret.
func parsePairs(whole yaml.Node) (map[string]yaml.Node, error) {
	nodes := map[string]yaml.Node{}
	if len(whole.Content) == 0 || whole.Content[0].Tag == "!!null" { // only comments
		return nodes, nil
	}
	top := whole.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: use the form NAME: VALUE", top.Line)
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		name, value := top.Content[i], top.Content[i+1]
		if _, twice := nodes[name.Value]; twice {
			return nil, fmt.Errorf("line %d: duplicate name %s", name.Line, name.Value)
		}
		if name.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: use the form NAME: VALUE", name.Line)
		}
		nodes[name.Value] = *value
	}
	return nodes, nil
}

// formatValue returns a value as a flag expects it. It uses the source text, so that 012345678 stays
// a TIN.
func formatValue(node yaml.Node) (string, error) {
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

// listUnknownVariables returns environment variables with the portal's prefix that no setting uses.
// They're probably typos, which would otherwise go unnoticed.
func listUnknownVariables() (names []string) {
	known := listVariables(newRootCommand())
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "WCPP_") && !known[name] && !isToolVariable(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// isToolVariable reports whether a variable belongs to the tests or their tools.
func isToolVariable(name string) bool {
	return strings.HasPrefix(name, "WCPP_TEST_") || strings.HasPrefix(name, "WCPP_PG_") || name == "WCPP_SAMPLE_DATA"
}

// listVariables returns the environment variables that all commands use.
func listVariables(cmd *cobra.Command) map[string]bool {
	names := map[string]bool{}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if f, is := flag.Value.(*settings.Field); is && f.Env != "" {
			names[f.Env] = true
		}
	})
	for _, child := range cmd.Commands() {
		maps.Copy(names, listVariables(child))
	}
	return names
}

// listSettings returns the flags that also have a variable. The other flags apply to a single
// run only.
func listSettings(cmd *cobra.Command) map[string]bool {
	names := map[string]bool{}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if f, is := flag.Value.(*settings.Field); is && f.Env != "" {
			names[flag.Name] = true
		}
	})
	for _, child := range cmd.Commands() {
		maps.Copy(names, listSettings(child))
	}
	return names
}
