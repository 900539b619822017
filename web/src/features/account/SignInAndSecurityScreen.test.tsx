import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { type Call, fakeServer, listCalls, makeSession, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { formatLocalDateTime } from '@/ui/dates';
import { mirroring, show } from './profileTesting';
import SignInAndSecurityScreen from './SignInAndSecurityScreen';

const phone = { id: 3, kind: 'app', name: 'Phone', addedDt: '2026-03-02T15:00:00Z', usedDt: '' } as const;
const here = {
  id: 'aa',
  device: 'Firefox on Windows',
  sinceDt: '2026-03-02T15:00:00Z',
  seenDt: '2026-03-02T16:00:00Z',
  thisHere: true,
};
const permissions = ['account.factors', 'account.sessions'];

let calls: Call[];

async function open(replies: Replies = {}, session: Partial<Session> = {}) {
  calls = fakeServer({
    'GET /account/factors': { body: { policy: 'offered', factors: [phone], recoveryCodes: 10 } },
    'GET /account/sessions': { body: [here, { ...here, id: 'bb', device: '', thisHere: false }] },
    ...replies,
  });
  show(SignInAndSecurityScreen, makeSession({ permissions, ...session }));
  await screen.findByRole('heading', { name: 'Sign-in and security' });
}

const region = (name: string) => screen.findByRole('region', { name });
const rows = async (name: string) =>
  within(await region(name))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const message = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;

afterEach(() => vi.unstubAllGlobals());

test("shows the factors, the remaining codes and the user's sessions", async () => {
  await open();
  expect(await rows('Two-step verification')).toEqual([
    `PhoneAuthenticator appAdded ${formatLocalDateTime(phone.addedDt)}, not used yetRemove Phone`,
    "Recovery codes10 codes left. Each works once if you can't use your passkey or app.New codes",
  ]);
  const [first, second] = await rows('Active sessions');
  expect(first).toContain('Firefox on WindowsThis session');
  expect(first).not.toContain('End session');
  expect(second).toContain('Unknown device');
  // This browser doesn't support passkeys.
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test("the last factor can't be removed where one is required", async () => {
  await open({
    'GET /account/factors': { body: { policy: 'required', factors: [phone], recoveryCodes: 1 } },
  });
  const remove = await screen.findByRole('button', { name: 'Remove Phone' });
  expect((remove as HTMLButtonElement).disabled).toBe(true);
  expect((await rows('Two-step verification'))[1]).toContain('1 code left.');
});

test('an app is added with one of its codes, and recovery codes are shown once', async () => {
  const sent: unknown[] = [];
  await open({
    'GET /account/factors': { body: { policy: 'offered', factors: [], recoveryCodes: 0 } },
    'POST /account/factors/app/start': { body: { secret: 'ABCD EFGH', picture: 'data:,', state: 's' } },
    'POST /account/factors/app': (body) => {
      sent.push(body);
      return sent.length === 1
        ? {
            status: 400,
            body: {
              message: 'x',
              fields: [{ path: 'code', code: 'INVALID_FACTOR', message: 'The code is not right.' }],
            },
          }
        : { body: { codes: ['AAAA-BBBB-CCCC-DDDD'] } };
    },
  });
  await press('Add an authenticator app');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Code from your app/)));
  await userEvent.keyboard('123 456');
  await press('Add');
  expect(await message()).toContain('Error: The code is not right.');
  await press('Add');
  expect((await screen.findByRole('dialog', { name: 'Your recovery codes' })).textContent).toContain(
    'AAAA-BBBB-CCCC-DDDD',
  );
  expect(sent).toEqual([1, 2].map(() => ({ name: '', code: '123 456', state: 's' })));
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await press('Print');
  expect(print).toHaveBeenCalledOnce();
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const createObjectURL = vi.fn((_: Blob) => 'blob:codes');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL }));
  await press('Download');
  expect(save).toHaveBeenCalledOnce();
  expect(await createObjectURL.mock.calls[0]?.[0].text()).toMatch(
    /^.+ recovery codes, [\d/]{10}\r\nAAAA-BBBB-CCCC-DDDD\r\n$/,
  );
  save.mockRestore();
  await press("I've saved my codes");
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await message()).toBe('Authenticator app added. We signed you out everywhere else.');
});

test("a canceled passkey isn't an error of the portal", async () => {
  vi.stubGlobal('PublicKeyCredential', { parseCreationOptionsFromJSON: (options: unknown) => options });
  vi.stubGlobal('navigator', {
    ...navigator,
    credentials: { create: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
  });
  await open({ 'POST /account/factors/passkey/start': { body: { options: {}, state: 's' } } });
  await press('Add a passkey');
  await press('Continue');
  expect(await message()).toContain("Error: Couldn't create a passkey. Try again.");
});

test("shows why a factor couldn't be removed", async () => {
  await open({ 'DELETE /account/factors/3': { status: 409, body: { message: 'Add another one first.' } } });
  await press('Remove Phone');
  await press('Remove');
  expect(await message()).toBe('Error: Add another one first.');
});

test('one session is ended, then all others', async () => {
  await open({ 'DELETE /account/sessions/bb': { status: 204 }, 'DELETE /account/sessions': { status: 500 } });
  await userEvent.click(await screen.findByRole('button', { name: /^End session/ }));
  expect(await message()).toBe('Session ended');
  await press('Sign out everywhere else');
  await waitFor(async () => expect(await message()).toMatch(/^Error: An error has occurred/));
  expect(listCalls(calls).filter((name) => name.startsWith('DELETE'))).toEqual([
    'DELETE /account/sessions/bb',
    'DELETE /account/sessions',
  ]);
});

test('with an external provider there are only sessions, and nothing while mirroring', async () => {
  await open({}, { permissions: ['account.sessions'] });
  await region('Active sessions');
  expect(screen.queryByRole('region', { name: 'Two-step verification' })).toBeNull();
  expect(listCalls(calls)).toEqual(['GET /account/sessions']);
});

test('nothing is shown while mirroring', async () => {
  await open({}, mirroring);
  expect(screen.getByRole('status').textContent).toContain("You can't view sign-in settings while mirroring");
  expect(calls).toEqual([]);
});

test('failed parts can be loaded again', async () => {
  await open({
    'GET /account/factors': [{ status: 500 }, { body: { policy: 'offered', factors: [], recoveryCodes: 0 } }],
  });
  await press('Try again');
  await region('Two-step verification');
});
