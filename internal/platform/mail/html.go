package mail

import (
	_ "embed"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// letterStyle is for programs that read it, and for the dark; all others go by the
// attributes.
//
//go:embed letter.css
var letterStyle string

const (
	paragraph = "margin:0 0 16px;"
	linked    = "color:#0b5372;"
	small     = "font-size:13px;color:#3f4b5a;"
)

// layoutTable returns a layout table, for email programs that support nothing else.
func layoutTable(children ...g.Node) g.Node {
	return h.Table(h.Role("presentation"), g.Attr("cellpadding", "0"), g.Attr("cellspacing", "0"), g.Attr("border", "0"), g.Group(children))
}

func paragraphs(texts []string) g.Node {
	return g.Map(texts, func(text string) g.Node { return h.P(h.Style(paragraph), g.Text(text)) })
}

func (l Layout) html(content Content) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.Meta(h.Name("supported-color-schemes"), h.Content("light dark")),
			h.TitleEl(g.Text(content.Subject)),
			h.StyleEl(g.Raw(letterStyle)),
		),
		g.Raw("\n"),
		h.Body(h.Class("canvas"), h.Style("margin:0;padding:0;background:#f3f5f7;"),
			g.Iff(len(content.Paragraphs) > 0, func() g.Node { // preview text in mailboxes
				return h.Div(h.Style("display:none;max-height:0;overflow:hidden;mso-hide:all;"), g.Text(content.Paragraphs[0]))
			}),
			g.Raw("\n"),
			layoutTable(h.Class("canvas"), h.Width("100%"), h.Style("background:#f3f5f7;"),
				h.Tr(h.Td(g.Attr("align", "center"), h.Style("padding:24px 8px;"),
					layoutTable(h.Class("card"), h.Width("100%"),
						h.Style("max-width:560px;background:#ffffff;border:1px solid #d9dfe6;border-radius:10px;border-collapse:separate;"+
							"font-family:'Public Sans','Segoe "+
							"UI',Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5;text-align:left;"),
						h.Tr(h.Td(h.Class("brand pad"), g.Attr("bgcolor", "#083d55"),
							h.Style("padding:14px 32px;background:#083d55;border-radius:9px 9px 0 0;color:#ffffff;font-weight:bold;"),
							g.Text(l.BrandName))),
						g.Raw("\n"),
						h.Tr(h.Td(h.Class("ink pad"), h.Style("padding:28px 32px 12px;color:#16202c;"), content.html())),
						g.Raw("\n"),
						h.Tr(h.Td(h.Class("soft pad"), h.Style("padding:0 32px 24px;"+small), l.footer())),
					),
				)),
			),
		),
	))
}

func (l Content) html() g.Node {
	return g.Group{
		g.If(l.Greeting != "", h.P(h.Style(paragraph), g.Text(l.Greeting))),
		paragraphs(l.Paragraphs),
		g.Raw("\n"),
		g.If(len(l.Facts) > 0, layoutTable(h.Width("100%"), h.Style(paragraph), g.Map(l.Facts, func(f Fact) g.Node {
			return h.Tr(h.Td(h.Style("padding:0 0 8px;"),
				h.Div(h.Class("soft"), h.Style(small), g.Text(f.Label)),
				h.Div(h.Class("fact ink"),
					h.Style("padding:8px 12px;background:#f3f5f7;border:1px solid #d9dfe6;border-radius:6px;color:#16202c;"+
						"font-family:ui-monospace,Menlo,Consolas,monospace;font-size:15px;word-break:break-word;"), g.Text(f.Value)),
			))
		}))),
		g.Raw("\n"),
		g.Iff(l.Button != nil, func() g.Node { return l.Button.html() }),
		g.Raw("\n"),
		paragraphs(l.Closing),
		g.If(len(l.Footer) > 0, h.P(h.Class("soft"), h.Style(paragraph+small), g.Group(joinLinks(l.Footer)))),
	}
}

// html returns a button, and its address to copy.
func (l *Link) html() g.Node {
	return g.Group{
		layoutTable(h.Style("margin:8px 0 12px;"), h.Tr(h.Td(h.Class("button"), g.Attr("bgcolor", "#0b5372"),
			h.Style("background:#0b5372;border-radius:6px;"),
			h.A(h.Href(l.URL), h.Style("display:inline-block;padding:12px "+
				"24px;border-radius:6px;background:#0b5372;color:#ffffff;font-weight:bold;text-decoration:none;"), g.Text(l.Text)),
		))),
		h.P(h.Class("soft"), h.Style("margin:0 0 20px;"+small), g.Text("If the button doesn't work, copy this address into your browser:"),
			h.Br(),
			h.A(h.Class("link"), h.Href(l.URL), h.Style(linked+"word-break:break-all;"), g.Text(l.URL))),
	}
}

// joinLinks returns links on one line, separated by dots.
func joinLinks(links []Link) (line []g.Node) {
	for i, to := range links {
		if i > 0 {
			line = append(line, g.Text(" · "))
		}
		line = append(line, h.A(h.Class("link"), h.Href(to.URL), h.Style(linked), g.Text(to.Text)))
	}
	return line
}

func (l Layout) footer() g.Node {
	link := func(address, text string) g.Node {
		return h.A(h.Class("link"), h.Href(address), h.Style(linked), g.Text(text))
	}
	return h.Div(h.Class("card"), h.Style("border-top:1px solid #d9dfe6;padding-top:16px;"),
		g.Text(l.sender()),
		g.If(l.PublicURL != "", g.Group{h.Br(), link(l.PublicURL, l.PublicURL)}),
		g.If(l.SupportPhone != "", g.Group{h.Br(), g.Text("Support phone: " + l.SupportPhone)}),
		g.If(l.SupportEmail != "", g.Group{h.Br(), g.Text("Support email: "), link("mailto:"+l.SupportEmail, l.SupportEmail)}),
		h.Br(), g.Text(automatic),
	)
}
