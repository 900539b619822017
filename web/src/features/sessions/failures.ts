import { unableToLogin } from './signIn';

/** Not an error. An emailed link must confirm it first. */
export const linkMailed = 'SSO_LINK_MAILED';

const texts = new Map(
  Object.entries({
    USER_ACCT_DEACTIVATED:
      'Error: The account has been deactivated. Please use the Reset Password link below to reset your Password.',
    USER_ACCT_INACTIVE:
      'Error: Please access the link in the Temporary Password Email or use the Reset Password link below to reset your Password.',
    USER_ACCT_TERMINATED:
      'Error: The account has been Terminated. Please contact your Account Administrator.',
    INVALID_CREDENTIALS: 'Error: The Username or Password is incorrect.',
    USER_ACCT_UNKNOWN_STATUS: 'Error: The Username or Password is incorrect.',
    INACTIVE_CREDENTIALS: 'Error: This account is not active. Access denied.',
    SECOND_FACTOR_NEEDED: 'Error: Your account requires two-step verification. Use the SIGN IN button.',
    MISSING_EMPLOYEE_ID:
      'Error: Your account is not associated with an Employee ID. Contact System Administrator.',
    [linkMailed]:
      "Your sign-in isn't connected to an account yet. If you have an active account, we emailed you a link. Open it to confirm your sign-in, then sign in again.",
  }),
);

const defaultLockMinutes = '30';

/** Returns the message for the code of a failed sign-in. */
export function describeFailure(code: string): string {
  const locked = /^USER_ACCT_LOCKED(?::(\d*))?$/.exec(code);
  if (locked) {
    const minutes = locked[1] || defaultLockMinutes;
    return `Error: Your account has been temporarily locked for ${minutes} minutes. Please use the Reset Password link below or contact your Account Administrator to reset your password.`;
  }
  return texts.get(code) ?? unableToLogin;
}
