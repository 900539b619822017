package httpapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBrowser(t *testing.T) {
	const chrome, safari = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0", " Safari/537.36"
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + chrome + safari:                    "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + chrome + safari + " Edg/130.0.0.0": "Edge on Windows",
		"Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0":          "Firefox on Linux",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 " +
			"(KHTML, like Gecko) Version/18.0 Safari/605.1.15": "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0.6723.37 " +
			"Mobile/15E148 Safari/604.1": "Chrome on an iPhone",
		"Mozilla/5.0 (Linux; Android 10; K) " + chrome + " Mobile" + safari + " OPR/86.0.0.0": "Opera on Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) " + chrome + safari:                         "Chrome on ChromeOS",
		"curl/8.5.0":                "Unknown browser on an unknown system",
		"":                          "Unknown browser on an unknown system",
		"https://evil.example now!": "Unknown browser on an unknown system",
	} {
		assert.Equal(t, want, detectBrowser(agent), agent)
	}
}
