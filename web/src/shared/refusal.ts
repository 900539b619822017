import { isUnproven, Problem } from '@/api/client';

const forbidden = 403;
const notFound = 404;
const conflict = 409;
const tooLarge = 413;
const tooMany = 429;

/** Why a call did not succeed. */
export const refusal = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, '', String(error));

/** The text of a failure; who has tried too often is told for how long to wait, who did not show who they are that. */
export const withWait = (text: string, problem: Problem): string =>
  isUnproven(problem)
    ? `Error: ${problem.message}`
    : problem.status === tooMany
      ? `${text} ${problem.message}`
      : text;

/** What is told of a failure: what the server says can be done about it, else that it failed. */
export function whyFailed(error: unknown, failed: string): string {
  const problem = refusal(error);
  const { status, message, fields } = problem;
  if (fields.length > 0) return `Error: ${fields.map((field) => field.message).join(' ')}`;
  return [forbidden, notFound, conflict, tooLarge].includes(status)
    ? `Error: ${message}`
    : withWait(failed, problem);
}
