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
