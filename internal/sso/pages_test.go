package sso

import (
	"strings"
	"testing"
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
		if err := c.page.signIn().Render(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%+v: no %s", c.page, want)
			}
		}
		if links := strings.Count(b.String(), `"tel:`) + strings.Count(b.String(), `"mailto:`); links != len(c.want) {
			t.Errorf("%+v: %d links", c.page, links)
		}
	}
}
