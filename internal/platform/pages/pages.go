// Package pages renders the few pages that the server generates itself.
package pages

import (
	"bytes"
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Document returns a page that search engines don't index, with the reader's light or dark color
// scheme. head contains its style.
func Document(title string, head g.Node, body ...g.Node) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.Meta(h.Name("robots"), h.Content("noindex, nofollow")),
			h.TitleEl(g.Text(title)),
			head,
		),
		h.Body(body...),
	))
}

// Header returns a page header with the portal's logo and a name.
func Header(name string) g.Node {
	return h.Header(
		g.Raw(`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect width="24" height="24" rx="6" fill="#8ac9e4"/>`+
			`<path d="M6 0h12a6 6 0 0 1 4.2 1.8L1.8 22.2A6 6 0 0 1 0 18V6a6 6 0 0 1 6-6Z" fill="#fff"/></svg> `),
		g.Text(name),
	)
}

// Write sends a page that browsers don't cache.
func Write(w http.ResponseWriter, status int, page g.Node) error {
	var made bytes.Buffer
	if err := page.Render(&made); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(made.Bytes()) // the client is gone
	return nil
}
