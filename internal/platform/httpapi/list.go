package httpapi

import "strconv"

// List is an answer of rows; none are [].
type List[Row any] struct {
	Body []Row `nullable:"false"`
}

// ListOf answers what there is, each as a row.
func ListOf[T, Row any](list []T, row func(T) Row) *List[Row] {
	out := &List[Row]{make([]Row, len(list))}
	for i, t := range list {
		out.Body[i] = row(t)
	}
	return out
}

// LimitedList is a list that ends before the last row where there are more.
type LimitedList[Row any] struct {
	Body    []Row  `nullable:"false"`
	Limited string `header:"X-Limited-To" doc:"Number of results returned, if there are more"`
}

// LimitedTo answers at most so many of a list that was read with one more.
func LimitedTo[T, Row any](most int, list []T, row func(T) Row) *LimitedList[Row] {
	out := &LimitedList[Row]{}
	if len(list) > most {
		list, out.Limited = list[:most], strconv.Itoa(most)
	}
	out.Body = ListOf(list, row).Body
	return out
}
