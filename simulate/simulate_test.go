package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	if os.Getenv(hostVariable) != "" {
		if err := runHost(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// morningOf returns the first steps of a script's day, and its night. Its processes aren't
// killed or cut off, because the call at which that happens depends on background jobs. make
// simulate has these faults.
func morningOf(s Script) Script {
	s.Steps = append(s.Steps[:80:80], s.Steps[len(s.Steps)-1])
	s.Steps[79].With = 0
	for i := range s.Steps {
		s.Steps[i].Fault = ""
	}
	return s
}

// Stored scripts run without a violation. They are mornings with races, and the scripts of faults
// that were found.
func TestStoredScripts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	scripts := []Script{morningOf(newScript(40, 1, "sqlite")), morningOf(newScript(41, 1, "postgres"))}
	for _, path := range paths {
		s, err := readScript(path)
		require.NoError(t, err)
		scripts = append(scripts, s)
	}
	for _, script := range scripts {
		t.Run(fmt.Sprintf("%d on %s", script.Seed, script.Database), func(t *testing.T) {
			t.Parallel()
			if script.Database == "postgres" && os.Getenv("WCPP_TEST_POSTGRES") == "" {
				t.Skip("needs PostgreSQL; make test has it")
			}
			s, err := run(t.Context(), script, "", t.Output())
			require.NoError(t, err)
			for _, v := range s.found {
				t.Error(v)
			}
			if len(script.Steps) > 50 && !s.isWorthADay() {
				t.Errorf("most calls were refused:\n%s", s.report())
			}
		})
	}
}

// A script is a function of its seed, and a script without some steps is valid.
func TestScripts(t *testing.T) {
	s := newScript(7, 2, "sqlite")
	if s.String() != newScript(7, 2, "sqlite").String() || s.String() == newScript(8, 2, "sqlite").String() {
		t.Error("the seed doesn't decide the script")
	}
	path := filepath.Join(t.TempDir(), "script.json")
	require.NoError(t, writeFile(path, s.String()))
	read, err := readScript(path)
	if err != nil || read.String() != s.String() {
		t.Errorf("the script reads differently: %v", err)
	}
	groups := s.split()
	assert.Equal(t, s.String(), joinGroups(s, groups).String(), "splitting the script changes it")
	for _, step := range s.Steps {
		assert.NotNilf(t, actions[step.Do], "no action %q", step.Do)
	}
}
