// Package web carries the built browser application inside the program.
package web

import "embed"

// Dist holds the built application under dist/. A program compiled before the
// application was built carries only the placeholder file.
//
//go:embed all:dist
var Dist embed.FS
