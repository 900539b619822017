import { refusal, withWait } from './refusal';

const forbidden = 403;
const notFound = 404;
const conflict = 409;
const tooLarge = 413;

/** What is told of a failure: what the server says can be done about it, else that it failed. */
export function whyFailed(error: unknown, failed: string): string {
  const problem = refusal(error);
  const { status, message, fields } = problem;
  if (fields.length > 0) return `Error: ${fields.map((field) => field.message).join(' ')}`;
  return [forbidden, notFound, conflict, tooLarge].includes(status)
    ? `Error: ${message}`
    : withWait(failed, problem);
}
