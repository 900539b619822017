import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Answer, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { SharedTin, TinSharing } from './sharing';
import TinSharingPage from './TinSharingPage';
import { button, rows, show } from './testing';
import { UndecidedSharings } from './UndecidedSharings';

const holder = makeSession({ permissions: ['tins.sharing'] });
const decider = makeSession({
  user: makeUser({ typeCd: 'ISAD', grpInfoId: null }),
  permissions: ['tins.decide'],
});

const shared = (part: Partial<SharedTin> = {}): SharedTin => ({
  id: 'A1',
  ftin: '444444444',
  addedDate: '2026-03-02T15:00:00Z',
  office: '',
  statusCd: 'IN_USE',
  objectionCd: '',
  reason: '',
  ...part,
});

const sharing = (part: Partial<TinSharing> = {}): TinSharing => ({
  id: 'A1',
  ftin: '444444444',
  groupId: 1002,
  groupName: 'Erie Shore',
  statusCd: 'DISPUTED',
  named: false,
  addedDate: '2026-03-02T15:00:00Z',
  addedBy: 'mstone',
  billControlNumber: 'B4444',
  providerId: '',
  decidedBy: '',
  holders: [
    {
      groupId: 1001,
      groupName: 'Lakeside',
      objectionCd: 'OPEN',
      reason: 'They closed in 2019',
      objectedDate: '2026-03-04T15:00:00Z',
      objectedBy: 'preyes',
    },
    { groupId: 1003, groupName: '', objectionCd: '', reason: '', objectedBy: '' },
  ],
  ...part,
});

const makePage = <Row,>(...list: Row[]) => ({ body: { rows: list, count: list.length } });
const dialog = () => screen.findByRole('dialog');
const press = async (name: string) => userEvent.click(within(await dialog()).getByRole('button', { name }));

describe('an earlier group', () => {
  const listing = 'POST /ftin/shared/page';
  const objection = 'POST /ftin/shared/A1/objection';

  it("sees the TIN's other uses, and can object once while it's there", async () => {
    fakeServer({
      [listing]: makePage(
        shared(),
        shared({ id: 'A2', office: 'Erie Shore', statusCd: 'WAITING', objectionCd: 'OPEN', reason: 'Ours' }),
        shared({ id: 'A3', statusCd: 'IN_USE', objectionCd: 'DISMISSED', reason: 'Ours' }),
        shared({ id: 'A4', statusCd: 'TAKEN', objectionCd: 'UPHELD', reason: 'Ours' }),
        shared({ id: 'A5', statusCd: 'ENDED' }),
      ),
    });
    show(TinSharingPage, holder);
    await screen.findByRole('table');
    expect(rows('TINs added by other offices').map((cells) => cells.slice(2))).toEqual([
      ['Another office', 'In use', '', 'Object to 444444444 of another office'],
      ['Erie Shore', 'Pending review', 'Pending decisionOurs', ''],
      ['Another office', 'In use', 'DismissedOurs', ''],
      ['Another office', 'Revoked', 'UpheldOurs', ''],
      ['Another office', 'Withdrawn', '', ''],
    ]);
  });

  it.each<[string, Answer, string]>([
    ['sent', { status: 204 }, "Objection sent. We'll email you the decision"],
    [
      'refused',
      { status: 409, body: { message: 'Your office has already objected.' } },
      'Your office has already objected.',
    ],
    [
      'failed',
      { status: 500 },
      'Error: An error has occurred. Please try again or contact Customer Service.',
    ],
  ])('shows that the objection was %s', async (_, reply, text) => {
    const calls = fakeServer({ [listing]: makePage(shared()), [objection]: reply } as Replies);
    show(TinSharingPage, holder);
    await userEvent.click(await screen.findByRole('button', { name: /^Object/ }));
    await press('Object');
    expect(await screen.findByText('Error: Enter a reason')).toBeTruthy();
    const reason = within(await dialog()).getByRole('textbox');
    await userEvent.type(reason, 'Ours');
    expect(screen.queryByText('Error: Enter a reason')).toBeNull();
    await press('Object');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(calls.filter(({ call }) => call === objection)).toEqual([
      { call: objection, body: { reason: 'Ours' } },
    ]);
    expect(calls.filter(({ call }) => call === listing)).toHaveLength(2);
    expect(screen.queryByRole('dialog') === null).toBe(text.startsWith('Objection sent'));
  });

  it('rejects a reason of more than 400 characters', async () => {
    fakeServer({ [listing]: makePage(shared()) });
    show(TinSharingPage, holder);
    await userEvent.click(await screen.findByRole('button', { name: /^Object/ }));
    const reason = within(await dialog()).getByRole('textbox');
    await userEvent.click(reason);
    await userEvent.paste('x'.repeat(401));
    expect(await screen.findByText('Error: Use 400 characters or fewer')).toBeTruthy();
    expect(button('Object').disabled).toBe(true);
  });

  it("can't object while mirroring", async () => {
    fakeServer({ [listing]: makePage(shared()) });
    show(TinSharingPage, makeSession({ ...holder, mirroredUser: makeUser() }));
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: /^Object/ })).disabled).toBe(true);
  });
});

describe('deciding users', () => {
  const listing = 'POST /ftin/sharings/page';

  async function open(row: TinSharing, replies: Replies = {}) {
    let waiting = [row];
    const calls = fakeServer({
      [listing]: (body: unknown) => {
        const { undecided } = body as { undecided: boolean };
        return undecided ? makePage(...waiting) : makePage(sharing({ id: 'B1', statusCd: 'IN_USE' }));
      },
      ...replies,
    });
    show(TinSharingPage, decider);
    await userEvent.click(await screen.findByRole('button', { name: /^Decide/ }));
    await dialog();
    const gone = () => {
      waiting = [];
    };
    return { calls, gone };
  }

  it('see the groups, the proof and the objection', async () => {
    await open(sharing());
    expect(rows('Pending decision')).toEqual([
      ['444444444', '03/02/2026', 'Erie Shore', 'In use, objection open', 'Decide 444444444 of Erie Shore'],
    ]);
    expect(rows('In use or decided')[0]?.at(-1)).toBe('View 444444444 of Erie Shore');
    const facts = within(await dialog())
      .getAllByRole('definition')
      .map(({ textContent }) => textContent);
    expect(facts).toEqual([
      'Erie Shore (1002)mstone, 03/02/2026',
      'Bill Control Number B4444',
      'In use, objection open',
      'Lakeside (1001)Objection from preyes, 03/04/2026: They closed in 2019group 1003',
    ]);
  });

  it.each([
    ['DISPUTED', 'Keep', 'keep', 'Objection dismissed'],
    ['DISPUTED', 'Revoke', 'take-away', 'TIN revoked'],
    ['WAITING', 'Approve', 'approve', 'TIN approved'],
    ['WAITING', 'Deny', 'refuse', 'TIN denied'],
  ] as const)('of %s: %s', async (statusCd, label, decision, text) => {
    const { calls, gone } = await open(sharing({ statusCd }), {
      'POST /ftin/sharings/A1/decision': { status: 204 },
    });
    gone();
    await press(label);
    expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.find(({ call }) => call.endsWith('decision'))?.body).toEqual({ decision });
    expect(await screen.findByText('No pending decisions.')).toBeTruthy();
  });

  it('see why not, even after it has left the list', async () => {
    const { gone } = await open(sharing(), {
      'POST /ftin/sharings/A1/decision': { status: 409, body: { message: 'This was decided already.' } },
    });
    gone();
    await press('Keep');
    expect(await screen.findByText('This was decided already.')).toBeTruthy();
    await screen.findByText('No pending decisions.');
    expect(screen.getByText('This was decided already.')).toBeTruthy();
  });

  it('can reveal the name to the earlier groups', async () => {
    const { calls } = await open(sharing(), { 'PUT /ftin/sharings/A1/name': { status: 204 } });
    await userEvent.click(
      within(await dialog()).getByRole('checkbox', { name: 'Show the name Erie Shore to holders' }),
    );
    await waitFor(() =>
      expect(calls.find(({ call }) => call.endsWith('name'))?.body).toEqual({ named: true }),
    );
  });
});

it("see a quiet message when the number couldn't load", async () => {
  fakeServer({ 'GET /ftin/sharings/undecided': [{ status: 500 }, { body: { count: 1234 } }] });
  show(UndecidedSharings, decider);
  expect((await screen.findByText(/^Couldn't check for TIN sharings/)).getAttribute('role')).toBe('status');
  await userEvent.click(button('Try again'));
  expect(await screen.findByText('1,234 TIN sharings pending a decision')).toBeTruthy();
});

it("isn't for anyone else", async () => {
  const calls = fakeServer({});
  show(TinSharingPage, makeSession({ permissions: ['tins.manage'] }));
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
