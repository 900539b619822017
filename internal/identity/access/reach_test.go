package access

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/problem"
)

// Each type is checked against itself, users in its own group, another group and no group, its
// own group, another group and no group, and an account request.
func TestReach(t *testing.T) {
	const own, foreign = 7, 8
	people := []Person{
		{ID: 1}, // the actor, filled in below
		{ID: 2, Type: PRUS, GroupID: own}, {ID: 3, Type: PRAD, GroupID: own}, {ID: 4, Type: ROUS, GroupID: own},
		{ID: 5, Type: PRUS, GroupID: foreign}, {ID: 6, Type: ISAD},
	}
	groups := []int64{own, foreign, 0}
	marks := func(list ...bool) string {
		var b strings.Builder
		for _, yes := range list {
			b.WriteByte(map[bool]byte{true: '+', false: '-'}[yes])
		}
		return b.String()
	}
	// sees users, manages users, edits users; sees groups, manages groups; any TIN, requests,
	// other groups' sources; objects to sharing, decides about it
	for typ, want := range map[Type]string{
		PRUS: "+----- ------ +----- +-- --- --- --",
		PRAD: "+++--- +++--- +++--- +-- +-- --- +-",
		NNUS: "+----- ------ +----- +-- --- --- +-",
		ROAD: "+----- ------ +----- +-- +-- --- --",
		ROUS: "+----- ------ +----- +-- --- --- --",
		IRAD: "++++++ ------ +----- +++ --- +-- --",
		ISAD: "++++++ ++++++ ++++++ +++ +++ +++ -+",
	} {
		actor := Actor{Person: Person{ID: 1, UserName: "ada", Type: typ, GroupID: own}}
		if typ.IsInternal() {
			actor.Person.GroupID = 0
		}
		people[0] = actor.Person
		for name, a := range map[string]Actor{"": actor, "mirrored": {Person: Person{ID: 99, UserName: "ada", Type: IRAD},
			Mirrored: &actor.Person}} {
			r := a.Reach()
			var sees, manages, edits, seesGroups, managesGroups []bool
			for _, p := range people {
				sees, manages = append(sees, r.SeesUser(p)), append(manages, r.ManagesUser(p))
				g, err := r.EditUser(p)
				edits = append(edits, granted(t, g.ID(), g.By(), p.ID, err))
				m, err := r.ManageUser(p)
				if granted(t, m.ID(), m.By(), p.ID, err) != r.ManagesUser(p) {
					t.Errorf("%s %s: the grant for %v differs from the answer", typ, name, p)
				}
			}
			for _, id := range groups {
				seesGroups, managesGroups = append(seesGroups, r.SeesGroup(id)), append(managesGroups, r.ManagesGroup(id))
				g, err := r.ManageGroup(id)
				if granted(t, g.ID(), g.By(), id, err) != r.ManagesGroup(id) {
					t.Errorf("%s %s: the grant for group %d differs from the answer", typ, name, id)
				}
			}
			request, err := r.AnswerRequest(5)
			answers := granted(t, request.ID(), request.By(), 5, err)
			objector, err := r.ObjectionGrant()
			objects := granted(t, objector.ID(), objector.By(), own, err)
			got := strings.Join([]string{marks(sees...), marks(manages...), marks(edits...), marks(seesGroups...), marks(managesGroups...),
				marks(r.SeesAllTINs(), answers, r.SharesSources()), marks(objects, r.DecidesSharings())}, " ")
			assert.Equalf(t, want, got, "%s %s", typ, name)
			scope := NewScope([]string{"111111111"})
			if !r.SeesTIN(scope, "111111111") || r.SeesTIN(scope, "222222222") != r.SeesAllTINs() {
				t.Errorf("%s %s: TINs", typ, name)
			}
		}
	}
}

func granted(t *testing.T, id int64, by string, want int64, err error) bool {
	t.Helper()
	if err == nil && (id != want || by != "ada") || err != nil && !problem.Is(err, problem.NotFound) {
		t.Errorf("granted %d by %s in place of %d, %v", id, by, want, err)
	}
	return err == nil
}

// System bypasses reach checks, so each file that uses it is listed here. The file's code
// explains why it needs it.
func TestSystemIsUsedByFew(t *testing.T) {
	allowed := []string{
		"account/account.go", "app/users.go", "identity/tins/tins.go", "identity/users/administration/administration.go",
		"identity/users/administration/create.go", "identity/users/email.go", "identity/users/feed.go",
		"identity/users/signin/signin.go", "identity/users/users.go", "rosters/feed.go",
	}
	var found []string
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		if strings.Contains(string(code), "access.System") {
			found = append(found, filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))))
		}
		return err
	})
	slices.Sort(found)
	if err != nil || fmt.Sprint(found) != fmt.Sprint(allowed) {
		t.Errorf("access.System is used in %q, %v", found, err)
	}
}
