package httpapi

import (
	"context"
	"strings"
)

// Browser is the kind of browser that a call came from, as people call it, such
// as Firefox on Windows; what it says of itself is looked at, and never repeated.
func Browser(ctx context.Context) string { return browserOf(requestOf(ctx).agent) }

type mark struct{ sign, name string }

// Most browsers name others, too, as whom they want to be served: who is named by
// fewer stands first.
var (
	browsers = []mark{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	}
	systems = []mark{
		{"iPhone", "an iPhone"}, {"iPad", "an iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

func browserOf(agent string) string {
	return named(browsers, agent, "Unknown browser") + " on " + named(systems, agent, "an unknown system")
}

func named(marks []mark, agent, unknown string) string {
	for _, m := range marks {
		if strings.Contains(agent, m.sign) {
			return m.name
		}
	}
	return unknown
}
