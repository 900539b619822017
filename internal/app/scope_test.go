package app_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// A scope read with the session equals the tins package's result for the acting person.
func TestScopeReadWithTheSession(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.addStaffRoles()
		var read access.Scope
		var is bool
		p.API.Observe(func(op httpapi.Operation, ctx context.Context) {
			if op.Access == httpapi.Public {
				return
			}
			actor := access.From(ctx)
			if read, is = actor.ReadScope(); is != op.Scoped {
				t.Errorf("%s, scoped %t: the scope was read: %t", op.ID, op.Scoped, is)
			}
			want, err := p.TINs.ListTINs(ctx, actor.Acting())
			if err != nil || is && !slices.Equal(read.TINs(), want) {
				t.Errorf("as %s: %v with the session, %v by itself, %v", actor.Acting().UserName, read.TINs(), want, err)
			}
		})
		some := false
		for _, actor := range actors()[1:] {
			is = false
			p.do("GET", "/api/billSearch/imageExist?id=x", nil, bearer(p.tokenOf(actor)))
			some = some || is && len(read.TINs()) > 0
		}
		assert.True(t, some, "nobody has TINs")
	})
}
