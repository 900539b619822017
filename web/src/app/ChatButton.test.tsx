import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { SessionContext } from '@/api/session';
import { type Call, configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { Chat } from '@/features/support/Chat';
import { ChatButton } from './ChatButton';

const person = {
  url: 'https://chat.example/widget?website_token=inbox',
  identifier: '42',
  identifierHash: 'ab12',
  name: 'Ada Moore',
  email: 'ada@example.com',
  phone: '',
  accountType: 'Provider User',
};
const inside = { postMessage: vi.fn() };
const introducing = 'GET /support/chat';
let calls: Call[];
let replies: Replies;

beforeEach(async () => {
  inside.postMessage.mockClear();
  // The test's browser loads no frames.
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(inside as unknown as Window);
  await configure({ liveChat: true });
  replies = { [introducing]: { body: person } };
  calls = fakeServer(replies);
});

const show = (permissions = ['support.chat']) =>
  render(
    <SessionContext value={makeSession({ permissions })}>
      <Chat>
        <ChatButton />
      </Chat>
    </SessionContext>,
  );
const button = () => screen.getByRole('button', { name: /^Tech Support/ });
const panel = () => screen.getByRole('complementary', { name: 'Tech Support' });
const say = (event: object, origin = 'https://chat.example') =>
  act(() => {
    window.dispatchEvent(
      new MessageEvent('message', {
        data: `chatwoot-widget:${JSON.stringify(event)}`,
        origin,
        source: inside as unknown as Window,
      }),
    );
  });

test('loads nothing before first use', async () => {
  show();
  expect(calls).toEqual([]);
  expect(screen.queryByTitle('Conversation with Tech Support')).toBeNull();
  await userEvent.click(button());
  const frame = await screen.findByTitle('Conversation with Tech Support');
  expect(calls).toEqual([{ call: introducing, body: null }]);
  expect(frame.getAttribute('src')).toBe(person.url);
  expect(frame.getAttribute('sandbox')).not.toContain('top-navigation');
  expect(screen.getByRole('heading', { name: 'Tech Support' })).toBe(document.activeElement);
});

test("sends the identity only to the widget's exact origin", async () => {
  show();
  await userEvent.click(button());
  await screen.findByTitle('Conversation with Tech Support');
  say({ event: 'loaded' }, 'https://evil.example');
  expect(inside.postMessage).not.toHaveBeenCalled();
  say({ event: 'loaded' });
  await waitFor(() => expect(inside.postMessage).toHaveBeenCalled());
  for (const [, target] of inside.postMessage.mock.calls) expect(target).toBe('https://chat.example');
  expect(inside.postMessage.mock.calls.map(([text]) => text).join()).toContain('"identifier_hash":"ab12"');
});

test('closes with its button, Escape and the widget, and preserves the conversation', async () => {
  show();
  await userEvent.click(button());
  const frame = await screen.findByTitle('Conversation with Tech Support');
  for (const close of [
    () => userEvent.click(screen.getByRole('button', { name: 'Close Tech Support' })),
    () => userEvent.keyboard('{Escape}'),
    async () => say({ event: 'closeWindow' }),
  ]) {
    expect(panel()).toBeTruthy();
    await close();
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(button()).toBe(document.activeElement);
    expect(button().getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button());
  }
  expect(screen.getByTitle('Conversation with Tech Support')).toBe(frame);
  expect(calls).toHaveLength(1);
});

test('counts messages received while closed', async () => {
  show();
  await userEvent.click(button());
  await screen.findByTitle('Conversation with Tech Support');
  say({ event: 'loaded' });
  await userEvent.click(button());
  say({ event: 'handleNotificationDot', unreadMessageCount: 2 });
  expect(screen.getByRole('button', { name: 'Tech Support 2 unread' })).toBeTruthy();
  say({ event: 'handleNotificationDot', unreadMessageCount: 0 });
  expect(screen.getByRole('button', { name: 'Tech Support' })).toBeTruthy();
});

test("shows that it's unreachable, and retries", async () => {
  replies[introducing] = { status: 503, body: { message: 'no' } };
  show();
  await userEvent.click(button());
  await screen.findByText("Tech Support isn't available right now.");
  replies[introducing] = { body: person };
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByTitle('Conversation with Tech Support');
});

test('treats a silent widget as unreachable', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  try {
    show();
    fireEvent.click(button());
    await screen.findByTitle('Conversation with Tech Support');
    // The timeout starts shortly after the frame exists.
    await waitFor(() => expect(timers).toHaveBeenCalledWith(expect.any(Function), 20_000));
    act(() => void vi.advanceTimersByTime(20_000));
    expect(screen.getByText("Tech Support isn't available right now.")).toBeTruthy();
  } finally {
    // Restore these mocks before the fake clock, or they'd return with the clock's own timers.
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});

test("isn't offered without permission", () => {
  show([]);
  expect(screen.queryByRole('button')).toBeNull();
});

test("isn't offered where it isn't configured", async () => {
  await configure({ liveChat: false });
  show();
  expect(screen.queryByRole('button')).toBeNull();
});
