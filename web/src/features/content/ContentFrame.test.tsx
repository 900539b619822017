import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeServer, replyTo, unreachable } from '@/api/testing';
import { ContentFrame } from './ContentFrame';

const page = 'https://content.example/home.html';
const inside = {} as Window;

beforeEach(() => {
  // The test's browser loads no frames.
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(inside);
});

afterEach(() => {
  vi.useRealTimers();
});

function show() {
  const onSecureResource = vi.fn();
  render(<ContentFrame url={page} title="Home" onSecureResource={onSecureResource} />);
  const frame = screen.getByTitle<HTMLIFrameElement>('Home');
  const say = (data: unknown, origin = 'https://content.example') =>
    act(() => {
      window.dispatchEvent(new MessageEvent('message', { data, origin, source: inside }));
    });
  return { frame, say, onSecureResource };
}

test('is as high as the page says plus 17 px, in a sandbox', () => {
  const { frame, say } = show();
  say({ type: 'height', height: 800 });
  expect(frame.style.height).toBe('817px');
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups');
});

test('ignores another origin', () => {
  const { frame, say, onSecureResource } = show();
  say({ type: 'height', height: 800 }, 'https://evil.example');
  say({ type: 'secureResource', url: '/a.pdf' }, 'https://evil.example');
  expect(frame.style.height).toBe('');
  expect(onSecureResource).not.toHaveBeenCalled();
});

test("passes on the page's requested resource", () => {
  const { say, onSecureResource } = show();
  say({ type: 'secureResource', url: '/manuals/a.pdf' });
  expect(onSecureResource).toHaveBeenCalledWith('/manuals/a.pdf');
});

const tiles = 'Where would you like to start?';
const absent = (frame: HTMLElement) => frame.parentElement?.className !== '';

function showHome() {
  vi.useFakeTimers();
  render(<ContentFrame url={page} title="Home" instead={{ page: 'home', shown: <p>{tiles}</p> }} />);
  return screen.getByTitle<HTMLIFrameElement>('Home');
}

/** How the content host responds to the browser, and to the portal. */
const hostIs = (reachable: boolean, failed: boolean) =>
  fakeServer({
    ...replyTo('GET /home.html', reachable ? { body: '' } : unreachable),
    ...replyTo('GET /js/content/home.json', { body: { failed } }),
  });

test('shows other content while the page is unavailable, and stays laid out', () => {
  const frame = showHome();
  expect(screen.queryByText(tiles)).toBeNull();
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.getByText(tiles)).toBeTruthy();
  expect(absent(frame)).toBe(true);
  expect(frame.hidden).toBe(false);
  act(() => {
    const data = { type: 'height', height: 800 };
    window.dispatchEvent(
      new MessageEvent('message', { data, origin: 'https://content.example', source: inside }),
    );
  });
  expect(screen.queryByText(tiles)).toBeNull();
  expect(absent(frame)).toBe(false);
});

test('shows a page that never reports its height as it is, even a late one', async () => {
  hostIs(true, false);
  const frame = showHome();
  act(() => void vi.advanceTimersByTime(6_000));
  expect(screen.getByText(tiles)).toBeTruthy();
  await act(async () => void fireEvent.load(frame));
  expect(screen.queryByText(tiles)).toBeNull();
  expect(absent(frame)).toBe(false);
  expect(frame.style.height).toBe('');
});

test.each([
  ['can’t be reached', false, false],
  ['answers with an error', true, true],
])('hides the page of a host that %s', async (_, reachable, failed) => {
  hostIs(reachable, failed);
  const frame = showHome();
  await act(async () => void fireEvent.load(frame));
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.getByText(tiles)).toBeTruthy();
  expect(absent(frame)).toBe(true);
});
