// Package web carries the built browser application inside the program.
package web

import (
	"bytes"
	"embed"
	"errors"
	"io"
	"io/fs"

	"github.com/andybalholm/brotli"
)

// Dist holds the built application under dist/. A program compiled before the
// application was built carries only the placeholder file.
//
//go:embed all:dist
var Dist embed.FS

// ReadFile reads a file uncompressed. The build has most files only with brotli compression, as
// name.br, because hardly any browser needs another form.
func ReadFile(files fs.FS, name string) ([]byte, error) {
	content, err := fs.ReadFile(files, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return content, err
	}
	compressed, err := fs.ReadFile(files, name+".br")
	if err != nil {
		return nil, err
	}
	return io.ReadAll(brotli.NewReader(bytes.NewReader(compressed)))
}
