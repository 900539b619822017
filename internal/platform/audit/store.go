package audit

import (
	"context"
	"strings"

	"wcpp/internal/platform/db"
)

func about(ctx context.Context, q db.Queryer, userName string, operations []string, limit int) ([]Entry, error) {
	args := []any{userName, limit}
	for _, o := range operations {
		args = append(args, o)
	}
	var list []Entry
	err := db.Select(ctx, q, &list, `
		SELECT at, actor, acting_for, operation, subject, result, detail, request_id, client FROM audit_log
		WHERE subject = $1 AND operation IN (`+db.In(3, len(operations))+`) ORDER BY at DESC, id DESC LIMIT $2`, args...)
	return list, err
}

func insert(ctx context.Context, q db.Queryer, entries ...Entry) error {
	const columns = 9
	var rows []string
	var args []any
	for _, e := range entries {
		rows = append(rows, "("+db.In(len(args)+1, columns)+")")
		args = append(args, e.At, e.Actor, e.ActingFor, e.Operation, e.Subject, e.Result, e.Detail, e.RequestID, e.Client)
	}
	_, err := db.Exec(ctx, q, `
		INSERT INTO audit_log (at, actor, acting_for, operation, subject, result, detail, request_id, client)
		VALUES `+strings.Join(rows, ", "), args...)
	return err
}
