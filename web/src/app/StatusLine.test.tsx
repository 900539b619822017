import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answer, type Call, fakeServer, replyTo, unreachable } from '@/api/testing';
import { notifyStatusChanged } from '@/shared/statusLine';
import StatusLine from './StatusLine';

const asked = 'GET /js/status.json';
const line = { text: 'Claims are late', kind: 'WARNING', to: '2026-06-15T14:01:30Z' };

let calls: Call[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-15T14:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function open(...answers: Answer<unknown>[]) {
  calls = fakeServer(replyTo(asked, answers));
  render(<StatusLine />);
  await pass(0);
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const shown = () => screen.getByRole('status').textContent;

it('shows the announcement until its end, whatever a cache in between returns', async () => {
  await open({ body: line });
  expect(shown()).toBe('Claims are late');
  await pass(89);
  expect(shown()).toBe('Claims are late');
  await pass(1);
  expect(shown()).toBe('');
});

it('refetches each minute', async () => {
  await open({ body: null }, { body: line });
  expect(shown()).toBe('');
  await pass(59);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(shown()).toBe('Claims are late');
});

it('refetches immediately when this page has changed it', async () => {
  await open({ body: null }, { body: line });
  act(notifyStatusChanged);
  await pass(0);
  expect(shown()).toBe('Claims are late');
  expect(calls).toHaveLength(2);
});

it('stays unchanged when a refetch fails', async () => {
  calls = fakeServer(
    replyTo(asked, () =>
      calls.length === 1 ? { body: line } : calls.length === 2 ? unreachable() : { status: 503 },
    ),
  );
  render(<StatusLine />);
  await pass(0);
  await pass(60);
  expect([calls.length, shown()]).toEqual([2, 'Claims are late']);
});

it('stops fetching after unmounting', async () => {
  await open({ body: null });
  cleanup();
  await pass(300);
  expect(calls).toHaveLength(1);
});
