package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func ops(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../ops", file))
	require.NoError(t, err)
	return string(content)
}

// Each setting that the package, image and Compose file mention exists, including commented-out
// ones.
func TestShippedSettingsAreSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wcpp.yaml")
	all := regexp.MustCompile(`(?m)^#([a-z-]+: )`).ReplaceAllString(ops(t, "debian/wcpp.yaml"), "$1")
	all = strings.ReplaceAll(all, "/var/lib/wcpp", t.TempDir())
	require.NoError(t, os.WriteFile(file, []byte(all), 0o600))
	if out, _ := wcpp(t, "", "doctor", "--config", file); strings.Count(all, "\n") < 10 ||
		!strings.Contains(out, "ok       settings:       All settings are valid.") {
		t.Errorf("%s\n%s", all, out)
	}
	help, _ := wcpp(t, "", "serve", "--help")
	for _, shipped := range []string{"debian/secrets.env", "Containerfile", "compose.yaml"} {
		named := regexp.MustCompile(`(?m)\bWCPP_[A-Z_]+`).FindAllString(ops(t, shipped), -1)
		for _, name := range named {
			if name != "WCPP_VERSION" && !strings.Contains(help, name) {
				t.Errorf("%s names %s, which is no setting", shipped, name)
			}
		}
		assert.GreaterOrEqualf(t, len(named), 2, "%s names", shipped)
	}
}

// Services that Compose waits for have a health check, and each volume is declared.
func TestCompose(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Healthcheck map[string]any
			DependsOn   map[string]any `yaml:"depends_on"`
			Volumes     []string
			Environment map[string]string
		}
		Volumes map[string]any
	}
	require.NoError(t, yaml.Unmarshal([]byte(ops(t, "compose.yaml")), &compose))
	for name, service := range compose.Services {
		for other := range service.DependsOn {
			if len(compose.Services[other].Healthcheck) == 0 {
				t.Errorf("%s waits for %s, which does not say whether it is well", name, other)
			}
		}
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, is := compose.Volumes[source]; !is {
				t.Errorf("%s: there is no volume %s", name, source)
			}
		}
	}
	portal := program(t, "doctor", "--data", t.TempDir())
	for name, value := range compose.Services["portal"].Environment {
		value = strings.ReplaceAll(value, "${WCPP_PUBLIC_URL:?}", "https://portal.example")
		portal.Env = append(portal.Environ(), name+"="+strings.ReplaceAll(value, "${DATABASE_PASSWORD:?}", "secret"))
	}
	out, _ := portal.CombinedOutput() // the database doesn't exist here
	assert.Contains(t, string(out), "ok       settings:       All settings are valid.")
	if len(compose.Services["portal"].DependsOn) != 1 || !strings.Contains(ops(t, "Containerfile"),
		`HEALTHCHECK --interval=10s --timeout=11s --start-period=60s CMD ["/wcpp", "ready"]`) {
		t.Error("the portal waits for nothing, or its image does not say whether it is well")
	}
}
