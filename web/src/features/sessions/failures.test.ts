import { expect, test } from 'vitest';
import { describeFailure } from './failures';

const locked = (minutes: number) =>
  `Error: Your account has been temporarily locked for ${minutes} minutes. Please use the Reset Password link below or contact your Account Administrator to reset your password.`;
const other = 'Error: Unable to login. Please contact your Account Administrator';

test.each([
  [
    'USER_ACCT_DEACTIVATED',
    'Error: The account has been deactivated. Please use the Reset Password link below to reset your Password.',
  ],
  [
    'USER_ACCT_INACTIVE',
    'Error: Please access the link in the Temporary Password Email or use the Reset Password link below to reset your Password.',
  ],
  ['USER_ACCT_LOCKED:12', locked(12)],
  ['USER_ACCT_LOCKED:', locked(30)],
  ['USER_ACCT_LOCKED', locked(30)],
  [
    'USER_ACCT_TERMINATED',
    'Error: The account has been Terminated. Please contact your Account Administrator.',
  ],
  ['INVALID_CREDENTIALS', 'Error: The Username or Password is incorrect.'],
  ['USER_ACCT_UNKNOWN_STATUS', 'Error: The Username or Password is incorrect.'],
  ['INACTIVE_CREDENTIALS', 'Error: This account is not active. Access denied.'],
  ['SECOND_FACTOR_NEEDED', 'Error: Your account requires two-step verification. Use the SIGN IN button.'],
  [
    'MISSING_EMPLOYEE_ID',
    'Error: Your account is not associated with an Employee ID. Contact System Administrator.',
  ],
  [
    'SSO_LINK_MAILED',
    "Your sign-in isn't connected to an account yet. If you have an active account, we emailed you a link. Open it to confirm your sign-in, then sign in again.",
  ],
  ['USER_ACCT_LOCKED:call 555', other],
  ['toString', other],
  ['', other],
])('%s', (code, text) => expect(describeFailure(code)).toBe(text));
