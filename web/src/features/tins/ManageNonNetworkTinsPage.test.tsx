import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeServer, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { readMaxLength } from '@/ui/form/testing';
import ManageNonNetworkTinsPage from './ManageNonNetworkTinsPage';
import {
  administrator,
  button,
  done,
  field,
  listed,
  makeRow,
  mirroring,
  refused,
  rows,
  searchInfo,
  show,
  staff,
} from './testing';

const tin = (ftin: string, addedDate: string) => ({ ftin, addedDate, lastUpdatedUserName: 'isad.demo' });
const two = [tin('111111111', '2026-01-05T15:00:00Z'), tin('222222222', '2026-03-02T15:00:00Z')];
const list = 'GET /ftin/groupFtins/7';
const validate = 'GET /ftin/validateNonNetworkFtin/333333333';
const post = 'POST /ftin/nonNetworkGroupFtins/7/333333333';
const failed = 'Error: An error has occurred.  Please try again or contact Customer Service.';

const state = { user: makeRow({ typeCd: 'NNUS' }), searchInfo };

async function open(replies: Replies = {}, session: Session = staff('ISAD')) {
  const calls = fakeServer({ [list]: { body: two }, [validate]: done, [post]: done, ...replies });
  const history = show(ManageNonNetworkTinsPage, session, state);
  await screen.findByRole('table', { name: 'User TINs' });
  return { calls, history };
}
async function add(typed: string) {
  if (typed) await userEvent.type(field('Tax ID Number (TIN)'), typed);
  await userEvent.click(button('Add'));
}
const message = () => screen.findByRole('group', { name: 'Message' });

it('lists the newest first', async () => {
  const { calls } = await open();
  expect(screen.getByText('Mia Stone (mia)')).toBeTruthy();
  expect(calls[0]).toMatchObject({ call: list, query: '?activeFlag=true' });
  expect(rows('User TINs')).toEqual([
    ['222222222', '03/02/2026', 'Delete 222222222'],
    ['111111111', '01/05/2026', 'Delete 111111111'],
  ]);
});

describe('adding', () => {
  it.each([
    ['', 'Error: Enter a Tax ID Number (TIN)'],
    ['12a', 'Error: Enter a valid Tax ID Number (TIN)'],
    ['12345678', 'Error: Enter a 9-digit Tax ID Number (TIN)'],
    ['222222222', 'TIN already associated to the Non-Network User'],
  ])('%j is rejected without a request', async (typed, text) => {
    const { calls } = await open();
    await add(typed);
    expect(await listed()).toEqual([text]);
    expect(readMaxLength(field('Tax ID Number (TIN)'))).toBe(9);
    expect(calls).toHaveLength(1);
  });

  it.each([
    [
      'INVALID_FTIN_IN_NETWORK',
      'Error: This TIN cannot be added because it is registered as In-network TIN.  Only non-network TINs are permitted for non-network user.',
    ],
    [
      'INVALID_FTIN_NO_BILLS_FOUND',
      'Error: This TIN cannot be added because no bills exist in the system. Only TINs with existing bills can be associated with user account.',
    ],
    [
      'FTIN_RESTRICTED_FOR_REGISTRATION',
      'Error: Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit.',
    ],
  ])("isn't attempted when the check returns %s", async (code, text) => {
    const { calls } = await open({ [validate]: refused(code) });
    await add('333333333');
    expect(await listed()).toEqual([text]);
    expect(calls.some(({ call }) => call === post)).toBe(false);
  });

  it('shows that another user has already added it', async () => {
    const { calls } = await open({ [post]: refused('TIN_EXISTS_INTGRP') });
    await add('333333333');
    expect(await listed()).toEqual(['TIN already associated to the Non-Network User']);
    expect(calls.at(-1)?.call).toBe(list);
  });

  it.each([
    ['the check fails', { [validate]: { status: 500 } }, failed],
    ['the add fails', { [post]: { status: 503 } }, failed],
    [
      'there were too many tries',
      { [validate]: refused('TOO_MANY', 429, 'Please wait a minute.') },
      `${failed} Please wait a minute.`,
    ],
  ])('shows when %s', async (_, replies, text) => {
    await open(replies);
    await add('333333333');
    expect((await message()).textContent).toBe(text);
    expect(field('Tax ID Number (TIN)').value).toBe('333333333');
  });

  it('is checked, done, reported, and the list refetches', async () => {
    const { calls } = await open();
    await add('333333333');
    expect((await message()).textContent).toBe('TIN 333333333 has been successfully added to the user.');
    expect(calls.map(({ call }) => call)).toEqual([list, validate, post, list]);
    expect(calls[2]?.body).toEqual({ userName: 'isad.demo' });
    expect(field('Tax ID Number (TIN)').value).toBe('');
  });

  it('is sent once, however often Add is clicked', async () => {
    let release = () => {};
    const { calls } = await open({
      [validate]: () =>
        new Promise((resolve) => {
          release = () => resolve(done);
        }),
    });
    await add('333333333');
    await waitFor(() => expect(button('Add').getAttribute('aria-disabled')).toBe('true'));
    await userEvent.click(button('Add'));
    release();
    await message();
    expect(calls.filter(({ call }) => call === validate)).toHaveLength(1);
  });

  it('is cleared by Reset', async () => {
    await open();
    await add('12');
    await listed();
    await userEvent.click(button('Reset'));
    expect(field('Tax ID Number (TIN)').value).toBe('');
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
  });
});

describe('deleting', () => {
  const remove = 'DELETE /ftin/groupFtins/7/111111111';
  const ask = async () => {
    await userEvent.click(button('Delete 111111111'));
    return within(await screen.findByRole('dialog', { name: 'Are you sure you want to remove this TIN?' }));
  };
  const confirm = async () => userEvent.click((await ask()).getByRole('button', { name: 'OK' }));

  it('is confirmed, done, reported, and the list refetches', async () => {
    let left = two;
    const { calls } = await open({
      [list]: () => ({ body: left }),
      [remove]: () => {
        left = two.slice(1);
        return done;
      },
    });
    await confirm();
    expect((await message()).textContent).toBe('The selected TIN 111111111 has been successfully removed.');
    expect(calls.map(({ call, query }) => call + (query ?? '')).slice(1)).toEqual([
      `${remove}?lastUpdatedUserName=isad.demo`,
      `${list}?activeFlag=true`,
    ]);
    expect(rows('User TINs')).toHaveLength(1);
  });

  it('can be canceled', async () => {
    const { calls } = await open();
    await userEvent.click((await ask()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toHaveLength(1);
  });

  it.each([
    [{ status: 500 }, failed],
    [refused('CONFLICT', 409, 'Cannot delete the last record'), 'Cannot delete the last record'],
  ])('that fails with %j shows so', async (reply, text) => {
    const { calls } = await open({ [remove]: reply });
    await confirm();
    expect((await message()).textContent).toBe(text);
    expect(calls.at(-1)?.call).toBe(list);
  });

  it("of the last record isn't possible", async () => {
    await open({ [list]: { body: two.slice(1) } });
    const last = button('Delete 222222222');
    expect(last.disabled).toBe(true);
    expect(last.closest('[title]')?.getAttribute('title')).toBe('Cannot delete the last record');
  });
});

it('returns to the search with Cancel', async () => {
  const { history } = await open();
  await userEvent.click(button('Cancel'));
  expect(await screen.findByText('Search of users')).toBeTruthy();
  expect(history.location.state.searchInfo).toEqual(searchInfo);
});

it("shows that there are none, or that they couldn't load", async () => {
  fakeServer({ [list]: { status: 500 } });
  show(ManageNonNetworkTinsPage, staff('ISAD'), state);
  await screen.findByText(
    'Error: There was an error retrieving data. Please try again or contact Customer Service.',
  );
  fakeServer({ [list]: { body: [] } });
  await userEvent.click(button('Try again'));
  await screen.findByText('No records found');
});

describe("users who can't change them", () => {
  const fixed = () => {
    for (const name of ['Add', 'Reset']) expect(button(name).disabled, name).toBe(true);
    expect(field('Tax ID Number (TIN)').closest('fieldset')?.disabled).toBe(true);
  };

  it('a viewer sees them read-only', async () => {
    await open({}, staff('IRAD'));
    expect(screen.getByText('Your account can view TINs but not change them.')).toBeTruthy();
    fixed();
    for (const { disabled } of screen.getAllByRole<HTMLButtonElement>('button', { name: /^Delete/ }))
      expect(disabled).toBe(true);
    expect(button('Cancel').disabled).toBe(false);
  });

  it("a user who mirrors doesn't even see them", async () => {
    const calls = fakeServer({});
    show(ManageNonNetworkTinsPage, mirroring, state);
    expect(await screen.findByText("You can't change TINs while mirroring.")).toBeTruthy();
    fixed();
    expect(calls).toHaveLength(0);
  });

  it.each([
    ['with', state],
    ['without', {}],
  ])('others see a message, %s a user in the history', async (_, handed) => {
    const calls = fakeServer({});
    show(ManageNonNetworkTinsPage, administrator, handed);
    expect(await screen.findByText("You don't have access")).toBeTruthy();
    expect(calls).toHaveLength(0);
  });
});

it('without a user goes back to the search', async () => {
  fakeServer({});
  show(ManageNonNetworkTinsPage, staff('ISAD'));
  expect(await screen.findByText('Search of users')).toBeTruthy();
});

it('shows nothing for a user without a group', async () => {
  const calls = fakeServer({});
  show(ManageNonNetworkTinsPage, staff('ISAD'), { user: makeRow({ typeCd: 'NNUS', grpInfoId: null }) });
  expect(await screen.findByText("This user isn't in a group")).toBeTruthy();
  expect(calls).toHaveLength(0);
});
