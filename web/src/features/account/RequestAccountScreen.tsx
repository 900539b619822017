import { EmailScreen } from './EmailScreen';
import { RegistrationScreen } from './RegistrationScreen';
import { useLink } from './useLink';

/** Both steps of an account request: who comes by the mailed link is at the second. */
export function RequestAccountScreen() {
  return useLink().token === '' ? <EmailScreen /> : <RegistrationScreen />;
}
