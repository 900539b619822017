package mappingtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/date"
)

type whole struct {
	Name  string
	Cents *int64
	Day   date.Date
	Parts []part
	part
}

type part struct {
	On bool
	N  int
}

func TestFilledLacksNothing(t *testing.T) {
	assert.Nil(t, ListEmpty(Filled[whole]()))
}

func TestEmptyNamesWhatIsLacking(t *testing.T) {
	w := Filled[whole]()
	w.Name, w.Cents, w.Parts[0].N = "", nil, 0
	assert.Equal(t, "[Name Cents Parts.N]", fmt.Sprint(ListEmpty(w)))
	assert.Nil(t, ListEmpty(w, "Name", "Cents", "Parts"))
	assert.Equal(t, "[Cents Parts]", fmt.Sprint(ListEmpty(whole{Day: "2026-01-02"}, "Name")))
}
