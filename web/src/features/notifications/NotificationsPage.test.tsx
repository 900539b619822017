import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import { getWork } from '@/shared/encryptedState';
import { readMaxLength } from '@/ui/form/testing';
import { type Draft, encryptDraft, startDraft } from './draft';
import type { Notification } from './notification';
import { field, isad, makeNotification, messageText, press, readRows, show } from './testing';

const listing = 'GET /notifications/list';
const creating = 'PUT /notifications/create';
const updating = 'PUT /notifications/update';
const recalling = 'DELETE /notifications/deleteUser/4';
const deleting = 'DELETE /notifications/delete/4';

let calls: Call[];
const changes = () => calls.filter(({ call }) => call !== listing);

function open(rows: Notification[] = [makeNotification()], replies: Replies = {}, state = {}) {
  calls = fakeServer({
    [listing]: () => ({ body: rows }),
    [creating]: (body) => ({ body: makeNotification(body as Notification) }),
    [updating]: (body) => ({ body: makeNotification(body as Notification) }),
    [recalling]: { status: 204 },
    [deleting]: { status: 204 },
    ...replies,
  });
  return show('/Notifications', isad, state);
}

async function choose(action: string, name = 'Spring newsletter') {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}

/** In one step, because typing is slow in a large form. */
async function fill(part: Record<string, string>) {
  for (const [label, typed] of Object.entries(part)) {
    await userEvent.click(await field(label));
    await userEvent.paste(typed);
  }
}

/** A promise that the test resolves. */
function moment() {
  let come: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { until, come: () => come() };
}

const complete = {
  'Notification Name': 'Fee changes',
  Campaign: 'Fees',
  'Notification Link': 'https://news.example.com/fees',
};

beforeEach(() => {
  // 10 AM in New York.
  vi.useFakeTimers({ now: new Date('2026-06-15T14:00:00Z'), toFake: ['Date'] });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the form', () => {
  it('has its fields, limits and buttons', async () => {
    open();
    const limits = [
      ['Notification Name', 64],
      ['Campaign', 64],
      ['Requested by', 22],
      ['Notification Link', 2000],
    ] as const;
    for (const [label, most] of limits) expect(readMaxLength(await field(label))).toBe(most);
    expect((await field('Notification Send Date')).disabled).toBe(false);
    const email = await field('Send Email');
    expect([email.type, email.disabled, email.checked]).toEqual(['checkbox', true, false]);
    expect(screen.getByText(/8:00 am Eastern Time, or right away/)).toBeTruthy();
    for (const name of ['MANAGE RECIPIENTS', 'CREATE NOTIFICATION', 'RESET'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'CANCEL EDIT' })).toBeNull();
  });

  it('sends the input once, and starts over', async () => {
    const saved = moment();
    open(undefined, {
      [creating]: async (body) => {
        await saved.until;
        return { body: makeNotification(body as Notification) };
      },
    });
    await fill({ ...complete, 'Requested by': '  Ops  team ', 'Notification Send Date': '7/1/2026' });
    const create = screen.getByRole('button', { name: 'CREATE NOTIFICATION' });
    // Both clicks happen before a render could disable the button.
    act(() => {
      create.click();
      create.click();
    });
    await expect.poll(changes).not.toEqual([]);
    saved.come();
    expect(await messageText()).toContain('Notification Created.');
    expect(changes()).toEqual([
      {
        call: creating,
        body: {
          name: 'Fee changes',
          campaign: 'Fees',
          requestedBy: 'Ops team',
          link: 'https://news.example.com/fees',
          sendDt: '2026-07-01',
          userNotList: '',
        },
      },
    ]);
    expect((await field('Notification Name')).value).toBe('');
    expect(screen.queryByText('Error: Enter Notification name')).toBeNull();
    await waitFor(() => expect(calls.filter(({ call }) => call === listing)).toHaveLength(2));
  });

  it('marks a missing name, and saves anyway', async () => {
    const saved = moment();
    open([], {
      [creating]: async () => {
        await saved.until;
        return { body: makeNotification({ name: 'Provider Portal Notification', status: 'DRAFT' }) };
      },
    });
    await press('CREATE NOTIFICATION');
    await press('CONTINUE');
    expect(await screen.findByText('Error: Enter Notification name')).toBeTruthy();
    expect((await field('Notification Name')).getAttribute('aria-invalid')).toBe('true');
    saved.come();
    expect(await messageText()).toBe(
      'Notification Created.“Provider Portal Notification” is a draft. Complete it to send it.',
    );
    expect(changes()).toMatchObject([{ call: creating, body: { name: '' } }]);
  });

  it('asks before it saves an untouched form', async () => {
    open([]);
    await press('CREATE NOTIFICATION');
    expect(
      await screen.findByRole('dialog', {
        name: 'The form is blank. CREATE NOTIFICATION will save an empty draft. Do you want to continue?',
      }),
    ).toBeTruthy();
    await press('CANCEL');
    expect(changes()).toEqual([]);
    await fill({ 'Requested by': 'Ops' });
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toContain('Notification Created.');
  });

  it.each([
    ['06/15/2026', 'right away, because 8:00 am Eastern Time on its send date has passed.'],
    ['06/16/2026', 'on 06/16/2026 at 8:00 am Eastern Time.'],
  ])('shows when one of %s is really sent', async (date, when) => {
    open(
      [],
      {
        [creating]: (body) => ({
          body: makeNotification({ ...(body as Notification), status: 'SCHEDULED' }),
        }),
      },
      await encryptDraft({ ...startDraft(null), recipients: [5] }),
    );
    await fill({ ...complete, 'Notification Send Date': date });
    expect(screen.getByText(`After you save it, it will be sent ${when}`)).toBeTruthy();
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toContain(`“Fee changes” will be sent ${when}`);
  });

  it('marks a missing name on blur', async () => {
    open();
    await userEvent.click(await field('Notification Name'));
    await userEvent.tab();
    expect(screen.getByText('Error: Enter Notification name')).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
  });

  it.each([
    ['Notification Send Date', '06/14/2026', 'Error: Enter a valid Notification Send Date'],
    ['Notification Send Date', '13/40/2026', 'Error: Enter a valid Notification Send Date'],
    ['Notification Send Date', 'tomorrow', 'Error: Enter a valid Notification Send Date'],
    [
      'Notification Link',
      'javascript:alert(1)',
      'Error: Enter a Notification Link that starts with http:// or https://',
    ],
    [
      'Notification Link',
      'news.example.com',
      'Error: Enter a Notification Link that starts with http:// or https://',
    ],
  ])('rejects as %s %s', async (label, typed, message) => {
    open();
    await fill({ [label]: typed });
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toBe(message);
    expect((await field(label)).getAttribute('aria-invalid')).toBe('true');
    expect(changes()).toEqual([]);
  });

  it('accepts today in New York time', async () => {
    vi.setSystemTime(new Date('2026-06-16T02:00:00Z'));
    open();
    await fill({ 'Notification Send Date': '06/15/2026' });
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toContain('Notification Created.');
    expect(changes()).toMatchObject([{ body: { sendDt: '2026-06-15' } }]);
  });

  it.each([
    [
      {},
      'DRAFT',
      'It will be saved as a draft. Still missing: Notification Name, Campaign, Notification Link, and recipients.',
    ],
    [complete, 'DRAFT', 'It will be saved as a draft. Still missing: recipients.'],
  ])('lists missing fields', async (typed, status, text) => {
    open([]);
    await fill(typed);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText(status)).toBeTruthy();
  });

  it('preserves the input when the request fails', async () => {
    open([], { [creating]: { status: 500 } });
    await fill(complete);
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toBe(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
    expect((await field('Notification Name')).value).toBe('Fee changes');
    expect((await field('Notification Link')).value).toBe('https://news.example.com/fees');
  });

  it("shows the server's problem at its field", async () => {
    const fields = [{ path: 'sendDt', code: 'INVALID', message: "Enter today's date or later." }];
    open([], { [creating]: { status: 400, body: { message: "The notification isn't valid.", fields } } });
    await fill({ Campaign: 'Fees' });
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toBe("Error: Enter today's date or later.");
    expect((await field('Notification Send Date')).getAttribute('aria-invalid')).toBe('true');
  });

  it('shows which recipients the server rejects', async () => {
    const message = "Some recipients don't exist. Remove them and save again.";
    const fields = [{ path: 'userNotList', code: 'UNKNOWN', message }];
    open([], { [creating]: { status: 400, body: { message, fields } } });
    await fill({ Campaign: 'Fees' });
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toBe(message);
  });

  it('is cleared by RESET', async () => {
    open();
    await fill(complete);
    await press('RESET');
    expect((await field('Notification Name')).value).toBe('');
    expect(screen.queryByText('Error: Enter Notification name')).toBeNull();
  });
});

describe('the table', () => {
  const four = (['DRAFT', 'READY', 'SCHEDULED', 'SENT'] as const).map((status, n) =>
    makeNotification({
      wcp_notification_id: n + 1,
      name: `Number ${n + 1}`,
      status,
      sendDt: n > 1 ? '2026-07-01' : null,
      lastUpdate: `2026-03-0${n + 1}T15:00:00.000000Z`,
    }),
  );

  it('shows notifications, last changed first', async () => {
    open(four);
    const rows = await readRows('All Notifications');
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(0, 7)
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['Number 4', 'Spring', 'Marketing', 'SENT', '07/01/2026', '03/04/2026', 'isad.demo'],
      ['Number 3', 'Spring', 'Marketing', 'SCHEDULED', '07/01/2026', '03/03/2026', 'isad.demo'],
      ['Number 2', 'Spring', 'Marketing', 'READY', '', '03/02/2026', 'isad.demo'],
      ['Number 1', 'Spring', 'Marketing', 'DRAFT', '', '03/01/2026', 'isad.demo'],
    ]);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Notification Name',
      'Campaign',
      'Requested by',
      'Status',
      'Send Date',
      'Last Update',
      'Last Update By',
      'Actions',
    ]);
  });

  it.each([
    ['Number 1', ['EDIT', 'DELETE']],
    ['Number 2', ['EDIT', 'DELETE']],
    ['Number 3', ['EDIT', 'DELETE']],
    ['Number 4', ['EDIT', 'UN-PUBLISH']],
  ])('offers actions by status for %s', async (name, actions) => {
    open(four);
    await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(actions);
  });

  it('filters by a column', async () => {
    open(four);
    await userEvent.type(await screen.findByLabelText('Filter by Status'), 'sched');
    expect(await readRows('All Notifications')).toHaveLength(1);
  });

  it("shows when it couldn't load", async () => {
    open([], { [listing]: { status: 500 } });
    expect(
      await screen.findByText('Error: An error has occurred. Please try again or contact Customer Service.'),
    ).toBeTruthy();
  });

  it('refetches while one is being sent', async () => {
    const due = makeNotification({
      status: 'SCHEDULED',
      sendDt: '2026-06-15',
      lastUpdate: '2026-06-15T13:59:58.000000Z',
    });
    let asked = 0;
    open([], { [listing]: () => ({ body: [asked++ > 0 ? { ...due, status: 'SENT' } : due] }) });
    expect(await screen.findByText('SCHEDULED')).toBeTruthy();
    expect(await screen.findByText('SENT')).toBeTruthy();
  });
});

describe('editing', () => {
  it('fills the form, and updates the loaded notification', async () => {
    const row = makeNotification({ sendDt: '2026-07-01', status: 'SCHEDULED' });
    open([row]);
    await choose('EDIT');
    expect((await field('Notification Send Date')).value).toBe('07/01/2026');
    expect(screen.getByText('2 recipients selected')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Edit notification' }));
    await userEvent.type(await field('Campaign'), ' two');
    await press('UPDATE NOTIFICATION');
    expect(await messageText()).toContain('Notification updated.');
    expect(changes()).toEqual([{ call: updating, body: { ...row, campaign: 'Spring two' } }]);
    expect(screen.getByRole('heading', { name: 'New notification' })).toBeTruthy();
  });

  it('is reset to the loaded one, and ended by CANCEL EDIT', async () => {
    open();
    await choose('EDIT');
    await userEvent.type(await field('Campaign'), ' two');
    await press('RESET');
    expect((await field('Campaign')).value).toBe('Spring');
    await press('CANCEL EDIT');
    expect((await field('Campaign')).value).toBe('');
    expect(screen.getByRole('button', { name: 'CREATE NOTIFICATION' })).toBeTruthy();
  });

  it('is blocked while the previous one is saved', async () => {
    const saved = moment();
    const row = makeNotification();
    const other = makeNotification({ wcp_notification_id: 7, name: 'Fee changes', campaign: 'Fees' });
    open([row, other], {
      [updating]: async () => {
        await saved.until;
        return { status: 404, body: { code: 'NOT_FOUND', message: 'Gone.' } };
      },
    });
    await choose('EDIT');
    await userEvent.type(await field('Campaign'), ' two');
    await press('UPDATE NOTIFICATION');
    await expect.poll(changes).toHaveLength(1);
    await choose('EDIT', 'Fee changes');
    expect((await field('Campaign')).value).toBe('Spring two');
    expect((await field('Campaign')).closest('fieldset')?.disabled).toBe(true);
    for (const name of ['RESET', 'CANCEL EDIT', 'MANAGE RECIPIENTS'])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
    saved.come();
    expect(await messageText()).toContain('Another administrator deleted this notification.');
    expect((await field('Campaign')).closest('fieldset')?.disabled).toBe(false);
  });

  describe('that another administrator saved first', () => {
    const theirs = makeNotification({
      requestedBy: 'Bea',
      campaign: 'Summer',
      lastUpdate: '2026-03-02T16:00:00.000000Z',
    });
    const stale = {
      status: 409,
      body: { code: 'STALE', message: 'Stale.', version: theirs.lastUpdate, fields: [] },
    };

    async function conflict() {
      const stored = [makeNotification()];
      open(stored, {
        [updating]: () => {
          stored[0] = theirs;
          return changes().length === 1 ? stale : { body: theirs };
        },
      });
      await choose('EDIT');
      await userEvent.type(await field('Campaign'), ' two');
      await userEvent.type(await field('Notification Link'), '/more');
      await press('UPDATE NOTIFICATION');
    }
    const compared = async () =>
      (await screen.findAllByRole('row', { name: /^(Campaign|Requested by)/ })).map((each) =>
        within(each)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );

    it('names the differences, and preserves the input', async () => {
      await conflict();
      expect(await compared()).toEqual([
        ['Summer', 'Spring two'],
        ['Bea', "You didn't change this"],
      ]);
      expect((await field('Campaign')).value).toBe('Spring two');
      await waitFor(() =>
        expect(document.activeElement?.textContent).toContain(
          'Someone else saved changes while you were editing.',
        ),
      );
    });

    it('uses theirs, and keeps fields that only this user changed', async () => {
      await conflict();
      await userEvent.click(await screen.findByRole('button', { name: 'Use theirs' }));
      expect((await field('Campaign')).value).toBe('Summer');
      expect((await field('Requested by')).value).toBe('Bea');
      expect((await field('Notification Link')).value).toBe(`${makeNotification().link}/more`);
      await press('UPDATE NOTIFICATION');
      await waitFor(() => expect(changes()).toHaveLength(2));
      expect(changes()[1]?.body).toMatchObject({ campaign: 'Summer', lastUpdate: theirs.lastUpdate });
    });

    it('applies mine over theirs, except for unchanged fields', async () => {
      await conflict();
      await userEvent.click(await screen.findByRole('button', { name: 'Apply mine' }));
      await waitFor(() => expect(changes()).toHaveLength(2));
      expect(changes()[1]?.body).toMatchObject({
        campaign: 'Spring two',
        requestedBy: 'Bea',
        lastUpdate: theirs.lastUpdate,
      });
      expect(await messageText()).toContain('Notification updated.');
    });
  });

  it('that was deleted stays in the form as a new one', async () => {
    open(undefined, {
      [updating]: { status: 404, body: { code: 'NOT_FOUND', message: 'Gone.' } },
    });
    await choose('EDIT');
    await userEvent.type(await field('Campaign'), ' two');
    await press('UPDATE NOTIFICATION');
    expect(await messageText()).toContain('Another administrator deleted this notification.');
    expect((await field('Campaign')).value).toBe('Spring two');
    await press('CREATE NOTIFICATION');
    await waitFor(() => expect(changes().at(-1)?.call).toBe('PUT /notifications/create'));
  });

  it('of a sent one is disabled, with the reason', async () => {
    open([makeNotification({ status: 'SENT', sendDt: '2026-03-03' })]);
    await choose('EDIT');
    for (const label of [
      'Notification Name',
      'Campaign',
      'Requested by',
      'Notification Link',
      'Notification Send Date',
    ])
      expect((await field(label)).disabled).toBe(true);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'UPDATE NOTIFICATION' });
    expect(button.disabled).toBe(true);
    expect(screen.getByText(/^This notification was sent, so you can't change it/)).toBeTruthy();
    await press('CANCEL EDIT');
    expect((await field('Campaign')).disabled).toBe(false);
  });

  it('asks before it replaces unsaved changes', async () => {
    open();
    await fill({ Campaign: 'Mine' });
    await choose('EDIT');
    const dialog = await screen.findByRole('dialog', {
      name: 'EDIT will discard your unsaved changes on the form. Do you want to continue?',
    });
    await userEvent.click(within(dialog).getByRole('button', { name: 'CANCEL' }));
    expect((await field('Campaign')).value).toBe('Mine');
    await choose('EDIT');
    await press('CONTINUE');
    await waitFor(async () => expect((await field('Campaign')).value).toBe('Spring'));
  });
});

describe('withdrawing', () => {
  const removal = 'DELETE will remove this notification. Do you want to continue?';
  const recall = 'UN-PUBLISH will recall this notification from its recipients. Do you want to continue?';
  const sent = makeNotification({ status: 'SENT', sendDt: '2026-03-03' });

  it('deletes after CONTINUE, once', async () => {
    const deleted = moment();
    open(undefined, {
      [deleting]: async () => {
        await deleted.until;
        return { status: 204 };
      },
    });
    await choose('DELETE');
    await screen.findByRole('dialog', { name: removal });
    await userEvent.dblClick(screen.getByRole('button', { name: 'CONTINUE' }));
    deleted.come();
    expect(await messageText()).toContain('“Spring newsletter” was deleted.');
    expect(changes()).toEqual([{ call: deleting, body: null }]);
  });

  it('leaves everything unchanged after CANCEL', async () => {
    open();
    await choose('DELETE');
    await press('CANCEL');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([]);
  });

  it('un-publishes: ready without a date, then without copies', async () => {
    open([sent]);
    await choose('UN-PUBLISH');
    await screen.findByRole('dialog', { name: recall });
    await press('CONTINUE');
    expect(await messageText()).toContain('was recalled from its recipients.');
    expect(changes()).toEqual([
      { call: updating, body: { ...sent, status: 'READY', sendDt: null } },
      { call: recalling, body: null },
    ]);
  });

  it("enables the form of one that is un-published while it's open", async () => {
    let status: Notification['status'] = 'SENT';
    open([], {
      [listing]: () => ({ body: [{ ...sent, status }] }),
      [recalling]: () => {
        status = 'READY';
        return { status: 204 };
      },
    });
    await choose('EDIT');
    expect((await field('Campaign')).disabled).toBe(true);
    await choose('UN-PUBLISH');
    await press('CONTINUE');
    await messageText();
    expect((await field('Campaign')).disabled).toBe(false);
    expect(screen.getByRole('heading', { name: 'Edit notification' })).toBeTruthy();
  });

  it('preserves the input for one that has been sent', async () => {
    let row = makeNotification({ status: 'SCHEDULED', sendDt: '2026-07-01' });
    open([], {
      [listing]: () => ({ body: [row] }),
      [updating]: (body) => {
        if ((body as Notification).status === 'READY')
          row = { ...row, status: 'READY', sendDt: null, lastUpdate: 'later' };
        else if (row.status === 'SENT')
          return { status: 409, body: { message: 'This notification was sent already.' } };
        return { body: row };
      },
    });
    await choose('EDIT');
    await userEvent.type(await field('Campaign'), ' two');
    row = { ...row, status: 'SENT' };
    await press('UPDATE NOTIFICATION');
    expect(await messageText()).toBe('This notification was sent already.');
    await screen.findByText('SENT');
    await choose('UN-PUBLISH');
    await press('CONTINUE');
    await screen.findByText('“Spring newsletter” was recalled from its recipients.');
    expect(screen.queryByText('This notification was sent already.')).toBeNull();
    expect((await field('Campaign')).value).toBe('Spring two');
    await press('UPDATE NOTIFICATION');
    await screen.findByText('Notification updated.');
    expect(changes().at(-1)?.body).toMatchObject({ campaign: 'Spring two', lastUpdate: 'later' });
  });

  it("clears the form of one that is deleted while it's edited", async () => {
    let rows = [makeNotification()];
    open([], {
      [listing]: () => ({ body: rows }),
      [deleting]: () => {
        rows = [];
        return { status: 204 };
      },
    });
    await choose('EDIT');
    await choose('DELETE');
    await press('CONTINUE');
    await messageText();
    expect(screen.getByRole('heading', { name: 'New notification' })).toBeTruthy();
  });

  it.each([
    [{ status: 500 }, 'Error: An error has occurred. Please try again or contact Customer Service.'],
    [
      { status: 409, body: { message: 'This notification has already been sent. Unpublish it first.' } },
      'Error: An error has occurred. Please try again or contact Customer Service.This notification has already been sent. Unpublish it first.',
    ],
  ])('shows when it failed', async (reply, text) => {
    open(undefined, { [deleting]: reply });
    await choose('DELETE');
    await press('CONTINUE');
    expect(await messageText()).toBe(text);
    expect(await readRows('All Notifications')).toHaveLength(1);
  });
});

describe('Back and Reload', () => {
  it('restore the input', async () => {
    const { history } = open();
    await fill(complete);
    await waitFor(() =>
      expect(getWork<Draft>(history.location.state, 'draft')).toMatchObject({
        values: { name: 'Fee changes', link: 'https://news.example.com/fees' },
      }),
    );
    const { state } = history.location;
    cleanup();
    open(undefined, {}, state);
    expect((await field('Notification Name')).value).toBe('Fee changes');
    expect(history.location.href).not.toContain('Fee');
  });

  it("restore nothing of another user's", async () => {
    open(undefined, {}, { sealed: { draft: { id: 99, text: btoa('sealed for another') } } });
    expect((await field('Notification Name')).value).toBe('');
  });
});

it('shows so to users without access', async () => {
  calls = fakeServer({});
  show('/Notifications', makeSession());
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});

it('shows that there are more notifications than listed', async () => {
  open(undefined, { [listing]: { body: [makeNotification()], headers: { 'X-Limited-To': '1000' } } });
  expect(
    await screen.findByText('There are more notifications. This list shows the newest 1,000.'),
  ).toBeTruthy();
});

describe('a notification to every user', () => {
  const announcement = 'PUT /notifications/announcement';
  async function save(audience: Draft['audience']) {
    const draft = {
      ...startDraft(null),
      values: {
        name: 'Fees',
        campaign: 'Fees',
        requestedBy: '',
        link: 'https://a.example',
        sendDt: '07/01/2026',
      },
      audience,
    };
    open(
      [],
      {
        [announcement]: { body: makeNotification() },
        'POST /notifications/audience': { body: { count: 1231, excluded: 0 } },
      },
      await encryptDraft(draft),
    );
    await press('CREATE NOTIFICATION');
  }
  const sent = () => calls.filter(({ call }) => call === announcement);

  it('asks first, with the number of users and the time', async () => {
    await save({});
    const dialog = within(
      await screen.findByRole('dialog', {
        name: 'This notification will go to every user. Do you want to continue?',
      }),
    );
    expect(
      await dialog.findByText(
        '1,231 users match now. It will be sent on 07/01/2026 at 8:00 am Eastern Time.',
      ),
    ).toBeTruthy();
    expect(sent()).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'CONTINUE' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  it('asks before it applies changes over those of another administrator', async () => {
    const read = makeNotification();
    const theirs = { ...read, requestedBy: 'Bea', lastUpdate: '2026-03-02T16:00:00.000000Z' };
    const draft = startDraft(read);
    const stored = [read];
    open(
      stored,
      {
        [announcement]: () => {
          stored[0] = theirs;
          return sent().length === 1
            ? {
                status: 409,
                body: { code: 'STALE', message: 'Stale.', version: theirs.lastUpdate, fields: [] },
              }
            : { body: theirs };
        },
        'POST /notifications/audience': { body: { count: 1231, excluded: 0 } },
      },
      await encryptDraft({ ...draft, audience: {}, values: { ...draft.values, sendDt: '07/01/2026' } }),
    );
    await press('UPDATE NOTIFICATION');
    await press('CONTINUE');
    await userEvent.click(await screen.findByRole('button', { name: 'Apply mine' }));
    await press('CONTINUE');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]?.body).toMatchObject({ requestedBy: 'Bea', lastUpdate: theirs.lastUpdate });
  });

  it("doesn't ask for a narrower audience", async () => {
    await save({ types: ['PRUS'] });
    await waitFor(() => expect(sent()).toHaveLength(1));
  });
});
