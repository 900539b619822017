package sso

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The sign-in form shows only the support contacts that are set.
func TestSupportContacts(t *testing.T) {
	for _, c := range []struct {
		page page
		want []string
	}{
		{page{}, nil},
		{page{Phone: "(216) 555-0148"}, []string{`<a href="tel:2165550148">(216) 555-0148</a>`}},
		{page{Email: "help@portal.example"}, []string{`<a href="mailto:help@portal.example">help@portal.example</a>`}},
		{page{Phone: "+1 216 555 0148", Email: "help@portal.example"}, []string{`"tel:+12165550148"`, `"mailto:help@portal.example"`}},
	} {
		var b strings.Builder
		require.NoError(t, c.page.signIn().Render(&b))
		for _, want := range c.want {
			assert.Containsf(t, b.String(), want, "%+v: no", c.page)
		}
		if links := strings.Count(b.String(), `"tel:`) + strings.Count(b.String(), `"mailto:`); links != len(c.want) {
			t.Errorf("%+v: %d links", c.page, links)
		}
	}
}
