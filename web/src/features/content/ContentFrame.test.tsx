import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ContentFrame } from './ContentFrame';

const page = 'https://content.example/home.html';
const inside = {} as Window;

beforeEach(() => {
  // The test's browser loads no frames.
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(inside);
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

test('does nothing for another origin', () => {
  const { frame, say, onSecureResource } = show();
  say({ type: 'height', height: 800 }, 'https://evil.example');
  say({ type: 'secureResource', url: '/a.pdf' }, 'https://evil.example');
  expect(frame.style.height).toBe('');
  expect(onSecureResource).not.toHaveBeenCalled();
});

test('passes on the resource the page asks for', () => {
  const { say, onSecureResource } = show();
  say({ type: 'secureResource', url: '/manuals/a.pdf' });
  expect(onSecureResource).toHaveBeenCalledWith('/manuals/a.pdf');
});

test('leaves its place to something else while the page says nothing', () => {
  vi.useFakeTimers();
  render(<ContentFrame url={page} title="Home" unreachable={<p>Choose where to start.</p>} />);
  const frame = screen.getByTitle<HTMLIFrameElement>('Home');
  expect(screen.queryByText('Choose where to start.')).toBeNull();
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.getByText('Choose where to start.')).toBeTruthy();
  expect(frame.hidden).toBe(true);
  act(() => {
    const data = { type: 'height', height: 800 };
    window.dispatchEvent(
      new MessageEvent('message', { data, origin: 'https://content.example', source: inside }),
    );
  });
  expect(screen.queryByText('Choose where to start.')).toBeNull();
  expect(frame.hidden).toBe(false);
});
