import { EmailScreen } from './EmailScreen';
import { useLink } from './link';
import { RegistrationScreen } from './RegistrationScreen';

/** Both steps of an account request: who comes by the mailed link is at the second. */
export function RequestAccountScreen() {
  return useLink().token === '' ? <EmailScreen /> : <RegistrationScreen />;
}
