package facts

import "testing"

func TestPatientsMatch(t *testing.T) {
	patient := func(last, first string) Person {
		return NewPerson(Bill{PatientLastName: last, PatientFirstName: first})
	}
	for _, c := range []struct {
		a, b Person
		want bool
	}{
		{patient("NU\u00d1EZ", "JOS\u00c9"), patient("NUNEZ", "JOSE"), true},
		{patient("NU\u00d1EZ", "JOS\u00c9"), patient("NUNEZ", "J"), true},
		{patient("S\u00d8RENSEN", "LARS"), patient("SORENSEN", "LARS PETER"), true},
		{patient("O'BRIEN", "PAT"), patient("OBRIEN", "PATRICIA"), true},
		{patient("SMITH JR", "JOHN"), patient("SMITH", "JOHN"), true},
		{patient("SMITH", "JOHN JR"), patient("SMITH, JR.", "JOHN"), true},
		{patient("SMITH JR", "JOHN"), patient("SMITH SR", "JOHN"), false},
		{patient("SMITH II", "JOHN"), patient("SMITH III", "J"), false},
		{patient("SMITH", "JO"), patient("SMITH", "JOHN"), false},
		{patient("", "JOHN"), patient("", "JOHN"), false},
	} {
		if c.a.Matches(c.b) != c.want || c.b.Matches(c.a) != c.want {
			t.Errorf("%+v and %+v agree: %v", c.a, c.b, c.a.Matches(c.b))
		}
	}
	// Bills with the same network number are one patient's if the first names agree.
	if jr, sr := patient("SMITH JR", "JOHN"), patient("SMITH SR", "JOHN"); !jr.MatchesByNumber(patient("SMITH", "JOHN")) ||
		!jr.MatchesByNumber(sr) {
		t.Error("two of one number disagree")
	}
}
