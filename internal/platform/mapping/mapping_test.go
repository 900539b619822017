package mapping_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/mapping"
)

type stored struct {
	Name    string
	Day     date.Date
	Charge  int64
	Paid    *int64
	Unshown bool
}

type shown struct {
	Day          date.Date
	Name         string
	Charge, Paid *float64
	Other        string
}

func TestCopyHasFieldsOfBothTypes(t *testing.T) {
	m := mapping.New[shown, stored]()
	assert.Equal(t, []string{"Day", "Name", "Charge", "Paid"}, m.Fields())
	cents := int64(1050)
	to := shown{Other: "stays", Paid: new(float64)}
	m.Copy(&to, &stored{Name: "Ada", Day: "2026-01-02", Charge: cents})
	if to.Name != "Ada" || to.Day != "2026-01-02" || to.Other != "stays" || *to.Charge != 10.5 || to.Paid != nil {
		t.Errorf("%+v", to)
	}
	m.Copy(&to, &stored{Paid: &cents})
	if to.Name != "" || *to.Charge != 0 || *to.Paid != 10.5 {
		t.Errorf("%+v", to)
	}
}

func TestDifferentTypesPanic(t *testing.T) {
	defer func() {
		if got := recover(); got != "can't copy a bool to Unshown" {
			t.Errorf("%v", got)
		}
	}()
	type other struct{ Unshown string }
	assert.Empty(t, mapping.New[other, stored]("Unshown").Fields())
	mapping.New[other, stored]()
}
