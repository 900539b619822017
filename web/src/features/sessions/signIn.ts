import { takeFromAddress } from '@/api/address';
import { Problem } from '@/api/client';
import { signIn } from '@/api/session';

type Arrival = { code?: string; state?: string; iss?: string; error?: string };

let arrival: Arrival = {};

/** Keeps what single sign-on brought back in the address; the address itself forgets it. */
export function receiveSignIn(): void {
  // An OpenID provider may add the reason in its own words, which are not for this screen.
  arrival = takeFromAddress('code', 'state', 'error', 'error_description', 'iss');
}

export const signInPending = (): boolean => arrival.code !== undefined || arrival.error !== undefined;

/** Completes single sign-on with the code that arrived. A code works once, so it is taken before it is used. */
export async function completeSignIn(): Promise<void> {
  const { code, state, iss, error } = arrival;
  arrival = {};
  if (code === undefined) throw new Error(`single sign-on answered ${error}`);
  // The literal tells the server that the password is a sign-in code.
  await signIn({ username: 'checkAuth', password: code, state, iss });
}

/** Said of a failure that nothing better is known of. */
export const unableToLogin = 'Error: Unable to login. Please contact your Account Administrator';

/** The code under which the sign-in screen explains the failure. */
export function failureCode(error: unknown): string {
  return error instanceof Problem && error.status === 401 ? error.message : 'UNABLE_TO_LOGIN';
}
