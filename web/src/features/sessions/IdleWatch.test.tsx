import { act, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { bearer } from '@/api/client';
import { onSessionChange, replaceSession, type SessionChange } from '@/api/session';
import { fakeServer, listCalls, makeSession, neverReplies } from '@/api/testing';
import { KitProvider } from '@/ui/KitProvider';
import { IdleWatch } from './IdleWatch';

afterEach(() => void vi.useRealTimers());

// After sleep, the notification stream's request may be earlier than the timer.
test.each([
  [29, 'expired'],
  [31, 'idle'],
])('a request refused after %i minutes ends the session as %s', async (minutes, reason) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const calls = fakeServer({
    'GET /appProperties/property/FE_APP_TIMEOUT': { body: 30 },
    'PUT /session/form-key': neverReplies,
  });
  await replaceSession(makeSession(), { type: 'started' });
  render(
    <KitProvider>
      <IdleWatch />
    </KitProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  await vi.waitFor(() => expect(listCalls(calls)).toHaveLength(2));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  const changes: SessionChange[] = [];
  const leave = onSessionChange((change) => changes.push(change));
  vi.setSystemTime(Date.now() + minutes * 60_000);
  act(() => bearer.reject());
  leave();
  expect(changes).toMatchObject([{ type: 'ended', ending: { reason } }]);
});
