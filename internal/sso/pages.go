package sso

import (
	"embed"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/pages"
)

//go:embed style.css passkey.js waiting.js
var files embed.FS

// page is what the pages of a sign-in show.
type page struct {
	Brand    string
	Demo     []DemoAccount
	Password string
	State    string
	Changed  bool
	Chosen   bool
	FormMessage
	Passkeys bool // somebody may have one
	step
}

// step is what the pages of the second step show.
type step struct {
	Passkey bool // the person has one
	Secret  string
	Picture string // address of the key's picture, which holds it all
	Codes   []string
}

// document lays a page out.
func (p page) document(title string, main ...g.Node) g.Node {
	return pages.Document(title+" · "+p.Brand, h.Link(h.Rel("stylesheet"), h.Href("/sso/style.css")), pages.Marked(p.Brand), h.Main(main...))
}

// errorText is what went wrong, to which fields refer by id.
func (p page) errorText() g.Node {
	return g.If(p.Error != "", h.P(h.Class("error"), h.Role("alert"), h.ID("error"), g.Text(p.Error)))
}

// describedByError are the attributes of a field beside what went wrong.
func (p page) describedByError(attributes ...g.Node) g.Node {
	return g.If(p.Error != "", g.Group(append(attributes, h.Aria("describedby", "error"))))
}

// state proves that this browser was shown the form.
func (p page) state() g.Node { return h.Input(h.Type("hidden"), h.Name("state"), h.Value(p.State)) }

// passkeyForm is what the script sends a passkey's answer by. The buttons that start it
// are hidden until the script knows that the browser can.
func (p page) passkeyForm() g.Node {
	return g.Group{
		h.Form(h.ID("passkey"), h.Method("post"), h.Action("/sso/passkey"), g.Attr("hidden"),
			p.state(),
			h.Input(h.Type("hidden"), h.Name("answer")),
		),
		h.Script(h.Src("/sso/passkey.js"), h.Defer()),
	}
}

func passkeyButton(does, text string, more ...g.Node) g.Node {
	return h.Button(h.Type("button"), g.Group(more), h.Data("passkey", does), g.Attr("hidden"), g.Text(text))
}

func (p page) signIn() g.Node {
	return p.document("Sign in",
		h.Script(h.Src("/sso/waiting.js"), h.Defer()),
		h.Form(h.Method("post"), h.Action("/sso/sign-in"), h.AutoComplete("on"),
			h.H1(g.Text("Sign in")),
			g.If(p.Changed, h.P(h.Class("notice"), h.Role("status"), g.Text("Your password was changed. Sign in with the new one."))),
			g.If(p.Chosen, h.P(h.Class("notice"), h.Role("status"), g.Text("Your password is set. Sign in with it and the username in your email."))),
			p.errorText(),
			h.Label(h.For("username"), g.Text("Username")),
			h.Input(h.ID("username"), h.Name("username"), h.Value(p.UserName), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false"), h.Required(),
				p.describedByError(), g.If(p.Error == "", h.AutoFocus())),
			h.Label(h.For("password"), g.Text("Password")),
			h.Input(h.ID("password"), h.Name("password"), h.Type("password"), h.AutoComplete("current-password"), h.Required(), p.describedByError(h.AutoFocus())),
			p.state(),
			h.Button(g.Text("Sign in")),
			g.If(p.Passkeys, passkeyButton("get", "Sign in with a passkey", h.Class("other"))),
			h.P(h.Class("links"), h.A(h.Href("/wcpp/forgotusernm"), g.Text("Forgot Username?")), g.Text(" "), h.A(h.Href("/wcpp/resetPassword"), g.Text("Reset Password")), g.Text(" "),
				h.A(h.Href("/wcpp/login"), g.Text("Back to the portal"))),
		),
		g.If(p.Passkeys, p.passkeyForm()),
		g.If(len(p.Demo) > 0, h.Section(h.Aria("labelledby", "demo"),
			h.H2(h.ID("demo"), g.Text("Demo accounts")),
			h.P(g.Text("All people and bills here are invented. The password of every account is "), h.Code(g.Text(p.Password))),
			h.Dl(g.Map(p.Demo, func(a DemoAccount) g.Node {
				return g.Group{h.Dt(h.Code(g.Text(a.UserName))), h.Dd(g.Text(a.About))}
			})),
		)),
	)
}

func (p page) cookies() g.Node {
	return p.document("Cookies are refused", h.Section(
		h.H1(g.Text("This browser keeps no cookies of the portal")),
		h.P(g.Text("Nobody can be signed in without one. Allow cookies for this address in the browser's settings, then try again.")),
		h.P(h.Class("links"), h.A(h.Href("/sso/start"), g.Text("Try again")), g.Text(" "), h.A(h.Href("/wcpp/login"), g.Text("Back to the portal"))),
	))
}

func (p page) somebodyElse() g.Node {
	return h.P(h.Class("links"), h.A(h.Href("/sso/start?prompt=login"), g.Text("Sign in as somebody else")))
}

func (p page) factor() g.Node {
	lead, other := "Enter the code that your authenticator app shows, or one of your recovery codes.", g.Node(nil)
	if p.Passkey {
		lead, other = "Use your passkey, or enter a code of your authenticator app or one of your recovery codes.", h.Class("other")
	}
	return p.document("Second step",
		h.Form(h.Method("post"), h.Action("/sso/factor"), h.AutoComplete("off"),
			h.H1(g.Text("Second step")),
			h.P(h.Class("lead"), g.Text(lead)),
			p.errorText(),
			g.If(p.Passkey, passkeyButton("get", "Use your passkey")),
			h.Label(h.For("code"), g.Text("Code")),
			h.Input(h.ID("code"), h.Name("code"), h.AutoComplete("one-time-code"), g.Attr("autocapitalize", "characters"), g.Attr("spellcheck", "false"), h.MaxLength("40"),
				h.Required(), h.AutoFocus(), p.describedByError()),
			p.state(),
			h.Button(other, g.Text("Continue")),
			p.somebodyElse(),
		),
		g.If(p.Passkey, p.passkeyForm()),
		h.Section(h.Aria("labelledby", "lost"),
			h.H2(h.ID("lost"), g.Text("Neither at hand?")),
			h.P(g.Text("Your administrator can reset the second step; where that is you alone, support can. You are mailed a link for it.")),
		),
	)
}

func (p page) setUp() g.Node {
	const side = 200
	return p.document("Set up the second step",
		h.Form(h.Method("post"), h.Action("/sso/set-up"), h.AutoComplete("off"),
			h.H1(g.Text("Set up the second step")),
			h.P(h.Class("lead"), g.Text("Your account needs a second step beside the password. Scan this with an authenticator app, or type the key into it.")),
			p.errorText(),
			h.P(h.Class("picture"), h.Img(h.Src(p.Picture), h.Width(strconv.Itoa(side)), h.Height(strconv.Itoa(side)), h.Alt("QR code of the key below"))),
			h.P(h.Class("key"), g.Text("Key "), h.Code(g.Text(p.Secret))),
			h.Label(h.For("code"), g.Text("Code that the app shows")),
			h.Input(h.ID("code"), h.Name("code"), g.Attr("inputmode", "numeric"), h.AutoComplete("one-time-code"), h.MaxLength("12"), h.Required(), p.describedByError(h.AutoFocus())),
			p.state(),
			h.Button(g.Text("Continue")),
			passkeyButton("create", "Use a passkey in place of an app", h.Class("other")),
			p.somebodyElse(),
		),
		p.passkeyForm(),
	)
}

func (p page) recoveryCodes() g.Node {
	return p.document("Recovery codes",
		h.Form(h.Method("post"), h.Action("/sso/recovery-codes"),
			h.H1(g.Text("The second step is set up")),
			p.errorText(),
			g.If(len(p.Codes) == 0, h.P(h.Class("lead"), g.Text("Your recovery codes were shown already. If you did not keep them, make new ones under Sign-in and security."))),
			g.If(len(p.Codes) > 0, g.Group{
				h.P(h.Class("lead"), g.Text("Print these recovery codes, or keep them where you keep passwords. Each lets you in once in place of the second step. They are not shown again.")),
				h.Ul(h.Class("codes"), g.Map(p.Codes, func(code string) g.Node { return h.Li(h.Code(g.Text(code))) })),
			}),
			p.state(),
			h.Button(g.If(len(p.Codes) > 0, g.Text("I have kept them: go on")), g.If(len(p.Codes) == 0, g.Text("Go on"))),
		),
	)
}
