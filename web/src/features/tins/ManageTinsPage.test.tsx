import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { readMaxLength } from '@/ui/form/testing';
import ManageTinsPage from './ManageTinsPage';
import {
  administrator,
  box,
  button,
  done,
  field,
  listed,
  mirroring,
  providerUser,
  refused,
  rows,
  show,
  staff,
} from './testing';

const tin = (ftin: string, addedDate: string) => ({ ftin, addedDate, lastUpdatedUserName: 'prad.demo' });
const three = [
  tin('111111111', '2026-01-05T15:00:00Z'),
  tin('222222222', '2026-03-02T15:00:00Z'),
  tin('333333333', '2026-02-03T15:00:00Z'),
];
const list = 'GET /ftin/groupFtins/7';
const holders = 'POST /ftin/groupFtins/7/holders';

async function open(replies: Replies = {}, session: Session = administrator) {
  const calls = fakeServer({ [list]: { body: three }, [holders]: { body: [] }, ...replies });
  show(ManageTinsPage, session);
  await screen.findByRole('table', { name: "Your group's TINs" });
  return calls;
}

const type = async (values: { tin?: string; bill?: string; provider?: string }) => {
  if (values.tin) await userEvent.type(field('Tax ID Number (TIN)'), values.tin);
  if (values.bill) await userEvent.type(field('Bill Control Number'), values.bill);
  if (values.provider) await userEvent.type(field('Provider ID Number'), values.provider);
};
const add = () => userEvent.click(button('Add'));
const banner = () => screen.findByRole('group', { name: 'Message' });

it('shows the office next to a TIN, and finds it by that', async () => {
  await open(
    { 'GET /provider/officeNames': { body: [{ ftin: '222222222', name: 'Lakeside Clinic', names: 3 }] } },
    makeSession({ permissions: ['tins.manage', 'directory.lookup'] }),
  );
  expect(await screen.findByRole('cell', { name: '222222222 Lakeside Clinic and 2 more' })).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter by TIN' }), 'lakeside');
  await waitFor(() => expect(screen.queryByRole('cell', { name: '111111111' })).toBeNull());
  expect(screen.getByRole('cell', { name: /^222222222/ })).toBeTruthy();
});

describe('adding', () => {
  it.each([
    [{}, ['Error: Enter a Tax ID Number (TIN)', 'Error: Enter a Bill Control Number or Provider ID Number']],
    [{ tin: '12-45678x', bill: 'B1' }, ['Error: Enter a valid Tax ID Number (TIN)']],
    [{ tin: '12345678', bill: 'B1' }, ['Error: Enter a 9-digit Tax ID Number (TIN)']],
    [
      { tin: '12345678' },
      [
        'Error: Enter a 9-digit Tax ID Number (TIN)',
        'Error: Enter a Bill Control Number or Provider ID Number',
      ],
    ],
    [{ tin: '123456789', bill: '  ' }, ['Error: Enter a Bill Control Number or Provider ID Number']],
    [{ tin: '123456789', provider: '12a' }, ['Error: Enter a valid Provider ID Number']],
  ])('of %j is rejected', async (values, problems) => {
    const calls = await open();
    await type(values);
    await add();
    expect(await listed()).toEqual(problems);
    expect((await banner()).textContent).toContain(
      'An error has occurred. Please address all fields marked with “Error".',
    );
    expect(calls).toHaveLength(1);
  });

  it('limits the input length', async () => {
    await open();
    expect(readMaxLength(field('Tax ID Number (TIN)'))).toBe(9);
    expect(readMaxLength(field('Bill Control Number'))).toBe(22);
    expect(readMaxLength(field('Provider ID Number'))).toBe(8);
  });

  it('asks for a bill or a provider, each disabling the other', async () => {
    await open();
    await type({ bill: 'B' });
    expect(field('Provider ID Number').disabled).toBe(true);
    await userEvent.clear(field('Bill Control Number'));
    expect(field('Provider ID Number').disabled).toBe(false);
    await add();
    await listed();
    await type({ provider: '1' });
    expect(field('Bill Control Number').disabled).toBe(true);
    // Both now have a value.
    expect(screen.queryByText('Error: Enter a Bill Control Number or Provider ID Number')).toBeNull();
  });

  it.each([
    ['bill', ' B 1 ', '?bcn=B%201'],
    ['provider', '200', '?cpdId=200'],
  ])('by %s shows a message, clears the form and refetches the list', async (by, value, query) => {
    let held = three;
    const calls = fakeServer({
      [list]: () => ({ body: held }),
      'POST /ftin/validateandSaveFtin/7/444444444': () => {
        held = [...three, tin('444444444', '2026-04-01T15:00:00Z')];
        return done;
      },
    });
    show(ManageTinsPage, administrator);
    await screen.findByRole('table');
    // The ID of a provider in the group's own directory is no proof.
    screen.getByText("For a provider who bills under this TIN but not under your group's TINs");
    await type({ tin: '444444444', [by]: value });
    await add();
    expect((await banner()).textContent).toBe('TIN 444444444 has been successfully added.');
    expect(calls[1]).toMatchObject({ call: 'POST /ftin/validateandSaveFtin/7/444444444', query });
    expect(field('Tax ID Number (TIN)').value).toBe('');
    await waitFor(() => expect(rows("Your group's TINs")[0]).toEqual(['', '444444444', '04/01/2026']));
  });

  it('of a TIN pending review shows so, lists it, and can be withdrawn', async () => {
    const awaited = 'GET /ftin/groupFtins/7/awaited';
    const waiting = [{ ftin: '444444444', addedDate: '2026-04-01T15:00:00Z', addedBy: 'prad.demo' }];
    const replies: Replies = {
      [awaited]: { body: [] },
      'POST /ftin/validateandSaveFtin/7/444444444': () => {
        replies[awaited] = { body: waiting };
        return done;
      },
      'DELETE /ftin/groupFtins/7/444444444': () => {
        replies[awaited] = { body: [] };
        return done;
      },
      [list]: { body: three },
    };
    const calls = fakeServer(replies);
    show(ManageTinsPage, makeSession({ permissions: ['tins.manage', 'tins.sharing'] }));
    await screen.findByRole('table');
    expect(screen.queryByRole('table', { name: /pending/ })).toBeNull();
    await type({ tin: '444444444', bill: 'B1' });
    await add();
    expect((await banner()).textContent).toBe(
      'TIN 444444444 has been successfully added. You can use it after the review.',
    );
    await screen.findByRole('table', { name: /pending/ });
    expect(rows('TINs pending review')).toEqual([
      ['444444444', '04/01/2026', 'prad.demo', 'Withdraw 444444444'],
    ]);
    await userEvent.click(button('Withdraw 444444444'));
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }),
    );
    await waitFor(() => expect(screen.queryByRole('table', { name: /pending/ })).toBeNull());
    expect((await banner()).textContent).toBe('TIN 444444444 withdrawn');
    expect(calls.filter(({ call }) => call.startsWith('DELETE')).map(({ query }) => query)).toEqual([
      '?lastUpdatedUserName=prad.demo&withdraw=true',
    ]);
  });

  it('of a TIN that was approved before its withdrawal shows so, and lists it', async () => {
    const awaited = 'GET /ftin/groupFtins/7/awaited';
    const replies: Replies = {
      [awaited]: { body: [{ ftin: '444444444', addedDate: '2026-04-01T15:00:00Z', addedBy: 'prad.demo' }] },
      'DELETE /ftin/groupFtins/7/444444444': () => {
        replies[awaited] = { body: [] };
        replies[list] = { body: [tin('444444444', '2026-04-01T15:00:00Z'), ...three] };
        return { status: 409, body: { message: "It's in use now." } };
      },
      [list]: { body: three },
    };
    fakeServer(replies);
    show(ManageTinsPage, makeSession({ permissions: ['tins.manage', 'tins.sharing'] }));
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw 444444444' }));
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }),
    );
    expect((await banner()).textContent).toBe("It's in use now.");
    await waitFor(() => expect(screen.queryByRole('table', { name: /pending/ })).toBeNull());
    expect(rows("Your group's TINs")[0]).toEqual(['', '444444444', '04/01/2026']);
  });

  it('of a TIN that is available immediately shows no more', async () => {
    fakeServer({
      [list]: { body: three },
      'GET /ftin/groupFtins/7/awaited': [{ body: [] }, { status: 500 }],
      'POST /ftin/validateandSaveFtin/7/444444444': done,
    });
    show(ManageTinsPage, makeSession({ permissions: ['tins.manage', 'tins.sharing'] }));
    await screen.findByRole('table');
    await type({ tin: '444444444', bill: 'B1' });
    await add();
    expect((await banner()).textContent).toBe('TIN 444444444 has been successfully added.');
  });

  it("shows quietly when pending TINs couldn't load, and retries", async () => {
    fakeServer({
      [list]: { body: three },
      'GET /ftin/groupFtins/7/awaited': [
        { status: 500 },
        { body: [{ ftin: '444444444', addedDate: '2026-04-01T15:00:00Z', addedBy: 'prad.demo' }] },
      ],
    });
    show(ManageTinsPage, makeSession({ permissions: ['tins.sharing'] }));
    expect((await screen.findByText(/^Couldn't check for TINs/)).getAttribute('role')).toBe('status');
    await userEvent.click(button('Refresh'));
    expect(await screen.findByRole('table', { name: /pending/ })).toBeTruthy();
  });

  it.each([
    ['TIN_EXISTS_INTGRP', 'Tax ID Number (TIN)', 'TIN already associated to the Provider Group.'],
    [
      'VALID_FTIN_INVALID_BCN',
      'Bill Control Number',
      'Error: The TIN and Bill Control Number combination is not on file.',
    ],
    [
      'INVALID_FTIN_BCN',
      'Bill Control Number',
      'Error: The TIN and Bill Control Number combination is not on file.',
    ],
    [
      'VALID_FTIN_INVALID_CPDID',
      'Provider ID Number',
      'Error: The TIN and Provider ID combination is not on file.',
    ],
    [
      'INVALID_FTIN_CPDID',
      'Provider ID Number',
      'Error: The TIN and Provider ID combination is not on file.',
    ],
    [
      'FTIN_RESTRICTED_FOR_REGISTRATION',
      'Tax ID Number (TIN)',
      'Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit..',
    ],
  ])('rejected with %s shows so at %s', async (code, label, text) => {
    await open({ 'POST /ftin/validateandSaveFtin/7/444444444': refused(code) });
    await type({ tin: '444444444', [code.includes('CPDID') ? 'provider' : 'bill']: '1' });
    await add();
    expect(await listed()).toEqual([text]);
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    expect(field('Tax ID Number (TIN)').value).toBe('444444444');
  });

  it.each([
    ['another code', refused('SOMETHING'), ''],
    ['no answer', { status: 503, body: {} }, ''],
    [
      'too many tries',
      refused('TOO_MANY', 429, 'Too many tries. Please wait 15 minutes and try again.'),
      ' Too many tries. Please wait 15 minutes and try again.',
    ],
  ])('that fails with %s shows so', async (_, reply, wait) => {
    await open({ 'POST /ftin/validateandSaveFtin/7/444444444': reply });
    await type({ tin: '444444444', bill: 'B1' });
    await add();
    expect((await banner()).textContent).toBe(
      `Error:  An error has occurred.  Please try again or contact Customer Service.${wait}`,
    );
  });

  it('is sent once, however often Add is clicked', async () => {
    let release = () => {};
    const calls = await open({
      'POST /ftin/validateandSaveFtin/7/444444444': () =>
        new Promise((resolve) => {
          release = () => resolve(done);
        }),
    });
    await type({ tin: '444444444', bill: 'B1' });
    await add();
    await waitFor(() => expect(button('Add').getAttribute('aria-disabled')).toBe('true'));
    await add();
    release();
    await banner();
    expect(calls.filter(({ call }) => call.startsWith('POST'))).toHaveLength(1);
    await waitFor(() => expect(button('Add').getAttribute('aria-disabled')).toBeNull());
  });

  it('is cleared by Reset, with its messages', async () => {
    await open();
    await type({ tin: '12' });
    await add();
    await listed();
    await userEvent.click(button('Reset'));
    expect(field('Tax ID Number (TIN)').value).toBe('');
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
  });
});

describe('the list', () => {
  it('is sorted newest first, with formatted dates', async () => {
    const calls = await open();
    expect(calls[0]?.query).toBe('?activeFlag=true');
    expect(rows("Your group's TINs")).toEqual([
      ['', '222222222', '03/02/2026'],
      ['', '333333333', '02/03/2026'],
      ['', '111111111', '01/05/2026'],
    ]);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Remove',
      'TIN',
      'Date Added',
    ]);
  });

  it("that couldn't load can be requested again", async () => {
    const replies: Replies = { [list]: { status: 500 } };
    fakeServer(replies);
    show(ManageTinsPage, administrator);
    await screen.findByText(
      'Error: There was an error retrieving data. Please try again or contact Customer Service.',
    );
    replies[list] = { body: three };
    await userEvent.click(button('Try again'));
    await screen.findByRole('table');
  });

  it("shows that it's empty", async () => {
    fakeServer({ [list]: { body: [] } });
    show(ManageTinsPage, administrator);
    await screen.findByText('No records found');
    expect(button('REMOVE SELECTED TIN(S)').disabled).toBe(true);
  });
});

describe('removing', () => {
  const remove = () => userEvent.click(button('REMOVE SELECTED TIN(S)'));
  const choose = async (...tins: string[]) => {
    for (const each of tins) await userEvent.click(box(each));
  };
  const ok = async (name: string) =>
    userEvent.click(within(await screen.findByRole('dialog', { name })).getByRole('button', { name: 'OK' }));
  const confirm = () => ok('Are you sure you want to remove the(se) TIN(s)?');

  it.each([
    ['nothing', [], 'You have not selected a TIN to remove.'],
    ['every TIN', ['111111111', '222222222', '333333333'], 'You cannot remove all TINs.'],
  ])('of %s is rejected', async (_, tins, text) => {
    const calls = await open();
    await choose(...tins);
    await remove();
    await ok(text);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toHaveLength(1);
  });

  it.each([
    [1, 'This also removes them from 1 provider user: Bo User0 (user0).'],
    [
      12,
      /^This also removes them from 12 provider users: Bo User0 \(user0\), .* Bo User9 \(user9\) and 2 more\.$/,
    ],
    [0, 'No provider users have these TINs.'],
  ])('shows the number of affected assignments: %d', async (count, text) => {
    const people = Array.from({ length: count }, (_, n) => ({
      userNm: `user${n}`,
      userFirstName: 'Bo',
      userLastName: `User${n}`,
    }));
    const calls = await open({ [holders]: { body: people } });
    await choose('111111111', '222222222');
    await remove();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(calls.at(-1)?.body).toEqual({ ftins: ['111111111', '222222222'] });
  });

  it('can be canceled', async () => {
    const calls = await open();
    await choose('111111111');
    await remove();
    await screen.findByRole('dialog');
    expect(screen.getByRole('button', { name: 'OK', description: 'remove' })).toBeTruthy();
    await userEvent.click(button('Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(box('111111111').checked).toBe(true);
    expect(calls.some(({ call }) => call.startsWith('DELETE'))).toBe(false);
  });

  it('runs one by one and refetches the list after the last', async () => {
    let left = three;
    const gone = (ftin: string) => () => {
      left = left.filter((each) => each.ftin !== ftin);
      return done;
    };
    const calls = fakeServer({
      [list]: () => ({ body: left }),
      [holders]: { body: [] },
      'DELETE /ftin/groupFtins/7/111111111': gone('111111111'),
      'DELETE /ftin/groupFtins/7/333333333': gone('333333333'),
    });
    show(ManageTinsPage, administrator);
    await screen.findByRole('table');
    await choose('111111111', '333333333');
    await remove();
    expect((await screen.findByRole('dialog')).textContent).toContain('111111111, 333333333');
    await confirm();
    expect((await banner()).textContent).toBe('The selected TIN(s) have been successfully removed.');
    expect(calls.map(({ call, query }) => call + (query ?? ''))).toEqual([
      `${list}?activeFlag=true`,
      holders,
      'DELETE /ftin/groupFtins/7/111111111?lastUpdatedUserName=prad.demo',
      'DELETE /ftin/groupFtins/7/333333333?lastUpdatedUserName=prad.demo',
      `${list}?activeFlag=true`,
    ]);
    expect(rows("Your group's TINs")).toEqual([['', '222222222', '03/02/2026']]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    [
      { status: 500 },
      'Error: An error has occurred.  Please try again or contact Customer Service.Removed: 111111111.Not removed: 333333333.',
    ],
    [
      refused('CONFLICT', 409, 'You cannot remove all TINs.'),
      'You cannot remove all TINs.Removed: 111111111.Not removed: 333333333.',
    ],
  ])('that fails in between (%j) shows what was removed', async (reply, text) => {
    const calls = await open({
      'DELETE /ftin/groupFtins/7/111111111': done,
      'DELETE /ftin/groupFtins/7/333333333': reply,
    });
    await choose('111111111', '333333333');
    await remove();
    await confirm();
    expect((await banner()).textContent).toBe(text);
    expect(calls.at(-1)?.call).toBe(list);
    expect(box('333333333').checked).toBe(true);
    expect(box('111111111').checked).toBe(false);
  });

  it('treats TINs that another user removed as removed', async () => {
    await open({ 'DELETE /ftin/groupFtins/7/111111111': { status: 404 } });
    await choose('111111111');
    await remove();
    await confirm();
    expect((await banner()).textContent).toBe('The selected TIN(s) have been successfully removed.');
  });
});

describe("users who can't change TINs", () => {
  it.each([
    [
      '1 provider user',
      providerUser,
      "You don't have permission to edit TINs. Ask your group's administrator.",
    ],
    ['whoever mirrors', mirroring, "You can't change TINs while mirroring."],
  ])('%s sees them read-only, with the reason', async (_, session, why) => {
    await open({}, session);
    expect(screen.getByText(why)).toBeTruthy();
    expect(rows("Your group's TINs")).toHaveLength(3);
    for (const name of ['Add', 'Reset', 'REMOVE SELECTED TIN(S)'])
      expect(button(name).disabled, name).toBe(true);
    expect(field('Tax ID Number (TIN)').closest('fieldset')?.disabled).toBe(true);
    for (const check of screen.getAllByRole<HTMLInputElement>('checkbox')) expect(check.disabled).toBe(true);
  });

  it('internal staff see that they have no group', async () => {
    const calls = fakeServer({});
    show(ManageTinsPage, staff('ISAD'));
    expect(await screen.findByText("Your account isn't in a group")).toBeTruthy();
    expect(calls).toHaveLength(0);
  });
});

it("shows the mirrored user's Group TINs", async () => {
  const calls = fakeServer({ 'GET /ftin/groupFtins/8': { body: three } });
  show(ManageTinsPage, makeSession({ ...mirroring, mirroredUser: makeUser({ grpInfoId: 8 }) }));
  await screen.findByRole('table');
  expect(calls).toHaveLength(1);
});
