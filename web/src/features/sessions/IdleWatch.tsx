import { useEffect, useState } from 'react';
import { api, bearer, unwrap } from '@/api/client';
import { getFormKey } from '@/api/formKey';
import { endSession, signOut } from '@/api/session';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { watchIdle } from './idle';

const fetchAfter = 5_000;
const defaultMinutes = 30;

/** Signs users out after the configured idle time, with a warning two minutes earlier. */
export function IdleWatch() {
  const minutes = useIdleMinutes();
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);

  useEffect(() => {
    if (minutes === null) return;
    const { isOver, stop } = watchIdle({
      minutes,
      onWarning: setSecondsLeft,
      // The next minute of activity repeats a failed touch.
      onTouch: () => void api.POST('/session/touch').catch(() => {}),
      onEnd: () => void signOut({ reason: 'idle', minutes }),
    });
    // After sleep, a refused request may be earlier than the timer.
    const { reject } = bearer;
    bearer.reject = () => (isOver() ? endSession({ reason: 'idle', minutes }, true) : reject());
    return () => {
      bearer.reject = reject;
      stop();
    };
  }, [minutes]);

  return (
    <Dialog
      open={secondsLeft !== null}
      title="Are you still there?"
      actions={
        <>
          <Button onClick={() => void signOut({ reason: 'signed-out' })}>Sign out now</Button>
          {/* The click itself is the activity that extends the session. */}
          <Button variant="primary" data-autofocus>
            Stay signed in
          </Button>
        </>
      }
    >
      <p>For your security, we'll sign you out in {clock(secondsLeft ?? 0)} because of inactivity.</p>
    </Dialog>
  );
}

/** The configured minutes, requested shortly after sign-in; null until then. */
function useIdleMinutes(): number | null {
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    let left = false;
    const timer = setTimeout(async () => {
      // It's too late to request the key when the session ends.
      void getFormKey();
      const allowed = await unwrap(
        api.GET('/appProperties/property/{name}', { params: { path: { name: 'FE_APP_TIMEOUT' } } }),
      ).catch(() => defaultMinutes);
      if (!left) setMinutes(allowed > 0 ? allowed : defaultMinutes);
    }, fetchAfter);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, []);
  return minutes;
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
