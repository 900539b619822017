package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Bash itself lists the completions.
func TestBashCompletes(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "wcpp")))
	for line, want := range map[string]string{
		"wcpp ser":                         "serve",
		"wcpp user ":                       "add link reset-factors",
		"wcpp serve --log-level ":          "debug info warn error",
		"wcpp serve --log-level = d":       "debug",
		"wcpp serve --data user --metrics": "--metrics-listen",
		"wcpp backup --blob":               "--blob-url",
		"wcpp completion ":                 "bash zsh fish",
		"wcpp --ver":                       "--version",
		"wcpp comple":                      "completion",
		"wcpp backup ":                     "",
	} {
		cmd := exec.Command("bash", "-c", `source <(wcpp completion bash); IFS=' '; COMP_WORDS=($1); [[ $1 = *' ' ]] && COMP_WORDS+=('')
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _wcpp; echo "${COMPREPLY[*]}"`, "bash", line)
		cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %q, want %q, %v", line, got, want, err)
		}
	}
}
