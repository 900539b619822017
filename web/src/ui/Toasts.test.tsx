import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Toasts, toast } from './Toasts';

const Page = () => (
  <>
    <main>
      <h1 tabIndex={-1}>Bills</h1>
      <button type="button">Next</button>
    </main>
    <Toasts />
  </>
);

afterEach(() => vi.useRealTimers());

it('returns the focus to where it was before it moved to a message', async () => {
  render(<Page />);
  act(() => toast.error('Nothing was changed.'));
  screen.getByText('Next').focus();
  await userEvent.tab();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Close message');
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByText('Nothing was changed.')).toBeNull();
  expect(document.activeElement).toBe(screen.getByText('Next'));
});

it('closes the newest on Escape, unless an open layer closes first', async () => {
  const { rerender } = render(<Page />);
  act(() => toast.error('First'));
  act(() => toast.error('Second'));
  screen.getByText('Next').focus();
  rerender(
    <>
      <Page />
      <div role="menu">
        <button type="button">Inside</button>
      </div>
    </>,
  );
  screen.getByText('Inside').focus();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('Second')).toBeTruthy();
  rerender(<Page />);
  screen.getByText('Next').focus();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByText('Second')).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByText('First')).toBeNull();
  expect(document.activeElement).toBe(screen.getByText('Next'));
});

it("leaves a message open while it's hovered or focused", () => {
  vi.useFakeTimers();
  render(<Page />);
  act(() => toast.success('Saved.'));
  act(() => screen.getByRole('button', { name: 'Close message' }).focus());
  act(() => vi.advanceTimersByTime(9_000));
  expect(screen.getByText('Saved.')).toBeTruthy();
  act(() => screen.getByText('Next').focus());
  act(() => vi.advanceTimersByTime(9_000));
  expect(screen.queryByText('Saved.')).toBeNull();
});

it('makes room for messages, and scrolls what is focused out from under them', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const box = (top: number, bottom: number) => ({ top, bottom, left: 0, right: 390 }) as DOMRect;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.matches('section') ? box(700, 800) : box(750, 790);
  });
  const scroll = vi.fn();
  Element.prototype.scrollIntoView = scroll;
  render(<Page />);
  screen.getByText('Next').focus();
  const room = () => document.documentElement.style.getPropertyValue('--toasts');
  act(() => toast.error('Nothing was changed.'));
  expect(room()).toBe(`${window.innerHeight - 692}px`);
  expect(scroll.mock.contexts).toEqual([screen.getByText('Next')]);
  await userEvent.keyboard('{Escape}');
  expect(room()).toBe('0px');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
