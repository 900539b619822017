import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { Dialog } from './Dialog';
import { today } from './dates';
import { DateField } from './form/DateField';
import { KitProvider } from './KitProvider';
import { Layer } from './Layer';

function DateInput({ maxDate }: { maxDate: string }) {
  const { control } = useForm({ defaultValues: { day: '' } });
  return <DateField control={control} name="day" label="Day" maxDate={maxDate} />;
}

/** Rows that a button removes, immediately or after a dialog. */
function Rows({ asks }: { asks: boolean }) {
  const [rows, setRows] = useState(['one', 'two']);
  const [asked, setAsked] = useState('');
  const remove = (gone: string) => {
    setRows(rows.filter((row) => row !== gone));
    setAsked('');
  };
  return (
    <KitProvider>
      <h1>Page</h1>
      <section>
        <h2>Rows</h2>
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <button type="button" onClick={() => (asks ? setAsked(row) : remove(row))}>
                Remove {row}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <Dialog open={asked !== ''} title="Sure?" onClose={() => setAsked('')}>
        <button type="button" onClick={() => remove(asked)}>
          Yes
        </button>
      </Dialog>
      <Layer />
    </KitProvider>
  );
}

const heading = () => screen.getByRole('heading', { name: 'Rows' });

test('the nearest heading takes the focus of a removed button', async () => {
  render(<Rows asks={false} />);
  screen.getByRole('button', { name: 'Remove two' }).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(heading()));
});

test('the nearest heading takes the focus when a dialog disappears with its row', async () => {
  render(<Rows asks />);
  screen.getByRole('button', { name: 'Remove two' }).focus();
  await userEvent.keyboard('{Enter}');
  (await screen.findByRole('button', { name: 'Yes' })).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(heading()));
});

test('the nearest heading takes the focus when the opener of a dialog is hidden', async () => {
  render(<Rows asks />);
  const opener = screen.getByRole('button', { name: 'Remove two' });
  opener.focus();
  await userEvent.keyboard('{Enter}');
  (await screen.findByRole('button', { name: 'Yes' })).focus();
  opener.style.display = 'none';
  // As browsers do for hidden elements.
  opener.focus = () => {};
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(heading()));
});

/** A button that a click disables until another event enables it. */
function Busy({ inDialog }: { inDialog: boolean }) {
  const [busy, setBusy] = useState(false);
  const part = (
    <button type="button" disabled={busy} onClick={() => setBusy(true)}>
      Save
    </button>
  );
  return (
    <KitProvider>
      <h1>Page</h1>
      {!inDialog && part}
      <button type="button" onClick={() => setBusy(false)}>
        Over
      </button>
      <Dialog open={inDialog} title="Note" onClose={() => {}}>
        {part}
      </Dialog>
      <Layer />
    </KitProvider>
  );
}

const over = () => screen.getByText('Over').click();

test("a moved focus isn't taken back", async () => {
  render(<Busy inDialog={false} />);
  screen.getByRole('button', { name: 'Save' }).focus();
  await userEvent.keyboard('{Enter}');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const next = screen.getByRole('button', { name: 'Over' });
  next.focus();
  await userEvent.keyboard('{Enter}');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(next);
});

test('the focus stays in a dialog when its element is disabled', async () => {
  render(<Busy inDialog />);
  const save = await screen.findByRole('button', { name: 'Save' });
  save.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Note'));
  over();
  await waitFor(() => expect(document.activeElement).toBe(save));
});

test('the focus stays in a panel without a heading', async () => {
  render(
    <KitProvider>
      <h1>Page</h1>
      <DateInput maxDate={today()} />
      <Layer />
    </KitProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Select a date' }));
  const panel = await screen.findByRole('dialog');
  const next = screen.getByRole('button', { name: 'Next month' });
  await userEvent.click(screen.getByRole('button', { name: 'Previous month' }));
  await waitFor(() => expect(next.hasAttribute('disabled')).toBe(false));
  next.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(next.hasAttribute('disabled')).toBe(true));
  await waitFor(() => expect(document.activeElement).toBe(panel));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test("a dropped focus isn't restored", async () => {
  const { unmount } = render(<Rows asks={false} />);
  screen.getByRole('button', { name: 'Remove two' }).focus();
  await userEvent.click(document.body);
  await new Promise((resolve) => setTimeout(resolve, 20));
  screen.getByRole('button', { name: 'Remove two' }).click();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove two' })).toBeNull());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(document.body);
  unmount();
});
