import { toProblem } from '@/shared/apiError';
import { genericError } from './ProfileForm';

/** Returns the server's message for a failed change, if it's meant for users. */
export function getReason(error: unknown): string {
  const { status, message } = toProblem(error);
  return [400, 403, 409, 429].includes(status) ? `Error: ${message}` : genericError;
}
