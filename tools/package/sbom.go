package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes the bill of materials (CycloneDX 1.6) of the programs in binaries: the Go
// modules in their build information, and the packages in the application. SOURCE_DATE_EPOCH
// sets its timestamp.
func writeSBOM(out io.Writer, version string, binaries []string, parts []part) error {
	components := map[string]cyclonedx.Component{}
	known := map[string]part{}
	for _, p := range parts {
		known[p.Kind+" "+p.Name] = p
		if p.Kind == "npm" {
			c := component(p)
			components[c.BOMRef] = c
		}
	}
	for _, binary := range binaries {
		info, err := buildinfo.ReadFile(binary)
		if err != nil {
			return err
		}
		sums := map[string]string{"std": ""}
		for _, m := range info.Deps {
			if m.Replace != nil && isOwn(m.Replace.Path) {
				continue
			}
			if m.Replace != nil {
				return fmt.Errorf("%s: %s is replaced: the bill of materials knows no such", binary, m.Path)
			}
			sums[m.Path] = m.Sum
			if p := known["golang "+m.Path]; p.Version != m.Version {
				return fmt.Errorf("%s carries %s %s, the notices have %q of it: build the application and the program anew", binary, m.Path,
					m.Version, p.Version)
			}
		}
		for path, sum := range sums {
			c := component(known["golang "+path])
			if content, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:")); sum != "" && err == nil {
				c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(content)}}
			}
			components[c.BOMRef] = c
		}
	}
	bom := cyclonedx.NewBOM()
	epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: time.Unix(epoch, 0).UTC().Format(time.RFC3339),
		Component: &cyclonedx.Component{BOMRef: "wcpp", Type: cyclonedx.ComponentTypeApplication, Name: "wcpp", Version: version},
	}
	var list []cyclonedx.Component
	for _, ref := range slices.Sorted(maps.Keys(components)) {
		list = append(list, components[ref])
	}
	bom.Components = &list
	return cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}

func component(p part) cyclonedx.Component {
	// A package URL writes the at sign of a scope as %40.
	url := "pkg:" + p.Kind + "/" + strings.Replace(p.Name, "@", "%40", 1) + "@" + p.Version
	return cyclonedx.Component{
		BOMRef: url, PackageURL: url, Type: cyclonedx.ComponentTypeLibrary, Scope: cyclonedx.ScopeRequired,
		Name: p.Name, Version: p.Version, Licenses: &cyclonedx.Licenses{{Expression: p.Licence}},
	}
}
