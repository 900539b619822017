import { EmailScreen } from './EmailScreen';
import { RegistrationScreen } from './RegistrationScreen';
import { useLink } from './useLink';

/** Both steps of an account request. The emailed link opens the second. */
export function RequestAccountScreen() {
  return useLink().token === '' ? <EmailScreen /> : <RegistrationScreen />;
}
