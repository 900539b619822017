import { api, unwrap } from '@/api/client';
import { getSession, replaceSession } from '@/api/session';
import { toast } from '@/ui/Toasts';

let reading = false;

/**
 * The server rejected something that a screen offers. An administrator may have changed the
 * account type. Then the session is replaced, and the user sees why. Several failing requests
 * check once.
 */
export async function readAccountType(): Promise<void> {
  const before = getSession();
  if (reading || !before) return;
  reading = true;
  try {
    const session = await unwrap(api.GET('/session'));
    const { user } = session;
    if (user.typeCd === before.user.typeCd || getSession()?.token !== before.token) return;
    void replaceSession(session, { type: 'changed' });
    toast.error(`An administrator changed your account to ${user.typeDesc}. Your menus have changed.`);
  } catch {
    // The original error is shown.
  } finally {
    reading = false;
  }
}
