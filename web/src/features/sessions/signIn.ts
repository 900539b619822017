import { popAddressParams } from '@/api/address';
import { Problem } from '@/api/client';
import { signIn } from '@/api/session';

type SignInParams = { code?: string; state?: string; iss?: string; error?: string };

let params: SignInParams = {};

/** Stores the single sign-on parameters from the address and removes them there. */
export function receiveSignIn(): void {
  // An OpenID provider can add its own error description, which this screen doesn't show.
  params = popAddressParams('code', 'state', 'error', 'error_description', 'iss');
}

export const isSignInPending = (): boolean => params.code !== undefined || params.error !== undefined;

/**
 * Completes single sign-on with the received code. A code works once, so it's removed before
 * use.
 */
export async function completeSignIn(): Promise<void> {
  const { code, state, iss, error } = params;
  params = {};
  if (code === undefined) throw new Error(`single sign-on answered ${error}`);
  // This literal marks the password as a sign-in code for the server.
  await signIn({ username: 'checkAuth', password: code, state, iss });
}

/** The message for errors without a better one. */
export const unableToLogin = 'Error: Unable to login. Please contact your Account Administrator';

/** Returns the error code that the sign-in screen explains. */
export function getFailureCode(error: unknown): string {
  return error instanceof Problem && error.status === 401 ? error.message : 'UNABLE_TO_LOGIN';
}
