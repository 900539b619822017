package httpapi

import "strconv"

// List is a response with rows. Without rows, it is [].
type List[Row any] struct {
	Body []Row `nullable:"false"`
}

// NewList converts each item to a row.
func NewList[T, Row any](list []T, row func(T) Row) *List[Row] {
	out := &List[Row]{make([]Row, len(list))}
	for i, t := range list {
		out.Body[i] = row(t)
	}
	return out
}

// LimitedList is a list that can be truncated.
type LimitedList[Row any] struct {
	Body    []Row  `nullable:"false"`
	Limited string `header:"X-Limited-To" doc:"Number of results returned, if there are more"`
}

// NewLimitedList returns up to most rows of a list that was read with one extra item.
func NewLimitedList[T, Row any](most int, list []T, row func(T) Row) *LimitedList[Row] {
	out := &LimitedList[Row]{}
	if len(list) > most {
		list, out.Limited = list[:most], strconv.Itoa(most)
	}
	out.Body = NewList(list, row).Body
	return out
}
