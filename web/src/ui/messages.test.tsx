import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Accordion } from './Accordion';
import { Banner } from './Banner';
import { Button } from './Button';
import { ConfirmDialog, Dialog } from './Dialog';
import { KitProvider } from './KitProvider';
import { Layer } from './Layer';
import { toast } from './Toasts';

const inKit = (children: React.ReactNode) => (
  <KitProvider>
    <main>
      {children}
      <Layer />
    </main>
  </KitProvider>
);

function Sections() {
  const [open, setOpen] = useState<'one' | 'two' | null>('one');
  return (
    <Accordion
      open={open}
      onOpen={setOpen}
      sections={[
        { name: 'one', title: 'One', content: 'First content' },
        { name: 'two', title: 'Two', content: 'Second content' },
      ]}
    />
  );
}

afterEach(() => vi.useRealTimers());

it('a busy button ignores clicks and says so', async () => {
  const click = vi.fn();
  render(
    <Button busy onClick={click}>
      Save
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Save' });
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(click).not.toHaveBeenCalled();
});

it('a banner is announced, or takes the focus on request', () => {
  const { rerender } = render(<Banner kind="error">Failed</Banner>);
  expect(screen.getByRole('alert').textContent).toBe('Failed');
  rerender(<Banner kind="success">Saved</Banner>);
  expect(screen.getByRole('status').textContent).toBe('Saved');
  rerender(<Banner kind="error" focusOn={1} problems={[{ text: 'A problem' }]} />);
  expect(document.activeElement?.textContent).toBe('A problem');
  (document.activeElement as HTMLElement).blur();
  rerender(<Banner kind="error" focusOn={2} problems={[{ text: 'A problem' }]} />);
  expect(document.activeElement?.textContent).toBe('A problem');
});

it('toasts are in a live region; a success disappears by itself, an error stays until closed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  render(inKit(null));
  const region = screen.getByRole('region', { name: 'Notifications' });
  expect(region.getAttribute('aria-live')).toBe('polite');
  act(() => {
    toast.success('Saved');
    toast.error('Lost');
  });
  expect(region.textContent).toBe('SavedLost');
  act(() => void vi.advanceTimersByTime(8_000));
  expect(region.textContent).toBe('Lost');
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
  expect(region.textContent).toBe('');
});

it("a confirmation is in the main landmark, focuses its safe button, and can't be closed while it runs", async () => {
  const confirm = vi.fn();
  const cancel = vi.fn();
  const ask = (busy: boolean) =>
    inKit(
      <ConfirmDialog
        open
        title="Sure?"
        confirmLabel="YES"
        cancelLabel="CANCEL"
        onConfirm={confirm}
        onCancel={cancel}
        busy={busy}
      />,
    );
  const { rerender } = render(ask(false));
  const dialog = await screen.findByRole('dialog', { name: 'Sure?' });
  expect(document.querySelector('main')?.contains(dialog)).toBe(true);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('CANCEL'));
  await userEvent.click(screen.getByRole('button', { name: 'YES' }));
  expect(confirm).toHaveBeenCalledOnce();
  await userEvent.keyboard('{Escape}');
  expect(cancel).toHaveBeenCalledOnce();
  rerender(ask(true));
  await userEvent.keyboard('{Escape}');
  expect(cancel).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('button', { name: 'YES' }));
  expect(confirm).toHaveBeenCalledOnce();
});

it("a dialog returns the focus, whether it's closed or unmounted", async () => {
  const show = (dialog: React.ReactNode) =>
    inKit(
      <>
        <button type="button">Opener</button>
        {dialog}
      </>,
    );
  const { rerender } = render(show(<Dialog open={false} title="Hello" onClose={() => undefined} />));
  const opener = screen.getByRole('button', { name: 'Opener' });
  for (const gone of [<Dialog key="d" open={false} title="Hello" onClose={() => undefined} />, null]) {
    opener.focus();
    rerender(show(<Dialog key="d" open title="Hello" onClose={() => undefined} />));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })));
    rerender(show(gone));
    expect(document.activeElement).toBe(opener);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

it('a click outside closes a dialog, but not the second click of the double click that opened it', async () => {
  const close = vi.fn();
  render(
    inKit(
      <Dialog open title="Hello" onClose={close}>
        Something
      </Dialog>,
    ),
  );
  await screen.findByRole('dialog', { name: 'Hello' });
  const outside = document.querySelector('[class*="overlay"]') as HTMLElement;
  fireEvent.click(outside, { detail: 2 });
  expect(close).not.toHaveBeenCalled();
  fireEvent.click(outside, { detail: 1 });
  expect(close).toHaveBeenCalledOnce();
});

it("a dialog without onClose can't be dismissed", async () => {
  render(
    inKit(
      <Dialog open title="Required">
        Fill this in.
      </Dialog>,
    ),
  );
  await screen.findByRole('dialog', { name: 'Required' });
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Required' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});

it('an accordion has one open section, under headings', async () => {
  render(inKit(<Sections />));
  expect(screen.getByText('First content')).toBeTruthy();
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Two' }));
  expect(await screen.findByText('Second content')).toBeTruthy();
  expect(screen.queryByText('First content')).toBeNull();
});
