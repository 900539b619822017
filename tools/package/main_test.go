package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mit = `MIT License

Copyright (c) 2026 Ada Moore

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

const gpl = `This program is free software: you can redistribute it and/or modify it under the terms of the GNU General
Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any
later version.`

const mpl = `This Source Code Form is subject to the terms of the Mozilla Public License,` +
	` v. 2.0. If a copy of the MPL was not distributed with this file, You can obtain one at http://mozilla.org/MPL/2.0/.`

func TestLicenceOf(t *testing.T) {
	for _, c := range []struct {
		name           string
		texts          []text
		want, complain string
	}{
		{"a.example/kind", []text{{"LICENSE", mit}, {"NOTICE", "Written by Ada."}}, "MIT", ""},
		{"a.example/none", nil, "", "has no license"},
		{"a.example/noticed", []text{{"NOTICE", mit}}, "", "has no license"},
		{"a.example/inside", []text{{"deep/LICENSE", mit}}, "", "has no license"},
		{"a.example/mostly", []text{{"LICENSE", mit + strings.Repeat(" But ask Ada before you sell it.", 40)}}, "", "has no license"},
		{"a.example/own", []text{{"LICENSE", "Ask Ada before you use it."}}, "", "unrecognized license"},
		{"a.example/copyleft", []text{{"LICENSE", gpl}}, "", "GPL"},
		{"a.example/partly", []text{{"LICENSE", mit}, {"deep/COPYING", gpl}}, "", "deep/COPYING names GPL"},
		{"a.example/mozilla", []text{{"LICENSE", mpl}}, "", "MPL-2.0"},
		{"github.com/riverqueue/river/rivertype", []text{{"LICENSE", mpl}}, "MPL-2.0", ""},
		{"github.com/riverqueue/riverbed", []text{{"LICENSE", mpl}}, "", "MPL-2.0"},
	} {
		got, err := licenceOf(part{Name: c.name, Texts: c.texts})
		if got != c.want || (err == nil) != (c.complain == "") || err != nil && !strings.Contains(err.Error(), c.complain) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestChoice(t *testing.T) {
	for licence, want := range map[string]string{
		"MIT": "MIT", "(MPL-2.0 OR Apache-2.0)": "Apache-2.0", "(MIT AND Zlib)": "MIT AND Zlib", "MIT OR SEE LICENSE IN FREE.md": "MIT",
		"": "", "UNLICENSED": "", "GPL-3.0-only": "", "MIT AND GPL-2.0-only": "", "((MIT) OR GPL-2.0-only)": "",
	} {
		if got := choice(licence); got != want {
			t.Errorf("%q: %q", licence, got)
		}
	}
}

func TestWebParts(t *testing.T) {
	for _, c := range []struct{ bundled, dependencies, complain string }{
		{`[{"name": "kind", "version": "1.0.0", "identifier": "ISC", "text": "Ada"}]`,
			`{"kind": "1.0.0", "@fontsource-variable/public-sans": "5"}`, ""},
		{`[{"name": "stern", "version": "1.0.0", "identifier": "AGPL-3.0-only"}]`, `{}`, "stern"},
		{`[{"name": "silent", "version": "1.0.0"}]`, `{}`, "silent"},
		{`[]`, `{"gone": "1.0.0"}`, "gone"},
	} {
		root := t.TempDir()
		for file, content := range map[string]string{
			"bundled.json": c.bundled, "package.json": `{"dependencies": ` + c.dependencies + `}`,
			"node_modules/@fontsource-variable/public-sans/package.json": `{"version": "5.0.0", "license": "OFL-1.1"}`,
		} {
			path := filepath.Join(root, "web", file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		parts, err := webParts(root)
		if c.complain == "" && (err != nil || len(parts) != 2) || c.complain != "" &&
			(err == nil || !strings.Contains(err.Error(), c.complain)) {
			t.Errorf("%s: %v, %v", c.bundled, parts, err)
		}
	}
}

// The test uses the current build and the application in it.
func TestNoticesAndBillOfMaterials(t *testing.T) {
	var notices, bom bytes.Buffer
	if err := run(&notices, []string{"notices"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"modernc.org/sqlite (", "github.com/riverqueue/river (MPL-2.0)\n    https://", "std (BSD-3-Clause)",
		"react (MIT)", "@fontsource-variable/public-sans (OFL-1.1)", "SIL OPEN FONT LICENSE", "Meta Platforms"} {
		if !strings.Contains(notices.String(), want) {
			t.Errorf("the notices lack %q", want)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if err := run(&bom, []string{"sbom", "2.3.35", "../../bin/wcpp"}); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Metadata   struct{ Timestamp string }
		Components []struct {
			PURL   string
			Hashes []struct{ Content string }
		}
	}
	if err := json.Unmarshal(bom.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, c := range read.Components {
		kind, _, _ := strings.Cut(c.PURL, "/")
		kinds[kind]++
		if kind == "pkg:golang" && !strings.Contains(c.PURL, "/std@") && (len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64) {
			t.Errorf("%s has no checksum", c.PURL)
		}
	}
	if read.Metadata.Timestamp != "2023-11-14T22:13:20Z" || kinds["pkg:golang"] < 90 || kinds["pkg:npm"] < 40 || len(kinds) != 2 {
		t.Errorf("%s %v", read.Metadata.Timestamp, kinds)
	}
}
