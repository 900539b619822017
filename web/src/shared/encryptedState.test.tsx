import type { HistoryState } from '@tanstack/react-router';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signIn, signOut } from '@/api/session';
import { fakeServer, makeSession } from '@/api/testing';
import { discardWork, encryptState, useEncryptedState } from './encryptedState';
import { renderScreens } from './testing';

interface Note {
  id: number;
  text: string;
}

function Page() {
  const { pending, found, store } = useEncryptedState<Note>('note');
  return (
    <>
      <p>{pending ? 'Opening' : `Found: ${found?.text ?? 'nothing'}`}</p>
      <button type="button" onClick={() => void store({ id: 7, text: 'Ada Lovelace' })}>
        Keep
      </button>
    </>
  );
}

const visit = (state: HistoryState = {}) => renderScreens({ '/': Page }, makeSession(), { state }).router;

const startSession = async (key: string) => {
  fakeServer({
    'POST /authenticate': { body: { username: 'x', token: `token-${key}` } },
    'GET /session': { body: makeSession() },
    'POST /logout': { body: { signOutUrl: null } },
    'PUT /session/form-key': { body: { key: btoa(key.repeat(32)) } },
  });
  await signIn({ username: 'x', password: 'x' });
};

test('the history contains work that only its user can decrypt', async () => {
  await startSession('a');
  const router = visit();
  fireEvent.click(await screen.findByRole('button', { name: 'Keep' }));
  const state = () => router.history.location.state;
  while (!state().sealed?.note?.text) await new Promise((resolve) => setTimeout(resolve));
  const kept = { ...state() };
  expect(JSON.stringify(kept)).not.toContain('Ada');

  // Back, in the same page.
  cleanup();
  visit(kept);
  expect(await screen.findByText('Found: Ada Lovelace')).toBeTruthy();

  const openedWith = async (key: string) => {
    cleanup();
    await signOut({ reason: 'idle', minutes: 30 });
    await startSession(key);
    visit(kept);
    return (await screen.findByText(/^Found/)).textContent;
  };
  expect(await openedWith('b')).toBe('Found: nothing');
  expect(await openedWith('a')).toBe('Found: Ada Lovelace');
});

test('no history entry restores finished work', async () => {
  const state = await encryptState('note', { id: 8, text: 'Ada Lovelace' });
  visit(state);
  await screen.findByText('Found: Ada Lovelace');
  discardWork(8);
  cleanup();
  visit(state);
  expect(await screen.findByText('Found: nothing')).toBeTruthy();

  // Nor does a change that is stored late.
  const late = await encryptState('note', { id: 8, text: 'Ada King' });
  for (const entry of [state, late]) {
    cleanup();
    visit(entry);
    expect(await screen.findByText('Found: nothing')).toBeTruthy();
  }
});
