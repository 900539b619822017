import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ContentFrame } from './ContentFrame';

// The test's browser loads no other page; the origin of this one is the text null.
const page = 'about:blank';

function show() {
  const onSecureResource = vi.fn();
  render(<ContentFrame url={page} title="Home" onSecureResource={onSecureResource} />);
  const frame = screen.getByTitle<HTMLIFrameElement>('Home');
  const say = (data: unknown, origin = 'null') =>
    act(() => {
      window.dispatchEvent(new MessageEvent('message', { data, origin, source: frame.contentWindow }));
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
