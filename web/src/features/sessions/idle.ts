import { notifyTabs, onTabMessage } from '@/api/tabs';

const minute = 60_000;
const second = 1_000;
const warnBefore = 2 * minute;
const touchEvery = minute;

const activityEvents = ['load', 'mousemove', 'mousedown', 'click', 'scroll', 'keypress'] as const;

type IdleOptions = {
  minutes: number;
  /** Called every second of the last two minutes, and once with null when the user is back. */
  onWarning(secondsLeft: number | null): void;
  /** Called at most once a minute while the user is active. */
  onTouch(): void;
  onEnd(): void;
};

interface IdleWatch {
  /** The user has been idle for too long, even if the session hasn't ended yet. */
  isOver(): boolean;
  stop(): void;
}

/**
 * Measures the time since the user's last activity in any tab, and ends the session at the
 * limit. It compares clock times, because a computer's timers are late after sleep.
 */
export function watchIdle({ minutes, onWarning, onTouch, onEnd }: IdleOptions): IdleWatch {
  const limit = minutes * minute;
  let activeAt = Date.now();
  let reportedAt = activeAt;
  let touchedAt = activeAt;
  let checkedAt = activeAt;
  let warned = false;
  let waited = false;

  const getIdleTime = () => Date.now() - activeAt;
  const isOver = () => getIdleTime() >= limit;

  function recordActivity() {
    // Activity after the limit, such as the movement that wakes the computer, is too late.
    if (isOver()) return;
    activeAt = Date.now();
    if (warned) check();
  }

  function check() {
    const now = Date.now();
    const late = now - checkedAt > 5 * second;
    checkedAt = now;
    if (isOver()) {
      // After sleep, other tabs' messages may still arrive, so wait for one more check.
      if (late && !waited) {
        waited = true;
        return;
      }
      stop();
      onEnd();
      return;
    }
    if (activeAt > touchedAt && now - touchedAt >= touchEvery) {
      touchedAt = now;
      onTouch();
    }
    if (activeAt > reportedAt) {
      reportedAt = activeAt;
      notifyTabs({ type: 'activity', at: activeAt, touchedAt });
    }
    const left = limit - getIdleTime();
    if (left <= warnBefore) onWarning(Math.ceil(left / second));
    else if (warned) onWarning(null);
    warned = left <= warnBefore;
  }

  const unsubscribe = onTabMessage((message) => {
    if (message.type !== 'activity') return;
    activeAt = Math.max(activeAt, message.at);
    reportedAt = Math.max(reportedAt, message.at);
    touchedAt = Math.max(touchedAt, message.touchedAt);
    if (warned) check();
  });
  const timer = setInterval(check, second);
  for (const name of activityEvents)
    window.addEventListener(name, recordActivity, { capture: true, passive: true });

  function stop() {
    clearInterval(timer);
    unsubscribe();
    for (const name of activityEvents) window.removeEventListener(name, recordActivity, { capture: true });
  }
  return { isOver, stop };
}
