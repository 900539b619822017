package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// settingsFile reads a YAML file of settings: keys are the flags of settings without their
// dashes, for whatever command; values are written as behind the flag, or as a list. A
// variable that is set wins over the file.
func settingsFile(r io.Reader) (kong.Resolver, error) {
	var nodes map[string]yaml.Node
	if err := yaml.NewDecoder(r).Decode(&nodes); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the file of settings: %w", err)
	}
	file := fileOfSettings{}
	for name, node := range nodes {
		value, err := written(node)
		if err != nil {
			return nil, fmt.Errorf("the file of settings, line %d: %s: %w", node.Line, name, err)
		}
		if value != "" {
			file[name] = value
		}
	}
	return file, nil
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
				return "", errors.New("a list holds values only")
			}
			items = append(items, item.Value)
		}
		return strings.Join(items, ","), nil
	}
	return "", errors.New("must be a value or a list of values")
}

type fileOfSettings map[string]string

// Validate refuses names that are no setting, as of a slip of the pen.
func (f fileOfSettings) Validate(app *kong.Application) error {
	known := map[string]bool{}
	var walk func(*kong.Node)
	walk = func(at *kong.Node) {
		for _, flag := range at.Flags {
			known[flag.Name] = known[flag.Name] || isSetting(flag)
		}
		for _, child := range at.Children {
			walk(child)
		}
	}
	walk(app.Node)
	var unknown []string
	for name := range f {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("the file of settings: %s: no such setting; names are those of the flags that wcpp serve --help lists", strings.Join(unknown, ", "))
}

// Resolve answers the file's value of a setting that neither flag nor variable gives.
func (f fileOfSettings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, is := f[flag.Name]
	if !is || !isSetting(flag) || os.Getenv(flag.Tag.Env) != "" {
		return nil, nil
	}
	return value, nil
}

// isSetting tells flags that have a variable from those that say what a command does now.
func isSetting(flag *kong.Flag) bool { return flag.Tag.Env != "" }
