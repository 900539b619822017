package httpapi

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
