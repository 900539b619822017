/* The screens of people who are not signed in. They load together: each is small and shares most of the others. */

export { ConfirmEmailScreen } from './ConfirmEmailScreen';
export { ConfirmFactorResetScreen } from './ConfirmFactorResetScreen';
export { ConfirmMailboxScreen } from './ConfirmMailboxScreen';
export { ConfirmPasswordResetScreen } from './ConfirmPasswordResetScreen';
export { ConfirmRegistrationScreen } from './ConfirmRegistrationScreen';
export { ConfirmSignInScreen } from './ConfirmSignInScreen';
export { ForgotUsernameScreen } from './ForgotUsernameScreen';
export { RegistrationCompleteScreen } from './RegistrationCompleteScreen';
export { RegistrationScreen } from './RegistrationScreen';
export { RequestAccountScreen } from './RequestAccountScreen';
export { ResetPasswordScreen } from './ResetPasswordScreen';
export { StopMailsScreen } from './StopMailsScreen';
