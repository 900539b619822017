import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchIdle } from './idle';

const minute = 60_000;
const otherTab = new BroadcastChannel('wcpp');

function watch(minutes = 30) {
  const callbacks = { onWarning: vi.fn(), onTouch: vi.fn(), onEnd: vi.fn() };
  ({ stop } = watchIdle({ minutes, ...callbacks }));
  return callbacks;
}

let stop = () => {};
const act = (name = 'mousemove') => window.dispatchEvent(new Event(name));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }));
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the idle watch', () => {
  test('ends after the configured minutes', () => {
    const { onEnd } = watch(30);
    vi.advanceTimersByTime(30 * minute - 1);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test.each(['load', 'mousemove', 'mousedown', 'click', 'scroll', 'keypress'])('%s restarts it', (name) => {
    const { onEnd } = watch(30);
    vi.advanceTimersByTime(20 * minute);
    act(name);
    vi.advanceTimersByTime(29 * minute);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(minute);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test('warns two minutes before the end, and stops warning when the user is back', () => {
    const { onWarning } = watch(30);
    vi.advanceTimersByTime(28 * minute - 1);
    expect(onWarning).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onWarning).toHaveBeenLastCalledWith(120);
    vi.advanceTimersByTime(minute);
    expect(onWarning).toHaveBeenLastCalledWith(60);
    act();
    expect(onWarning).toHaveBeenLastCalledWith(null);
  });

  test('touches the server once a minute during activity and never without', () => {
    const { onTouch } = watch(30);
    for (let seconds = 0; seconds < 180; seconds += 1) {
      act();
      vi.advanceTimersByTime(1_000);
    }
    expect(onTouch).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(20 * minute);
    expect(onTouch).toHaveBeenCalledTimes(3);
  });

  test('compares the clock: a computer that slept too long ends immediately, and its waking movement is too late', () => {
    const { onEnd } = watch(30);
    vi.setSystemTime(Date.now() + 45 * minute);
    act();
    vi.advanceTimersByTime(1_000);
    expect(onEnd).not.toHaveBeenCalled(); // messages from other tabs may still arrive
    vi.advanceTimersByTime(1_000);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test('activity in another tab counts', async () => {
    const { onEnd } = watch(30);
    vi.advanceTimersByTime(20 * minute);
    const heard = new Promise((resolve) => {
      const channel = new BroadcastChannel('wcpp');
      channel.onmessage = () => {
        channel.close();
        resolve(undefined);
      };
    });
    otherTab.postMessage({ type: 'activity', at: Date.now(), touchedAt: Date.now() });
    await heard;
    vi.advanceTimersByTime(29 * minute);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(minute);
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
