import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { api, needsReauthentication, unwrap } from '@/api/client';
import { onSessionChange, type SessionChange, SessionContext, signIn, signOut } from '@/api/session';
import { type Call, fakeServer, listCalls, makeSession, type Replies } from '@/api/testing';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import { Proof } from './Proof';

const change = 'PUT /users/updateUser';
const proof = 'POST /session/proof';
const unproven = { status: 403, body: { code: 'PROOF_NEEDED', message: 'Nothing was changed.' } } as const;

let replies: Replies;
let calls: Call[];

beforeEach(() => {
  replies = {
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'POST /logout': { body: { signOutUrl: null } },
    [change]: [unproven, { body: 'success' }],
    [proof]: { status: 204 },
  };
  calls = fakeServer(replies);
});
afterEach(async () => {
  await signOut({ reason: 'signed-out' });
});

async function start(part = {}) {
  const session = makeSession(part);
  replies['GET /session'] = { body: session };
  await signIn({ username: 'x', password: 'x' });
  calls.length = 0;
  return render(
    <KitProvider>
      <SessionContext value={session}>
        <Proof />
        <Layer />
      </SessionContext>
    </KitProvider>,
  );
}

const save = (userNm = 'x') =>
  unwrap(
    api.PUT('/users/updateUser', {
      body: { userNm, userFirstName: 'A', userLastName: 'B', emailAddr: 'a@example.com', phoneNum: '1' },
    }),
  );
const password = () => screen.findByLabelText(/^Password/);
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function enter(text: string) {
  await userEvent.type(await password(), text);
  await click('CONTINUE');
}

test('a request that needs it is sent again unchanged after the password', async () => {
  await start();
  const saved = save();
  const field = await password();
  await waitFor(() => expect(document.activeElement === field).toBe(true));
  await click('CONTINUE');
  expect(await screen.findByText('Error: Enter Password')).toBeTruthy();
  replies[proof] = { status: 400, body: { message: 'Error: The password is incorrect.' } };
  await enter('wrong');
  expect(await screen.findByText('Error: The password is incorrect.')).toBeTruthy();
  replies[proof] = { status: 204 };
  await userEvent.clear(await password());
  await enter('Quiet-Lake-7');
  expect(await saved).toBe('success');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(listCalls(calls)).toEqual([change, proof, proof, change]);
  expect(calls.at(-1)?.body).toEqual(calls[0]?.body);
  expect(calls[2]?.body).toEqual({ password: 'Quiet-Lake-7' });
});

test('waiting requests ask once', async () => {
  replies[change] = [unproven, unproven, { body: 'success' }];
  await start();
  const both = Promise.all([save('x'), save('y')]);
  await enter('Quiet-Lake-7');
  expect(await both).toEqual(['success', 'success']);
  expect(listCalls(calls).filter((name) => name === proof)).toHaveLength(1);
});

test('canceling fails as not re-authenticated, and the next request asks again', async () => {
  await start();
  const failed = save().catch((error) => error);
  await password();
  await click('CANCEL');
  expect(needsReauthentication(await failed)).toBe(true);
  replies[change] = [unproven, unproven, { body: 'success' }];
  const saved = save();
  await enter('Quiet-Lake-7');
  expect(await saved).toBe('success');
});

test('a page that unmounts leaves nothing waiting', async () => {
  const { unmount } = await start();
  const failed = save().catch((error) => error);
  await password();
  unmount();
  expect(needsReauthentication(await failed)).toBe(true);
});

test('other errors stay errors', async () => {
  replies[change] = { status: 403, body: { code: 'FORBIDDEN', message: 'No.' } };
  await start();
  await expect(save()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect(listCalls(calls).filter((call) => call !== 'GET /session')).toEqual([change]);
});

test('an external provider asks on its own pages', async () => {
  const changes: SessionChange[] = [];
  const leave = onSessionChange((change) => changes.push(change));
  onTestFinished(leave);
  await start({ signsInAgain: true });
  changes.length = 0;
  await expect(save()).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  expect(changes).toEqual([{ type: 'ended', ending: { reason: 'proof' }, mirroring: false }]);
  expect(listCalls(calls)).toEqual([change]);
});
