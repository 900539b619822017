import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { signIn } from '@/api/session';
import { fakeServer, makeSession, makeValue, neverReplies } from '@/api/testing';
import { advanceTime, fakeTime, renderScreens } from '../testing';
import NotesDialog from './NotesDialog';

function Screen() {
  const [count, setCount] = useState(0);
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)}>
        Sign in again
      </button>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && (
        <NotesDialog
          key={count}
          bill={{ id: 'sealed-1', billControlNumber: '7000001' }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

test('a note that was not saved is there when its dialog opens again, unless it was discarded', async () => {
  fakeServer({
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'GET /session': { body: makeSession() },
    'PUT /session/form-key': { body: { key: btoa('k'.repeat(32)) } },
    'GET /work/bills/sealed-1/notes': { body: [] },
  });
  await signIn({ username: 'x', password: 'x' });
  fakeTime();
  const { history } = renderScreens({ '/': Screen }, makeSession());
  const field = () => screen.findByLabelText<HTMLTextAreaElement>('New note');
  fireEvent.change(await field(), { target: { value: 'They pay on Friday' } });
  const stored = () => history.location.state.typed?.['note sealed-1'];
  while (!stored()) await advanceTime(200);
  fireEvent.click(screen.getByText('Sign in again'));
  while ((await field()).value === '') await advanceTime(200);
  expect((await field()).value).toBe('They pay on Friday');
  fireEvent.click(screen.getByText('Close'));
  fireEvent.click(screen.getByText('Discard changes'));
  while (stored()) await advanceTime(200);
  fireEvent.click(screen.getByText('Open'));
  await advanceTime(1000);
  expect((await field()).value).toBe('');
});

test("a note can't change while it's saved", async () => {
  fakeServer({
    'GET /work/bills/sealed-1/notes': { body: [] },
    'POST /work/bills/sealed-1/notes': neverReplies,
  });
  renderScreens({ '/': Screen }, makeSession());
  const field = await screen.findByLabelText<HTMLTextAreaElement>('New note');
  await userEvent.type(field, 'Sent{Control>}{Enter}{/Control}');
  await userEvent.type(field, ' not sent');
  expect(field.value).toBe('Sent');
});

test('asks before the edit of another note replaces a changed one', async () => {
  const at = '2026-05-04T09:00:00Z';
  const note = (id: number, body: string) => makeValue('BillNote', { id, body, at, mine: true, fresh: true });
  fakeServer({
    'GET /work/bills/sealed-1/notes': { body: [note(1, 'First'), note(2, 'Second')] },
  });
  renderScreens({ '/': Screen }, makeSession());
  const [first, second] = await screen.findAllByRole('button', { name: 'Edit' });
  await userEvent.click(first as HTMLElement);
  const field = screen.getByLabelText<HTMLTextAreaElement>('Edit note');
  await userEvent.type(field, ' call');
  await userEvent.click(second as HTMLElement);
  expect(screen.getByRole('alert').textContent).toBe("Your changes won't be saved.");
  expect(field.value).toBe('First call');
  await userEvent.type(field, 's');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.click(second as HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(field.value).toBe('Second');
  // Without changes, it doesn't ask.
  await userEvent.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement);
  expect(field.value).toBe('First');
});
