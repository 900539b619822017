package secondsystem

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/problem"
)

const (
	ours   = "111111111"
	theirs = "999999999"
)

// The system is asked for all criteria, and bills of other TINs are left out.
func TestSearch(t *testing.T) {
	var asked Search
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer key" || r.Method+r.URL.Path != "POST/bills/search" {
			t.Errorf("%s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&asked))
		fmt.Fprintf(w, `[{"ftin":"%s","exId":"X1","billControlNumber":"M-1"},{"ftin":"%s","exId":"X2"}]`, ours, theirs)
	}))
	defer server.Close()
	want := Search{[]string{ours}, mappingtest.Filled[Query]()}
	found, err := New(server.URL+"/", "key", time.Second, nil).Search(t.Context(), want.TINs, want.Query)
	if err != nil || len(found) != 1 || found[0].Number() != "M-1" || !reflect.DeepEqual(asked, want) {
		t.Errorf("found %+v, %v, asked %+v", found, err, asked)
	}
	assert.Equal(t, "X2", (&Bill{ExID: "X2"}).Number())
	var none *System
	if found, err := none.Search(t.Context(), want.TINs, want.Query); found != nil || err != nil {
		t.Errorf("without a system: %v, %v", found, err)
	}
}

// Failures make the system unavailable, and redirects aren't followed.
func TestUnavailable(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect is followed: %s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	hang := make(chan struct{})
	for name, answer := range map[string]http.HandlerFunc{
		"hang":     func(http.ResponseWriter, *http.Request) { <-hang },
		"broken":   func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadGateway) },
		"nonsense": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		},
	} {
		server := httptest.NewServer(answer)
		defer server.Close()
		s := New(server.URL, "key", 200*time.Millisecond, nil)
		if _, err := s.Search(t.Context(), []string{ours}, Query{}); !problem.Is(err, problem.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
		if address, err := s.Document(t.Context(), "X1", false); err == nil || address != "" {
			t.Errorf("a document, %s: %q, %v", name, address, err)
		}
	}
	close(hang)
}

func TestDocument(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bills/X 1/image" || r.URL.Path == "/bills/X 1/eor" {
			fmt.Fprintf(w, `{"url":"https://images.example%s"}`, r.URL.EscapedPath())
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	s := New(server.URL, "", time.Second, nil)
	for isEOR, want := range map[bool]string{false: "/bills/X%201/image", true: "/bills/X%201/eor"} {
		if address, err := s.Document(t.Context(), "X 1", isEOR); err != nil || address != "https://images.example"+want {
			t.Errorf("EOR %v: %q, %v", isEOR, address, err)
		}
	}
	if _, err := s.Document(t.Context(), "X9", false); !errors.Is(err, ErrNoDocument) {
		t.Errorf("no such document: %v", err)
	}
}
