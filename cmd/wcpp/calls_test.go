package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"wcpp/internal/platform/httpapi"
)

// signIn opens a session for the account that most tests add.
func signIn(address string) (token string, err error) {
	return signInAs(address, "amoore", "Quiet-Lake-7")
}

func signInAs(address, userName, password string) (token string, err error) {
	res, err := http.Post("http://"+address+"/api/authenticate", "application/json",
		strings.NewReader(fmt.Sprintf(`{"username":%q,"password":%q}`, userName, password)))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var answer struct{ Token string }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("status %d", res.StatusCode)
	}
	return answer.Token, nil
}

func signedIn(address, token string) bool { return getStatus(address, token) == http.StatusOK }

// getStatus requests the session and returns the status, or 0 if nothing responds.
func getStatus(address, token string) int {
	status, _, err := request(http.MethodGet, address, token, "/api/session")
	if err != nil {
		return 0
	}
	return status
}

// call sends a request that must succeed and returns the response body.
func call(t *testing.T, method, address, token, path string) []byte {
	t.Helper()
	status, body, err := request(method, address, token, path)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s answered %d %s %v", path, status, body, err)
	}
	return body
}

func request(method, address, token, path string) (status int, body []byte, err error) {
	req, err := http.NewRequest(method, "http://"+address+path, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.AddCookie(&http.Cookie{Name: httpapi.SessionCookie, Value: token})
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, body, err
}

// requestFeeSchedule requests the file for a rate code and returns its ID.
func requestFeeSchedule(t *testing.T, address, token, code string) string {
	t.Helper()
	id := call(t, http.MethodPost, address, token, "/api/feeSchedule/addFeeSchedRequest/amoore/"+code+"/700/Lake/44114")
	return strings.TrimSpace(string(id))
}
