import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import { makeUserRow } from '@/shared/testing';
import {
  type Audience,
  audienceSchema,
  describeAudience,
  isSameAudience,
  toAudience,
  toValues,
} from './audience';
import { type Draft, encryptDraft, startDraft } from './draft';
import { type Notification, noValues } from './notification';
import { field, isad, makeNotification, messageText, press, readRows, show } from './testing';

const announcer = makeSession({
  ...isad,
  permissions: ['notifications.manage', 'users.search', 'announcements.manage'],
});
const counting = 'POST /notifications/audience';
const announcing = 'PUT /notifications/announcement';

let calls: Call[];
const getBodies = (wanted: string) => calls.filter(({ call }) => call === wanted).map(({ body }) => body);

async function open(
  draft: Partial<Draft> = {},
  replies: Replies = {},
  path: '/Notifications' | '/ManageRecipients' = '/ManageRecipients',
) {
  calls = fakeServer({
    'POST /admin/userList': { body: [makeUserRow()] },
    'GET /notifications/list': { body: [] },
    'GET /notifications/announcements': { body: [] },
    [counting]: { body: { count: 1231, excluded: 0 } },
    [announcing]: (body) => ({ body: makeNotification({ ...(body as Notification), status: 'SCHEDULED' }) }),
    ...replies,
  });
  return show(
    path,
    announcer,
    await encryptDraft({ ...startDraft(null), values: { ...noValues, name: 'Fees' }, ...draft }),
  );
}

const turnTo = async (way: string) => userEvent.click(await screen.findByRole('radio', { name: way }));

describe('an audience', () => {
  const audience: Audience = {
    types: ['PRAD', 'PRUS'],
    groups: [7],
    tins: ['111111111'],
    states: ['TX'],
    excluded: [5, 6],
  };

  it('has the typed values in order, without empty ones', () => {
    expect(
      toAudience(
        {
          types: ['PRUS', 'PRAD'],
          statuses: [],
          groups: '12, 7',
          tins: '22-2222222, 111111111',
          states: 'tx',
        },
        [6, 5],
      ),
    ).toEqual({
      types: ['PRAD', 'PRUS'],
      groups: [7, 12],
      tins: ['111111111', '222222222'],
      states: ['TX'],
      excluded: [5, 6],
    });
  });

  it('is the same whatever the order', () => {
    expect(isSameAudience(audience, toAudience(toValues(audience), [6, 5]))).toBe(true);
    expect(isSameAudience(audience, { ...audience, excluded: [] })).toBe(false);
    expect(isSameAudience({}, null)).toBe(false);
  });

  it.each<[Audience, string]>([
    [{}, 'everyone'],
    [audience, 'Provider Admin or Provider User with group 7; TIN 111111111; state TX; 2 excluded'],
    [{ statuses: ['ACTIV', 'LOCK'] }, 'everyone with status Active or Locked'],
    [{ excluded: [5] }, 'everyone; 1 excluded'],
  ])('%o as text', (of, words) => expect(describeAudience(of)).toBe(words));

  it.each([{ groups: '7, x' }, { tins: '12345678' }, { states: 'Texas' }])('rejects %o', (part) =>
    expect(audienceSchema.safeParse({ ...toValues({}), ...part }).success).toBe(false),
  );
});

describe('everyone who matches', () => {
  it('is counted, and saved', async () => {
    await open();
    await turnTo('Everyone who matches');
    expect(await screen.findByText('1,231 users match now: everyone.')).toBeTruthy();
    await userEvent.type(await field('States'), 'tx');
    expect(screen.getByText('Select COUNT to see how many users match.')).toBeTruthy();
    await press('COUNT');
    expect(await screen.findByText('1,231 users match now: everyone with state TX.')).toBeTruthy();
    await userEvent.type(await field('Group IDs'), '7');
    await press('CLOSE');
    expect(
      await screen.findByText(
        /^Everyone who matches: everyone with group 7; state TX \(1,231 users match now\)$/,
      ),
    ).toBeTruthy();
    await userEvent.type(await field('Campaign'), 'Spring');
    await press('CREATE NOTIFICATION');
    expect(await messageText()).toContain('Notification Created.');
    expect(getBodies(announcing)).toMatchObject([
      { name: 'Fees', userNotList: '', audience: { groups: [7], states: ['TX'] } },
    ]);
  });

  it('can exclude users', async () => {
    await open({ audience: { types: ['PRUS'] } });
    expect(
      await screen.findByText('No users excluded yet. Use SEARCH RECIPIENTS to exclude users.'),
    ).toBeTruthy();
    await press('SEARCH RECIPIENTS');
    await userEvent.type(await screen.findByLabelText('Usernames (comma separated)'), 'areed');
    await press('SEARCH RECIPIENTS');
    await screen.findByRole('table', { name: 'Users Found' });
    await press('SELECT ALL');
    await press('EXCLUDE SELECTED');
    expect(await screen.findByText('1 recipient excluded.')).toBeTruthy();
    expect(await readRows('Excluded Recipients')).toHaveLength(1);
    expect(getBodies(counting).at(-1)).toEqual({ types: ['PRUS'], excluded: [5] });
    // They stay after a switch to individual recipients and back.
    await turnTo('Selected users');
    await turnTo('Everyone who matches');
    expect(await readRows('Excluded Recipients')).toHaveLength(1);
  });

  it("can't be left with invalid input", async () => {
    const { history } = await open({ audience: {} });
    await userEvent.type(await field('Tax IDs'), '123');
    await press('CLOSE');
    expect(await messageText()).toBe('Error: Enter 9-digit Tax IDs (TINs), separated by commas');
    expect(history.location.pathname).toBe('/ManageRecipients');
  });

  it("shows the server's problem, each time", async () => {
    const message = 'There is no group 99. Remove it.';
    await open(
      { audience: {} },
      {
        [counting]: (body) =>
          (body as Audience).groups
            ? {
                status: 400,
                body: {
                  message: "The audience isn't valid.",
                  fields: [{ path: 'groups', code: 'INVALID', message }],
                },
              }
            : { body: { count: 1, excluded: 0 } },
      },
    );
    await userEvent.type(await field('Group IDs'), '99');
    for (const times of [2, 3]) {
      await press('COUNT');
      await waitFor(() => expect(getBodies(counting)).toHaveLength(times));
      expect((await screen.findByRole('alert')).textContent).toBe(message);
    }
  });

  it('is shown for a stored one, until recipients are selected again', async () => {
    const stored = makeNotification({ userNotList: '' });
    await open(
      {},
      {
        'GET /notifications/list': { body: [stored] },
        'GET /notifications/announcements': {
          body: [{ wcp_notification_id: 4, audience: { types: ['PRAD'] }, sentTo: null }],
        },
      },
      '/Notifications',
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Spring newsletter' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'EDIT' }));
    await press('CONTINUE');
    expect(
      await screen.findByText('Everyone who matches: Provider Admin (1,231 users match now)'),
    ).toBeTruthy();
    await press('MANAGE RECIPIENTS');
    await turnTo('Selected users');
    await press('CLOSE');
    expect(await screen.findByText('No recipients selected')).toBeTruthy();
    await press('UPDATE NOTIFICATION');
    await messageText();
    const [body] = getBodies(announcing) as Record<string, unknown>[];
    expect(body).toMatchObject({ wcp_notification_id: 4, lastUpdate: stored.lastUpdate, userNotList: '' });
    expect(body).not.toHaveProperty('audience');
  });

  it('shows how many it was sent to', async () => {
    const sent = makeNotification({ status: 'SENT', userNotList: '' });
    await open(
      {
        editing: { ...sent, announced: { wcp_notification_id: 4, audience: {}, sentTo: 1200 } },
        audience: {},
      },
      {},
      '/Notifications',
    );
    expect(await screen.findByText('Everyone who matches: everyone (sent to 1,200 recipients)')).toBeTruthy();
    await press('MANAGE RECIPIENTS');
    expect(await screen.findByText('Sent to everyone who matched: everyone.')).toBeTruthy();
    expect(within(document.body).queryByRole('radio')).toBeNull();
    expect(getBodies(counting)).toEqual([]);
  });

  it.each([
    [2, null, 'Its recipients see it under the bell.'],
    [
      1,
      null,
      '1 of its 2 recipients see it under the bell. The other accounts were terminated before it was sent.',
    ],
    [0, null, "Sent to no one: all recipients' accounts were terminated."],
    [0, {}, 'Sent to no one. No users matched.'],
  ])('shows who sees one that %i received', async (sentTo, audience, told) => {
    const sent = makeNotification({ status: 'SENT' });
    const announced = { wcp_notification_id: 4, sentTo, ...(audience && { audience }) };
    await open({ editing: { ...sent, announced }, recipients: [5, 6], audience }, {}, '/Notifications');
    expect(await screen.findByText(told)).toBeTruthy();
  });

  it("can't be selected without the permission", async () => {
    calls = fakeServer({ 'POST /admin/userList': { body: [] } });
    show(
      '/ManageRecipients',
      isad,
      await encryptDraft({ ...startDraft(null), values: { ...noValues, name: 'x' } }),
    );
    expect(await screen.findByText(/^No recipients yet/)).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
  });
});
