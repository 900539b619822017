/*
 * The signed-out screens. They load together, because each is small and shares most of its code.
 */

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
export { UnsubscribeScreen } from './UnsubscribeScreen';
