/* The screens of people who are not signed in. They load together: each is small and shares most of the others. */

export { ConfirmPasswordResetScreen } from './ConfirmPasswordResetScreen';
export { ConfirmRegistrationScreen } from './ConfirmRegistrationScreen';
export { ForgotUsernameScreen } from './ForgotUsernameScreen';
export { RegistrationCompleteScreen } from './RegistrationCompleteScreen';
export { RegistrationScreen } from './RegistrationScreen';
export { RequestAccountScreen } from './RequestAccountScreen';
export { ResetPasswordScreen } from './ResetPasswordScreen';
