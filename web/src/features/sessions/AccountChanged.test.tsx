import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, api } from '@/api/client';
import { currentSession, onSessionChange, SessionContext, signIn } from '@/api/session';
import '@/api/signedIn';
import { type Replies, serve, sessionOf, userOf } from '@/api/testing';
import { AccountChanged } from './AccountChanged';

const asAdmin = sessionOf({ user: userOf({ typeCd: 'PRAD', typeDesc: 'Provider Admin' }) });
const asUser = sessionOf({ user: userOf({ typeCd: 'PRUS', typeDesc: 'Provider User' }) });

test('a refusal reads the session again, and only another account type changes it', async () => {
  const replies: Replies = {
    'POST /authenticate': { body: { username: 'prad.demo', token: asAdmin.token } },
    'GET /session': { body: asAdmin },
    'PUT /users/getUserTypes': { status: 403, body: { code: 'FORBIDDEN', message: 'No.' } },
  };
  const calls = serve(replies);
  await signIn({ username: 'prad.demo', password: 'x' });
  const changes: string[] = [];
  const leave = onSessionChange(({ type }) => changes.push(type));
  const refused = () => answer(api.PUT('/users/getUserTypes')).catch(({ code }) => code);
  const reads = () => calls.filter(({ call }) => call === 'GET /session').length;
  expect(await Promise.all([refused(), refused()])).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  await vi.waitFor(() => expect(reads()).toBe(2));
  expect(changes).toEqual([]);
  replies['GET /session'] = { body: asUser };
  await vi.waitFor(async () => {
    await refused();
    expect(changes).toEqual(['changed']);
  });
  expect(currentSession()?.user.typeCd).toBe('PRUS');
  leave();
});

test('the open screen says what the account is now, until that is read', async () => {
  const shown = (session: typeof asUser) => (
    <SessionContext value={session}>
      <AccountChanged />
    </SessionContext>
  );
  const { rerender } = render(shown(asAdmin));
  expect(screen.queryByRole('group')).toBeNull();
  rerender(shown(asUser));
  expect(screen.getByText('An administrator changed your account to Provider User.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Message' }));
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(screen.queryByRole('group')).toBeNull();
});
