package app_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"wcpp/internal/app"
)

// asked returns the alert expressions by name and the dashboard expressions by panel title.
func asked(t *testing.T) (alerts, panels map[string]string) {
	t.Helper()
	alerts, panels = map[string]string{}, map[string]string{}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	content := read(t, "../../ops/prometheus/rules.yaml")
	require.NoError(t, yaml.Unmarshal(content, &rules))
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			alerts[rule.Alert] = rule.Expr
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	strict := json.NewDecoder(bytes.NewReader(read(t, "../../ops/grafana/wcpp.json")))
	require.NoError(t, strict.Decode(&dashboard))
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			panels[panel.Title] += target.Expr + "\n"
		}
	}
	require.GreaterOrEqual(t, len(alerts), 12)
	require.GreaterOrEqual(t, len(panels), 12)
	return alerts, panels
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

var (
	metricName   = regexp.MustCompile(`\b(?:wcpp|go|process)_[a-z0-9_]+\b`)
	inQuotes     = regexp.MustCompile(`"[^"]*"`)
	metricInDesc = regexp.MustCompile(`fqName: "([a-z0-9_]+)"`)
)

// Alerts and dashboard use only metrics and routes that exist.
func TestAlertsAndDashboardAskForWhatThereIs(t *testing.T) {
	p := newPortal(t, "postgres", func(cfg *app.Config) { cfg.DatabaseReplicaURL = "postgres://nobody@127.0.0.1:1/x" })
	exported := map[string]bool{}
	descriptions := make(chan *prometheus.Desc)
	go func() {
		p.Registry().Describe(descriptions)
		close(descriptions)
	}()
	for d := range descriptions {
		name := metricInDesc.FindStringSubmatch(d.String())[1]
		exported[name] = true
		if strings.HasPrefix(name, "wcpp_") && strings.HasSuffix(name, "_seconds") {
			for _, of := range []string{"_bucket", "_sum", "_count"} {
				exported[name+of] = true
			}
		}
	}
	alerts, panels := asked(t)
	queried := map[string]bool{}
	for _, expressions := range []map[string]string{alerts, panels} {
		for of, expression := range expressions {
			names := metricName.FindAllString(inQuotes.ReplaceAllString(expression, ""), -1)
			if len(names) == 0 && !strings.Contains(expression, "up{") {
				t.Errorf("%s asks for nothing", of)
			}
			for _, name := range names {
				queried[name] = true
				assert.Truef(t, exported[name], "%s asks for %s, which the portal does not tell", of, name)
			}
		}
	}
	// Each of the portal's own metrics must be used somewhere.
	for name := range exported {
		base := strings.HasSuffix(name, "_seconds") && queried[name+"_count"]
		part := strings.HasSuffix(name, "_bucket") || strings.HasSuffix(name, "_sum") || strings.HasSuffix(name, "_count")
		if strings.HasPrefix(name, "wcpp_") && !queried[name] && !base && !part {
			t.Errorf("nothing looks at %s", name)
		}
	}
	routes := []string{"/healthz", "/readyz", "/metrics"}
	for path, item := range p.API.OpenAPI().Paths {
		if item.Post != nil {
			routes = append(routes, "POST /api"+path)
		}
		if item.Get != nil {
			routes = append(routes, "GET /api"+path)
		}
	}
	for of, expression := range alerts {
		for _, match := range regexp.MustCompile(`route!~"([^"]*)"`).FindAllStringSubmatch(expression, -1) {
			for _, part := range strings.Split(strings.ReplaceAll(match[1], "(upload|check|files?)", "(upload)|.*/check|.*/files?"), "|") {
				pattern := regexp.MustCompile("^(?:" + part + ")$")
				assert.Truef(t, slices.ContainsFunc(routes, pattern.MatchString), "%s leaves out %s, which is no route", of, part)
			}
		}
	}
}

// The runbook has an entry with instructions for every alert.
func TestEachAlertIsInTheRunbook(t *testing.T) {
	runbook := string(read(t, "../../docs/operations/alerts.md"))
	alerts, _ := asked(t)
	for name := range alerts {
		_, section, found := strings.Cut(runbook, "\n### "+name+"\n")
		section, _, _ = strings.Cut(section, "\n#")
		if !found || len(strings.Fields(section)) < 20 {
			t.Errorf("docs/operations/alerts.md has no section %s that says what to do", name)
		}
	}
	for _, heading := range regexp.MustCompile(`(?m)^### (Wcpp\w+)$`).FindAllStringSubmatch(runbook, -1) {
		if alerts[heading[1]] == "" {
			t.Errorf("docs/operations/alerts.md speaks of %s, which is no alert", heading[1])
		}
	}
}
