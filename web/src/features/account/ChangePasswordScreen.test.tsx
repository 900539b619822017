import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, test } from 'vitest';
import { type Call, fakeServer, makeSession, type Reply } from '@/api/testing';
import ChangePasswordScreen from './ChangePasswordScreen';
import { field, listed, mirroring, show } from './profileTesting';

const notSuccessful = 'Error: The password change was not successful.';
const labels = ['Current Password', 'New Password', 'Confirm Password'] as const;

let calls: Call[];

async function open(reply: Reply<string> = { body: 'success' }, session = makeSession()) {
  calls = fakeServer({ 'POST /users/updatePwd': reply });
  show(ChangePasswordScreen, session);
  await screen.findByRole('heading', { name: 'Change Password' });
}

async function submit(...typed: [current: string, next: string, confirmation: string]) {
  for (const [n, text] of typed.entries()) if (text) await userEvent.type(field(labels[n] ?? ''), text);
  await userEvent.click(screen.getByRole('button', { name: 'SAVE' }));
}

const message = async () => (await screen.findByRole('group', { name: 'Message' })).textContent ?? '';
const rule = (text: RegExp) => {
  const title = screen.getByText('Password requirements');
  return within(title.parentElement as HTMLElement).getByText(text).textContent;
};

describe('missing or invalid input', () => {
  it('is reported field by field', async () => {
    await open();
    await submit('', '', '');
    expect(await listed()).toEqual([
      'Error: Enter Current Password',
      'Error: Enter New Password',
      'Error: Enter Confirm Password',
    ]);
    expect(await message()).toContain(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
    expect(calls).toEqual([]);
  });

  it('includes a different confirmation', async () => {
    await open();
    await submit('Old-word-1', 'New-word-1', 'New-word-2');
    expect(await listed()).toEqual(['Error: Passwords do not match']);
  });

  it.each(['Nw-1', 'new-word-1', 'NEW-WORD-1', 'New-word-x', 'Newword1', 'New-word-1-New-word-1'])(
    'includes a new password that breaks a rule: %s',
    async (password) => {
      await open();
      await submit('Old-word-1', password, password);
      expect(await listed()).toEqual(['Error: Password does not meet the Password Requirements']);
      expect(await message()).toContain('New Password does not meet requirements. Please try again.');
      expect(calls).toEqual([]);
    },
  );
});

test('each rule shows whether the password meets it while typing', async () => {
  await open();
  expect(rule(/^8 to 20 characters/)).toContain('not checked yet');
  await userEvent.type(field('New Password'), 'Ab');
  expect(rule(/^8 to 20 characters/)).toContain('not met');
  expect(rule(/upper case letter/)).toMatch(/: met$/);
});

test('a changed password shows a message, and the fields are cleared', async () => {
  await open();
  await submit(' Old-word-1 ', 'New-word-1', 'New-word-1 ');
  expect(await message()).toBe('Your password has been changed successfully.');
  expect(calls.map(({ body }) => body)).toEqual([
    { username: 'prad.demo', password: 'Old-word-1', newPassword: 'New-word-1' },
  ]);
  expect(labels.map((label) => field(label).value)).toEqual(['', '', '']);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Message' }));
  await userEvent.type(field('Current Password'), 'x');
  expect(screen.queryByText('Your password has been changed successfully.')).toBeNull();
});

describe('the response', () => {
  it('incorrect_password is shown on the current password', async () => {
    await open({ body: 'incorrect_password' });
    await submit('Old-word-1', 'New-word-1', 'New-word-1');
    expect(await listed()).toEqual(['Error: Current Password is incorrect']);
    expect(field(/^Current Password/).getAttribute('aria-invalid')).toBe('true');
  });

  it.each([
    ['failed', { body: 'failed' }],
    ['anything else', { body: 'what is this' }],
    ['an error', { status: 500 }],
  ])('%s is reported as unsuccessful', async (_, reply) => {
    await open(reply);
    await submit('Old-word-1', 'New-word-1', 'New-word-1');
    expect(await message()).toBe(notSuccessful);
    expect(field('Current Password').value).toBe('Old-word-1');
  });

  it('of an unreachable server is reported as unsuccessful', async () => {
    await open(() => Promise.reject(new TypeError('Failed to fetch')));
    await submit('Old-word-1', 'New-word-1', 'New-word-1');
    expect(await message()).toBe(notSuccessful);
  });

  it.each([
    ['INVALID_PW CONTAINS_NAME', /^Must not contain your username/],
    ['INVALID_PW', /^Must not contain your username/],
    ['INVALID_PW COMMON_PASSWORD', /^Not easy to guess/],
    ['INVALID_PW SAME_PASSWORD', /^Different from your current password/],
  ])('%s fails its rule', async (body, broken) => {
    await open({ body });
    expect(rule(/^Must not contain/)).toContain('not checked yet');
    await submit('Old-word-1', 'Paula-word-1', 'Paula-word-1');
    expect(await message()).toContain(notSuccessful);
    expect(await message()).toContain('New Password does not meet requirements. Please try again.');
    expect(await listed()).toEqual(['Error: Password does not meet the Password Requirements']);
    expect(rule(broken)).toContain('not met');
    await userEvent.type(field(/^New Password/), '2');
    expect(rule(/^Must not contain/)).toContain('not checked yet');
  });

  it('after too many tries shows the wait time', async () => {
    const wait = 'Too many tries. Please wait 15 minutes and try again.';
    await open({ status: 429, body: { code: 'TOO_MANY', message: wait } });
    await submit('Old-word-1', 'New-word-1', 'New-word-1');
    expect(await message()).toBe(`${notSuccessful} ${wait}`);
  });
});

test('while mirroring nothing can be entered', async () => {
  await open({ body: 'success' }, mirroring);
  expect(screen.getByText("You can't change passwords while mirroring.")).toBeTruthy();
  for (const label of labels) expect(field(label).closest('fieldset')?.disabled, label).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'SAVE' }).disabled).toBe(true);
});

test('links back to the profile', async () => {
  await open();
  await userEvent.click(screen.getByRole('link', { name: 'Back to User Profile' }));
  expect(await screen.findByRole('heading', { name: 'Profile' })).toBeTruthy();
});
