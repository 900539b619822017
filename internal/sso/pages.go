package sso

import (
	"embed"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/pages"
)

//go:embed style.css passkey.js waiting.js
var files embed.FS

// page contains the data of the sign-in pages.
type page struct {
	Brand    string
	Phone    string // of support; empty if not set
	Email    string
	Demo     []DemoAccount
	Password string
	State    string
	Changed  bool
	Chosen   bool
	FormMessage
	Passkeys bool // some users can have one
	step
}

// step contains the data of the second-step pages.
type step struct {
	Passkey bool // the user has one
	Secret  string
	Picture string // data URL of the QR code with the complete key
	Codes   []string
}

// document renders a page layout.
func (p page) document(title string, main ...g.Node) g.Node {
	return pages.Document(title+" · "+p.Brand, h.Link(h.Rel("stylesheet"), h.Href("/sso/style.css")), pages.Header(p.Brand),
		h.Main(append(main, p.support())...))
}

// support renders the configured support contacts.
func (p page) support() g.Node {
	phone := strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, p.Phone)
	return g.If(p.Phone != "" || p.Email != "", h.P(h.Class("links"),
		g.If(p.Phone != "", h.Span(g.Text("Support: "), h.A(h.Href("tel:"+phone), g.Text(p.Phone)))),
		g.If(p.Email != "", h.A(h.Href("mailto:"+p.Email), g.Text(p.Email)))))
}

// errorText renders the error, which fields reference by id.
func (p page) errorText() g.Node {
	return g.If(p.Error != "", h.P(h.Class("error"), h.Role("alert"), h.ID("error"), g.Text(p.Error)))
}

// describedByError adds the attributes that link a field to the error.
func (p page) describedByError(attributes ...g.Node) g.Node {
	return g.If(p.Error != "", g.Group(append(attributes, h.Aria("describedby", "error"))))
}

// state proves that this browser was shown the form.
func (p page) state() g.Node { return h.Input(h.Type("hidden"), h.Name("state"), h.Value(p.State)) }

// passkeyForm is the form with which the script submits a passkey's response. Its buttons stay
// hidden until the script detects passkey support.
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
			g.If(p.Chosen, h.P(h.Class("notice"), h.Role("status"),
				g.Text("Your password is set. Sign in with it and the username in your email."))),
			p.errorText(),
			h.Label(h.For("username"), g.Text("Username")),
			h.Input(h.ID("username"), h.Name("username"), h.Value(p.UserName), h.AutoComplete("username"), g.Attr("autocapitalize", "none"),
				g.Attr("spellcheck", "false"), h.Required(),
				p.describedByError(), g.If(p.Error == "", h.AutoFocus())),
			h.Label(h.For("password"), g.Text("Password")),
			h.Input(h.ID("password"), h.Name("password"), h.Type("password"), h.AutoComplete("current-password"), h.Required(),
				p.describedByError(h.AutoFocus())),
			p.state(),
			h.Button(g.Text("Sign in")),
			g.If(p.Passkeys, passkeyButton("get", "Sign in with a passkey", h.Class("other"))),
			h.P(h.Class("links"), h.A(h.Href("/wcpp/forgotusernm"), g.Text("Forgot Username?")), g.Text(" "),
				h.A(h.Href("/wcpp/resetPassword"), g.Text("Reset Password")), g.Text(" "),
				h.A(h.Href("/wcpp/login"), g.Text("Back to the portal"))),
		),
		g.If(p.Passkeys, p.passkeyForm()),
		g.If(len(p.Demo) > 0, h.Section(h.Aria("labelledby", "demo"),
			h.H2(h.ID("demo"), g.Text("Demo accounts")),
			h.P(g.Text("All people and bills are fictional. The password for every account is "), h.Code(g.Text(p.Password))),
			h.Dl(g.Map(p.Demo, func(a DemoAccount) g.Node {
				return g.Group{h.Dt(h.Code(g.Text(a.UserName))), h.Dd(g.Text(a.About))}
			})),
		)),
	)
}

func (p page) cookies() g.Node {
	return p.document("Cookies are blocked", h.Section(
		h.H1(g.Text("Your browser blocks cookies")),
		h.P(g.Text("You need cookies to sign in. Allow cookies for this address in your browser's settings, then try again.")),
		h.P(h.Class("links"), h.A(h.Href("/sso/start"), g.Text("Try again")), g.Text(" "),
			h.A(h.Href("/wcpp/login"), g.Text("Back to the portal"))),
	))
}

func (p page) somebodyElse() g.Node {
	return h.P(h.Class("links"), h.A(h.Href("/sso/start?prompt=login"), g.Text("Sign in as another user")))
}

func (p page) factor() g.Node {
	lead, other := "Enter a code from your authenticator app or a recovery code.", g.Node(nil)
	if p.Passkey {
		lead, other = "Use your passkey, or enter a code from your authenticator app or a recovery code.", h.Class("other")
	}
	return p.document("Two-step verification",
		h.Form(h.Method("post"), h.Action("/sso/factor"), h.AutoComplete("off"),
			h.H1(g.Text("Two-step verification")),
			h.P(h.Class("lead"), g.Text(lead)),
			p.errorText(),
			g.If(p.Passkey, passkeyButton("get", "Use your passkey")),
			h.Label(h.For("code"), g.Text("Code")),
			h.Input(h.ID("code"), h.Name("code"), h.AutoComplete("one-time-code"), g.Attr("autocapitalize", "characters"),
				g.Attr("spellcheck", "false"), h.MaxLength("40"),
				h.Required(), h.AutoFocus(), p.describedByError()),
			p.state(),
			h.Button(other, g.Text("Continue")),
			p.somebodyElse(),
		),
		g.If(p.Passkey, p.passkeyForm()),
		h.Section(h.Aria("labelledby", "lost"),
			h.H2(h.ID("lost"), g.Text("Other ways to sign in")),
			h.P(g.Text("Can't use either one? Ask your administrator to email you a reset link. If you're the only administrator, "+
				"contact support.")),
		),
	)
}

func (p page) setUp() g.Node {
	const side = 200
	return p.document("Set up two-step verification",
		h.Form(h.Method("post"), h.Action("/sso/set-up"), h.AutoComplete("off"),
			h.H1(g.Text("Set up two-step verification")),
			h.P(h.Class("lead"), g.Text("Your account requires two-step verification. Scan this code with an authenticator app, or "+
				"enter the key in the app.")),
			p.errorText(),
			h.P(h.Class("picture"), h.Img(h.Src(p.Picture), h.Width(strconv.Itoa(side)), h.Height(strconv.Itoa(side)),
				h.Alt("Setup QR code"))),
			h.P(h.Class("key"), g.Text("Key "), h.Code(g.Text(p.Secret))),
			h.Label(h.For("code"), g.Text("Code from your app")),
			h.Input(h.ID("code"), h.Name("code"), g.Attr("inputmode", "numeric"), h.AutoComplete("one-time-code"), h.MaxLength("12"),
				h.Required(), p.describedByError(h.AutoFocus())),
			p.state(),
			h.Button(g.Text("Continue")),
			passkeyButton("create", "Use a passkey instead", h.Class("other")),
			p.somebodyElse(),
		),
		p.passkeyForm(),
	)
}

func (p page) recoveryCodes() g.Node {
	return p.document("Recovery codes",
		h.Form(h.Method("post"), h.Action("/sso/recovery-codes"),
			h.H1(g.Text("Two-step verification is on")),
			p.errorText(),
			g.If(len(p.Codes) == 0, h.P(h.Class("lead"),
				g.Text("We've already shown your recovery codes. If you didn't save them, create new ones under Sign-in and security."))),
			g.If(len(p.Codes) > 0, g.Group{
				h.P(h.Class("lead"), g.Text("Print these recovery codes or save them with your passwords. Use each code once to sign "+
					"in. We won't show them again.")),
				h.Ul(h.Class("codes"), g.Map(p.Codes, func(code string) g.Node { return h.Li(h.Code(g.Text(code))) })),
			}),
			p.state(),
			h.Button(g.If(len(p.Codes) > 0, g.Text("I've saved my codes")), g.If(len(p.Codes) == 0, g.Text("Continue"))),
		),
	)
}
