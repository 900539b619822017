package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
)

// userFileOfGroup is a user file of an internal administrator, with one user for the group $.
const userFileOfGroup = userFileHead + ",Group ID,Affiliation,Job Title,Company Name\n" +
	"PRUS,Nora,,Newman,2165550148,nora@example.com,111111111,$,OFC_STAFF,Biller,North"

// userFileHead is the header of every user file.
const userFileHead = "Account Type,First Name,Middle Initial,Last Name,Phone Number,Email Address,TINs"

// userFile uploads a user file to an endpoint with confirmation.
func (p *portal) userFile(token option, path, content string) reply {
	sum := sha256.Sum256([]byte(content))
	return p.userForm(token, path, hex.EncodeToString(sum[:]), content)
}

func (p *portal) userForm(token option, path, checked, content string) reply {
	p.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("checked", checked)
	part, err := w.CreateFormFile("file", "users.csv")
	require.NoError(p.t, err)
	_, _ = io.WriteString(part, content)
	require.NoError(p.t, w.Close())
	return p.do("POST", "/api"+path, body.String(), token, func(r *http.Request) { r.Header.Set("Content-Type", w.FormDataContentType()) })
}

// userRows returns a line for each row of a file.
func (p *portal) userRows(r reply) []string {
	p.t.Helper()
	p.want(r, 200, "")
	var file struct {
		Rows []struct {
			Row           int
			State, UserNm string
			Problems      []struct{ Column, Reason string }
		}
	}
	r.into(p.t, &file)
	lines := make([]string, len(file.Rows))
	for i, row := range file.Rows {
		lines[i] = strings.TrimSpace(fmt.Sprintf("%d %s %s", row.Row, row.State, row.UserNm))
		for _, problem := range row.Problems {
			lines[i] += fmt.Sprintf(" [%s: %s]", problem.Column, problem.Reason)
		}
	}
	return lines
}

// A group administrator adds users from a file under the rules of Add User. A check stores
// nothing. Each row is then created or rejected separately, and repeating the upload creates no
// duplicates.
func TestUsersFromAFile(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad := bearer(p.signIn("prad"))
		// Excel format: byte order mark, Windows line endings, quoted cells, empty rows.
		file := "\xEF\xBB\xBF" + strings.ReplaceAll(userFileHead+`
Provider User,Nora,,"Newman MD",(216) 555-0148,nora@example.com,11-1111111; 222222222
,,,,,,
PRUS,Otto,,Ode,2165550149,otto@example.com,333333333
PRUS,Paul,,Poe,2165550149,NORA@example.com,111111111
prad,"Quinn Q",X,Quill,+1 216 555 0150,quinn@example.com,
PRUS,,YY,Roe,12,prus@example.com,
ISAD,Sue,,Sly,2165550149,sue@example.com,
PRUS,Tom,,Tall,2165550149,prus@example.com,111111111
PRAD,Una,,Ulm,2165550149,una@example.com,111111111,more
`, "\n", "\r\n")
		want := []string{
			"2 good", "4 refused [TINs: TIN 333333333: Not in this group.]", "5 refused [Email Address: Row 2 has the same address.]",
			"6 good",
			"7 refused [First Name: Enter valid First Name] [Middle Initial: Enter Middle Initial] [Phone Number: Enter a valid " +
				"numeric Phone Number] [TINs: Select TIN]",
			"8 refused [Account Type: Select Account Type]", "9 refused [Email Address: Row 7 has the same address.]",
			"10 refused [: The row has 8 cells instead of 7. Put quotation marks around cells that contain a comma.] [TINs: Leave this " +
				"blank. A provider administrator in an existing group gets all of its TINs.]",
		}
		before := p.state()
		p.wantLines("checked", p.userRows(p.userFile(prad, "/work/users/file/check", file)), want...)
		if p.state() != before || len(p.inbox("nora@example.com")) > 0 {
			t.Error("a check stores something")
		}
		p.want(p.userForm(prad, "/work/users/file", "other", file), 409, "This isn't the file that was validated. Validate it again.")
		want[0], want[3] = "2 made nnewmanmd", "6 made qquill"
		p.wantLines("taken", p.userRows(p.userFile(prad, "/work/users/file", file)), want...)
		p.only("nora@example.com", "Finish setting up your account")
		p.audited(2, `operation = 'user-create' AND result = 'ok' AND actor = 'prad'`)
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM user_tins WHERE user_id = $1`, p.user("nnewmanmd").ID))
		if got := p.user("qquill"); got.GroupID != p.groupOf("prad") || got.FirstName != "Quinn Q" || got.Phone != "2165550150" {
			t.Errorf("%+v", got)
		}
		want[0] = "2 refused [Email Address: The Email Address is associated to another account]"
		want[3] = "6 refused [Email Address: The Email Address is associated to another account]"
		p.wantLines("again", p.userRows(p.userFile(prad, "/work/users/file", file)), want...)
		p.audited(2, `operation = 'user-create'`)
		p.audited(1, `operation = 'user-file-check' AND detail = '2 of 8 rows' AND actor = 'prad'`)
		p.audited(1, `operation = 'user-file' AND detail = '2 of 8 rows'`)
		p.audited(1, `operation = 'user-file' AND detail = '0 of 8 rows'`)
	})
}

// The network adds accounts of every type, with their groups and other data.
func TestUsersOfEveryTypeFromAFile(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.sources()
		isad, group := bearer(p.signIn("isad")), p.groupOf("prad")
		head := userFileHead + ",Group ID,Employee ID,Roster Hub Sources,Affiliation,Other Affiliation,Job Title,Company Name,Company URL\n"
		work := ",OFC_STAFF,,Biller,North,"
		rows := []string{
			fmt.Sprintf("PRUS,Ann,,Able,2165550148,ann@example.com,111111111,%d,,%s", group, work),
			"PRAD,Bob,,Bell,2165550148,bob@example.com,777777771 777777772,,,,Other,Consultant,Biller,North,",
			"NNUS,Cid,,Cole,2165550148,cid@example.com,666666666,,," + work,
			"NNUS,Dan,,Dole,2165550148,dan@example.com,444444444,,," + work,
			"ROAD,Eve,,Eads,2165550148,eve@example.com,,,,201,,,Clerk,Hub,",
			"IRAD,Fay,,Fox,2165550148,fay@example.com,,,E-77,,,,,,",
			"ISAD,Gus,,Good,2165550148,gus@example.com,,5,,,,,,,",
			"PRUS,Hal,,Hall,2165550148,hal@example.com,111111111,987654,," + work,
			"PRUS,Ida,,Ives,2165550148,ida@example.com,12,x,," + work,
			fmt.Sprintf("PRUS,Jan,,Jay,2165550148,jan@example.com,111111111,%d,,,,,,,", group),
			"ISAD,Kim,,Koe,2165550149,kim@example.com,,,7.1E+09,,,,,,",
			"PRAD,Lea,,Lund,2165550148,lea@example.com,777777773 111111111,,,,OFC_STAFF,,Biller,North,",
			fmt.Sprintf("PRUS,Max,,May,2165550148,max@example.com,111111111,%d,,,OTHER,%s,%[3]s,%[3]s,%[3]s", group,
				strings.Repeat("x", 41), strings.Repeat("x", 121)),
		}
		file := head + strings.Join(rows, "\n")
		want := []string{
			"2 made aable", "3 made bbell", "4 made ccole",
			"5 refused [TINs: TIN 444444444: In network. Non-network users can have only out-of-network TINs.]",
			"6 made eeads", "7 made ffox", "8 refused [Group ID: Leave this blank for the account type Internal System Admin.]",
			"9 refused [Group ID: Enter a valid group Id]",
			"10 refused [TINs: Enter 9 digits for each TIN.] [Group ID: Enter a group number.]",
			"11 refused [Affiliation: Select Affiliation] [Job Title: Enter a valid Job Title] [Company Name: Enter a valid Company Name]",
			"12 refused [Employee ID: Excel shortened this number. Format the column as text and enter it again.]",
			fmt.Sprintf("13 refused [TINs: TIN 111111111: Group %d has it too. To share it, add this user in Add User.]", group),
			"14 refused [Other Affiliation: Up to 40 characters] [Job Title: Up to 120 characters] [Company Name: Up to 120 characters] " +
				"[Company URL: Up to 120 characters]",
		}
		p.wantLines("taken", p.userRows(p.userFile(isad, "/work/users/file", file)), want...)
		if got := p.user("bbell"); got.GroupID == group || got.AffiliationCd != "OTHER" || got.AffiliationDesc != "Consultant" {
			t.Errorf("%+v", got)
		}
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM group_tins WHERE group_id = $1`, p.groupOf("bbell")))
		if got := p.user("ffox"); got.TypeCd != access.IRAD || got.EmployeeID != "E-77" {
			t.Errorf("%+v", got)
		}
	})
}

// A file in another format is rejected completely, with instructions.
func TestFilesThatAreNoUsers(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prad")
		prad := bearer(token)
		row := "\nPRUS,Nora,,Newman,2165550148,nora@example.com,111111111"
		for content, message := range map[string]string{
			"":                              "The file is empty. Add a first line with column names.",
			userFileHead:                    "The file doesn't list any users. Add at least one row below the headings.",
			"Account Type,First Name":       "The column “Last Name” is missing. Use the template's columns.",
			userFileHead + ",Group ID":      "Unknown column “Group ID”. Use the template's columns.",
			userFileHead + ",tins" + row:    "Duplicate column “TINs”. Remove one of them.",
			userFileHead + "\n\"PRUS" + row: "Couldn't read line 3. Check its quotation marks.",
			userFileHead + row + "\xff":     "The file isn't UTF-8. Save it as “CSV UTF-8”.",
		} {
			if r := p.userFile(prad, "/work/users/file/check", content); r.status != 400 || r.fields() != "file: "+message {
				t.Errorf("%q: %d %s", content, r.status, r.body)
			}
		}
		p.want(p.userFile(prad, "/work/users/file/check", userFileHead+strings.Repeat(row, 501)), 413,
			"The file has more than 500 users. Split it into smaller files.")
		p.want(p.userFile(prad, "/work/users/file/check", strings.Repeat("x", 1<<20+1)), 413,
			"The file is larger than 1 MB. Split it into smaller files.")
		p.want(p.post("/work/users/file/check", fields{}, prad), 400, "Select a file.")
		for _, who := range []string{"irad", "prus", "nnus", "road", "isad>prad"} {
			for _, call := range []string{"", "/check"} {
				p.want(p.userFile(bearer(p.tokenOf(who)), "/work/users/file"+call, userFileHead+row), 403, "")
			}
		}
		p.later(11*60e9, token)
		isad := p.signIn("isad")
		p.later(11*60e9, token, isad)
		p.want(p.userFile(bearer(isad), "/work/users/file", userFileHead+",Employee ID\nISAD,Gus,,Good,2165550148,gus@example.com,,E-8"),
			403, "")
		p.want(p.do("GET", "/api/work/users/file", nil, prad), 200, "")
	})
}

// Sending the same file twice at the same time creates each account once.
func TestOneFileTwiceAtOnce(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad := bearer(p.signIn("prad"))
		file := userFileHead
		for i := range 8 {
			file += fmt.Sprintf("\nPRUS,Nora,,Newman,2165550148,nora%d@example.com,111111111", i)
		}
		var both sync.WaitGroup
		answers := make([][]string, 2)
		for i := range answers {
			both.Go(func() { answers[i] = p.userRows(p.userFile(prad, "/work/users/file", file)) })
		}
		both.Wait()
		made := 0
		for _, line := range append(answers[0], answers[1]...) {
			if strings.Contains(line, " made ") {
				made++
			} else if !strings.Contains(line, "The Email Address is associated to another account") {
				t.Error(line)
			}
		}
		if n := p.count(`SELECT count(*) FROM users WHERE last_name = 'Newman'`); made != 8 || n != 8 {
			t.Errorf("%d made, %d there", made, n)
		}
	})
}

// The rules apply as of confirmation. A failure midway reverts nothing, and the same file does
// the rest.
func TestFileOfUsersStopsInTheMiddle(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad := bearer(p.signIn("prad"))
		file := userFileHead
		for _, name := range []string{"Ann", "Bob", "Cid", "Dan"} {
			file += fmt.Sprintf("\nPRUS,%s,,Newman,2165550148,%s@example.com,111111111", name, strings.ToLower(name))
		}
		p.wantLines("checked", p.userRows(p.userFile(prad, "/work/users/file/check", file)), "2 good", "3 good", "4 good", "5 good")
		p.add("ann", access.PRUS, p.groupOf("prad"), "111111111")
		mend := p.breaks("users", "NEW.first_name = 'Cid'")
		const taken = " refused [Email Address: The Email Address is associated to another account]"
		p.wantLines("stopped", p.userRows(p.userFile(prad, "/work/users/file", file)), "2"+taken, "3 made bnewman", "4 left", "5 left")
		assert.Contains(t, p.logged(), "a user file was interrupted", "nobody is told why")
		mend()
		p.wantLines("the rest", p.userRows(p.userFile(prad, "/work/users/file", file)), "2"+taken, "3"+taken, "4 made cnewman",
			"5 made dnewman")
	})
}
