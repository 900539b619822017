package billstate

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The condition of open bills lists the open states, and equals that of the index.
func TestOpenSQL(t *testing.T) {
	var codes []string
	for _, d := range open {
		codes = append(codes, "'"+string(d.state)+"'")
	}
	slices.Sort(codes)
	if want := "open_state IN (" + strings.Join(codes, ", ") + ")"; BareOpenSQL != want || OpenSQL != "b."+want {
		t.Errorf("%s, want %s", BareOpenSQL, want)
	}
	index, err := os.ReadFile("../../platform/migrations/00069_baseline.sql")
	if err != nil || !strings.Contains(string(index), "WHERE "+BareOpenSQL) {
		t.Errorf("the index has another condition (%v)", err)
	}
}

func TestStates(t *testing.T) {
	for _, d := range open {
		if Label(d.name) == "" || Label(d.filter) == "" || d.next == Nobody || !slices.Contains(Filtered(d.filter), d.state) {
			t.Errorf("%+v", d)
		}
	}
	for _, closed := range []State{Settled, RepricedOnly, Void} {
		if closed.Name() != "" || closed.Filter() != "" || closed.NextToAct() != Nobody {
			t.Errorf("%s is open", closed)
		}
	}
	assert.Equal(t, "received priced denied short takenBack", strings.Join(Filters(), " "))
	for _, name := range Names() {
		assert.NotEmptyf(t, Label(name), "%s has no label", name)
	}
}
