package identifiers

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValidNPI(t *testing.T) {
	for npi, want := range map[string]bool{
		"1234567893": true, "1245319599": true, "1234567890": false, "123456789": false, "12345678931": false, "123456789a": false,
		"": false,
	} {
		assert.Equalf(t, want, IsNPI(npi), "ValidNPI(%q) = %v", npi, !want)
	}
}

func TestStates(t *testing.T) {
	for s, want := range map[string]bool{"OH": true, "PR": true, "DC": true, "oh": false, "XX": false, "": false} {
		assert.Equalf(t, want, IsState(s), "IsState(%q) = %v", s, !want)
	}
}
