package version

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/problem"
)

func TestCheck(t *testing.T) {
	read := Fields{{"name", "North"}, {"phone", "1"}}
	theirs := Fields{{"name", "South"}, {"phone", "1"}}
	mine := Fields{{"name", "West"}, {"phone", "1"}}
	for name, c := range map[string]struct {
		read string
		mine Fields
	}{
		"no version was sent":          {"", mine},
		"theirs was read":              {Hash(theirs), mine},
		"mine is what is there":        {Hash(read), theirs},
		"an unknown version, the same": {"?", theirs},
	} {
		assert.NoError(t, Check(c.read, theirs, c.mine), name)
	}
	var e *problem.Error
	if err := Check(Hash(read), theirs, mine); !errors.As(err, &e) || e.Kind != problem.Conflict || e.Code != CodeStale ||
		e.Version != Hash(theirs) {
		t.Fatalf("%+v", e)
	}
	if len(e.Fields) != 1 || e.Fields[0].Path != "name" || *e.Fields[0].Value != "South" {
		t.Errorf("%+v", e.Fields)
	}
	assert.NotEqual(t, Hash(Fields{{"a", "bc"}, {"", ""}}), Hash(Fields{{"a", "b"}, {"c", ""}}), "two objects have the same version")
}

func TestFieldsOf(t *testing.T) {
	type terms struct {
		Text string `json:"text"`
		Days int    `json:"days"`
	}
	type edit struct {
		terms
		Ended   string `json:"ended,omitempty"`
		Active  bool   `json:"active"`
		Version string `json:"version"`
	}
	got, err := ListFields(edit{terms{`a "b"`, 3}, "", true, "x"}, "version")
	want := Fields{{"text", `a "b"`}, {"days", "3"}, {"ended", ""}, {"active", "true"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
