// Command package creates the files that accompany the program: the notices of third-party
// software and the software bill of materials. Run it in tools/package after building the
// application.
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

// root is the path from here to the project.
const root = "../.."

// platforms are the release platforms. The notices cover everything that any of them includes.
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
