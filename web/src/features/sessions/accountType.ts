import { answer, api } from '@/api/client';
import { currentSession, replace } from '@/api/session';
import { toast } from '@/ui/Toasts';

let reading = false;

/**
 * What a screen offers was refused: an administrator can have given the account another type. Then the session is the
 * new one, and the person reads why. Calls that are refused together ask once.
 */
export async function readAccountType(): Promise<void> {
  const before = currentSession();
  if (reading || !before) return;
  reading = true;
  try {
    const session = await answer(api.GET('/session'));
    const { user } = session;
    if (user.typeCd === before.user.typeCd || currentSession()?.token !== before.token) return;
    void replace(session, { type: 'changed' });
    toast.error(`An administrator changed your account to ${user.typeDesc}. Your menus have changed.`);
  } catch {
    // The refusal itself is shown.
  } finally {
    reading = false;
  }
}
