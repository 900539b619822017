import { addRetryTime, toProblem } from './apiError';

const forbidden = 403;
const notFound = 404;
const conflict = 409;
const tooLarge = 413;

/**
 * Returns the server's advice on an error if there is any, else the general message. `missing` is
 * the message if the record is gone.
 */
export function errorMessage(error: unknown, failed: string, missing?: string): string {
  const problem = toProblem(error);
  const { status, message, fields } = problem;
  if (fields.length > 0) return `Error: ${fields.map((field) => field.message).join(' ')}`;
  if (status === notFound && missing) return missing;
  return [forbidden, notFound, conflict, tooLarge].includes(status)
    ? `Error: ${message}`
    : addRetryTime(failed, problem);
}
