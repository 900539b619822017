import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onSessionChange, type SessionChange, SessionContext } from '@/api/session';
import { fakeServer, makeSession, makeUser } from '@/api/testing';
import type { Session } from '@/api/types';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import MirrorBanner from './MirrorBanner';

const changes: SessionChange[] = [];
let leave = () => {};

beforeEach(() => {
  changes.length = 0;
  leave = onSessionChange((change) => changes.push(change));
});
afterEach(() => {
  leave();
});

const show = (session: Session) =>
  render(
    <KitProvider>
      <SessionContext value={session}>
        <MirrorBanner />
        <Layer />
      </SessionContext>
    </KitProvider>,
  );

const mirroring = makeSession({ mirroredUser: makeUser({ userFirstName: 'Paula', userLastName: 'Reyes' }) });

test("isn't shown when acting as oneself", () => {
  show(makeSession());
  expect(screen.queryByText(/Mirroring/)).toBeNull();
});

test('names the mirrored user and reverts only after YES', async () => {
  const calls = fakeServer({ 'DELETE /session/mirror': { body: makeSession() } });
  show(mirroring);
  expect(screen.getByText('Mirroring (Paula Reyes)')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Revert' }));
  expect(await screen.findByText('Are you sure you want to Revert?')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'CANCEL' }));
  expect(calls).toEqual([]);

  await userEvent.click(screen.getByRole('button', { name: 'Revert' }));
  await userEvent.click(await screen.findByRole('button', { name: 'YES' }));
  await vi.waitFor(() => expect(changes).toEqual([{ type: 'mirror' }]));
  expect(calls.map(({ call }) => call)).toEqual(['DELETE /session/mirror']);
});

test('shows a failed revert', async () => {
  fakeServer({ 'DELETE /session/mirror': { status: 500 } });
  show(mirroring);
  await userEvent.click(screen.getByRole('button', { name: 'Revert' }));
  await userEvent.click(await screen.findByRole('button', { name: 'YES' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Error: An error has occurred. Please try again or contact Customer Service.',
  );
});
