package decode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/x12/x12test"
)

func TestSampleFilesAreRead(t *testing.T) {
	for _, path := range x12test.Samples(t, "x12/*.edi") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			got, err := decodeText(string(text))
			require.NoError(t, err)
			require.NotEmpty(t, got.records)
			require.Empty(t, got.notTaken)
			for _, r := range got.records {
				for _, p := range r.Problems {
					t.Log(p)
				}
				if r.Row == nil && !strings.Contains(r.Problems[len(r.Problems)-1].Reason, "has no tax ID") {
					t.Errorf("rejected: %v", r.Problems)
				}
				t.Logf("%+v", r.Row)
			}
		})
	}
}
