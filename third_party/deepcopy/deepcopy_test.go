package deepcopy

import (
	"reflect"
	"testing"
)

type leaf struct {
	Text string
	kept int
}

type tree struct {
	Leaf   *leaf
	Leaves []leaf
	Named  map[string]*leaf
	Pair   [1]*leaf
	Any    any
	None   *leaf
}

func grown() *tree {
	return &tree{
		Leaf: &leaf{"a", 1}, Leaves: []leaf{{"b", 2}}, Named: map[string]*leaf{"c": {"c", 3}},
		Pair: [1]*leaf{{"d", 4}}, Any: &leaf{"e", 5},
	}
}

func TestCopiesShareNothing(t *testing.T) {
	for name, copied := range map[string]func(*tree) any{
		"a value":   func(src *tree) any { return *src },
		"a pointer": func(src *tree) any { return src },
	} {
		src := grown()
		var dst tree
		if err := Copy(&dst, copied(src)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&dst, src) {
			t.Errorf("%s: %+v", name, dst)
		}
		src.Leaf.Text, src.Leaves[0].Text, src.Named["c"].Text, src.Pair[0].Text, src.Any.(*leaf).Text = "x", "x", "x", "x", "x"
		if !reflect.DeepEqual(&dst, grown()) {
			t.Errorf("%s changed with what it was copied from: %+v", name, dst)
		}
	}
}

func TestOtherTypesAreRefused(t *testing.T) {
	var dst tree
	for _, err := range []error{Copy(dst, grown()), Copy(&dst, leaf{}), Copy(&dst, (*tree)(nil)), Copy((*tree)(nil), tree{}),
		Copy(&dst, nil)} {
		if err == nil {
			t.Error("what cannot be copied was")
		}
	}
}
