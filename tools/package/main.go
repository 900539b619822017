// Command package makes what goes out beside the program: the notices of what others wrote,
// and the bill of materials. It runs in tools/package of a tree whose application was built.
//
//	go run . notices > ../../web/dist/notices.txt
//	go run . sbom 2.3.35 ../../dist/wcpp-* > wcpp.cdx.json
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// root is the project, seen from here.
const root = "../.."

// platforms are those of the release: notices name what any of them carries.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	if len(args) == 0 || args[0] != "notices" && args[0] != "sbom" || args[0] == "sbom" && len(args) < 3 {
		return errors.New("say notices, or sbom with a version and its programs")
	}
	parts, err := everything()
	if err != nil {
		return err
	}
	if args[0] == "notices" {
		return writeNotices(out, parts)
	}
	return writeSBOM(out, args[1], args[2:], parts)
}
