import { refusal } from '@/shared/refusal';
import { genericError } from './ProfileForm';

/** Why a change did not succeed, as far as the server says it to people. */
export function reason(error: unknown): string {
  const { status, message } = refusal(error);
  return [400, 403, 409, 429].includes(status) ? `Error: ${message}` : genericError;
}
