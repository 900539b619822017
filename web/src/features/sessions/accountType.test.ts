import { expect, test, vi } from 'vitest';
import { getSession, onSessionChange, signIn } from '@/api/session';
import { fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import { toast } from '@/ui/Toasts';
import { readAccountType } from './accountType';

const asAdmin = makeSession({ user: makeUser({ typeCd: 'PRAD', typeDesc: 'Provider Admin' }) });
const asUser = makeSession({ user: makeUser({ typeCd: 'PRUS', typeDesc: 'Provider User' }) });

test('an error reloads the session, and only another account type replaces it with a message', async () => {
  const replies: Replies = {
    'POST /authenticate': { body: { username: 'prad.demo', token: asAdmin.token } },
    'GET /session': { body: asAdmin },
  };
  const calls = fakeServer(replies);
  await signIn({ username: 'prad.demo', password: 'x' });
  const changes: string[] = [];
  const leave = onSessionChange(({ type }) => changes.push(type));
  const said = vi.spyOn(toast, 'error');
  await Promise.all([readAccountType(), readAccountType()]);
  expect(calls.filter(({ call }) => call === 'GET /session')).toHaveLength(2);
  replies['GET /session'] = { status: 500 };
  await readAccountType();
  expect(changes).toEqual([]);
  expect(said).not.toHaveBeenCalled();
  replies['GET /session'] = { body: asUser };
  await readAccountType();
  expect(changes).toEqual(['changed']);
  expect(said).toHaveBeenCalledWith(
    'An administrator changed your account to Provider User. Your menus have changed.',
  );
  expect(getSession()?.user.typeCd).toBe('PRUS');
  leave();
});
