package mappingtest

import (
	"fmt"
	"testing"

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
	if empty := ListEmpty(Filled[whole]()); empty != nil {
		t.Errorf("%v", empty)
	}
}

func TestEmptyNamesWhatIsLacking(t *testing.T) {
	w := Filled[whole]()
	w.Name, w.Cents, w.Parts[0].N = "", nil, 0
	if got := fmt.Sprint(ListEmpty(w)); got != "[Name Cents Parts.N]" {
		t.Errorf("%s", got)
	}
	if got := ListEmpty(w, "Name", "Cents", "Parts"); got != nil {
		t.Errorf("%v", got)
	}
	if got := fmt.Sprint(ListEmpty(whole{Day: "2026-01-02"}, "Name")); got != "[Cents Parts]" {
		t.Errorf("%s", got)
	}
}
