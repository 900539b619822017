package identifiers

import "testing"

func TestValidNPI(t *testing.T) {
	for npi, want := range map[string]bool{
		"1234567893": true, "1245319599": true, "1234567890": false, "123456789": false, "12345678931": false, "123456789a": false,
		"": false,
	} {
		if IsNPI(npi) != want {
			t.Errorf("ValidNPI(%q) = %v", npi, !want)
		}
	}
}

func TestStates(t *testing.T) {
	for s, want := range map[string]bool{"OH": true, "PR": true, "DC": true, "oh": false, "XX": false, "": false} {
		if IsState(s) != want {
			t.Errorf("IsState(%q) = %v", s, !want)
		}
	}
}
