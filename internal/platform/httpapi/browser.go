package httpapi

import (
	"context"
	"strings"
)

// Browser returns the user-friendly name of the request's browser, such as Firefox on Windows.
// It never repeats the User-Agent itself.
func Browser(ctx context.Context) string { return detectBrowser(getRequest(ctx).agent) }

type mark struct{ sign, name string }

// Most browsers also name others in their User-Agent for compatibility. The order starts with
// the browser that the fewest others name.
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

func detectBrowser(agent string) string {
	return findMark(browsers, agent, "Unknown browser") + " on " + findMark(systems, agent, "an unknown system")
}

func findMark(marks []mark, agent, unknown string) string {
	for _, m := range marks {
		if strings.Contains(agent, m.sign) {
			return m.name
		}
	}
	return unknown
}
