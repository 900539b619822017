import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { signIn } from '@/api/session';
import { type Call, fakeServer, makeSession, neverReplies, type Replies } from '@/api/testing';
import { addDays, today } from '@/ui/dates';
import { renderScreens } from '../testing';
import { describeCall } from './CallList';
import { checkDraft, emptyDraft, groupByPayer } from './draft';
import PayerCallDialog from './PayerCallDialog';
import type { CallBill, CallText, PayerCall } from './queries';

const bill = (id: string, payerName = 'Beacon Road', version = 0): CallBill => ({
  id,
  billControlNumber: `N${id}`,
  payerName,
  work: { version },
});

async function show(bills: CallBill[], replies: Replies = {}, history = createMemoryHistory()) {
  const calls = fakeServer({
    'GET /work/people': { body: [{ userName: 'ann', name: 'Ann Lee' }] },
    'POST /work/payer-calls': { body: { id: 1, failed: [] } },
    ...replies,
  });
  const onClose = vi.fn();
  const onLogged = vi.fn();
  const Dialog = () => <PayerCallDialog bills={bills} onClose={onClose} onLogged={onLogged} />;
  renderScreens({ '/': Dialog }, makeSession({ permissions: ['work.notes'] }), { history });
  const dialog = within(await screen.findByRole('dialog', { name: 'Log payer call' }));
  return { calls, dialog, onClose, onLogged };
}

const getSent = (calls: Call[]) =>
  calls.filter(({ call }) => call === 'POST /work/payer-calls').map(({ body }) => body as CallText);

test('logs a call by keyboard and by default for all bills of the payer', async () => {
  const { calls, dialog, onClose, onLogged } = await show([
    bill('A', 'Beacon Road', 3),
    bill('B', 'BEACON ROAD'),
  ]);
  expect(dialog.getByLabelText<HTMLInputElement>(/^Payer/).value).toBe('Beacon Road');
  expect(dialog.getByText('2 bills')).toBeTruthy();
  await userEvent.click(dialog.getByRole('radio', { name: 'Payment promised' }));
  await userEvent.type(dialog.getByLabelText(/^Promised payment date/), addDays(today(), 8));
  await userEvent.click(dialog.getByRole('button', { name: '+7 days' }));
  await userEvent.type(dialog.getByLabelText('Spoke with'), 'Ms. Hale');
  await userEvent.type(dialog.getByLabelText('Reference number'), 'R-1');
  await userEvent.type(dialog.getByLabelText('Details'), 'In the mail{Control>}{Enter}{/Control}');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(onLogged).toHaveBeenCalledWith(['A', 'B']);
  const [{ requestKey, ...sent } = { requestKey: '' }] = getSent(calls);
  expect(requestKey).toMatch(/^[\da-f-]{36}$/);
  expect(sent).toEqual({
    bills: [
      { id: 'A', version: 3 },
      { id: 'B', version: 0 },
    ],
    payer: 'Beacon Road',
    spokeWith: 'Ms. Hale',
    outcome: 'promised',
    promisedOn: addDays(today(), 8),
    reference: 'R-1',
    followUpOn: addDays(today(), 7),
    body: 'In the mail',
  });
  expect(await screen.findByText('Call logged: 2 bills')).toBeTruthy();
});

test('asks for one of several payers, and says how many bills each has', async () => {
  const { calls, dialog } = await show([bill('A'), bill('B', 'Acme'), bill('C')]);
  await userEvent.click(dialog.getByRole('radio', { name: 'Denied' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(dialog.getByText('Error: Select one payer')).toBeTruthy();
  expect(getSent(calls)).toEqual([]);
  const choice = dialog.getByLabelText(/^Called payer/);
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Select one payer', 'Beacon Road (2 bills)', 'Acme (1 bill)']);
  await userEvent.selectOptions(choice, 'Beacon Road (2 bills)');
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(getSent(calls).map(({ payer }) => payer)).toEqual(['Beacon Road']));
  expect(getSent(calls)[0]?.bills.map(({ id }) => id)).toEqual(['A', 'C']);
});

test('logs a call to one of several payers with a long name, and shows one that is too long', async () => {
  const long = 'x'.repeat(128);
  const { calls, dialog } = await show([bill('A', long), bill('B', `${long}y`)]);
  await userEvent.click(dialog.getByRole('radio', { name: 'Denied' }));
  const choice = dialog.getByLabelText(/^Called payer/);
  await userEvent.selectOptions(choice, `${long}y (1 bill)`);
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(dialog.getByText('Error: Use 128 characters or fewer')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText(/^Payer/), '{Backspace}{Backspace}');
  expect(dialog.getByLabelText<HTMLInputElement>(/^Payer/).value).toHaveLength(127);
  await userEvent.selectOptions(choice, `${long} (1 bill)`);
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(getSent(calls).map(({ payer }) => payer)).toEqual([long]));
});

test('a call is about up to 50 bills', async () => {
  const { calls, dialog, onLogged } = await show(Array.from({ length: 60 }, (_, at) => bill(String(at))));
  expect(dialog.getByText('The first 50 of 60 bills are in this call.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('radio', { name: 'Other' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(getSent(calls)[0]?.bills).toHaveLength(50));
  expect(onLogged.mock.calls[0]?.[0]).toHaveLength(50);
});

test("a colleague's follow-up is confirmed, and bills that are gone are left out", async () => {
  const work = {
    version: 5,
    marked: 'open' as const,
    until: null,
    followUpOn: '2026-12-24',
    notes: 0,
    updatedAt: null,
    updatedBy: 'ann',
  };
  const { calls, dialog, onClose } = await show([bill('A'), bill('B'), bill('C')], {
    'POST /work/payer-calls': (body: unknown) =>
      (body as CallText).bills.some(({ version }) => version === 5)
        ? { body: { id: 1, failed: [] } }
        : {
            status: 409,
            body: {
              id: 0,
              failed: [
                { id: 'A', outcome: 'stale', work },
                { id: 'B', outcome: 'gone', work },
              ],
            } as never,
          },
  });
  await userEvent.click(dialog.getByRole('radio', { name: 'Resend bill' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Tomorrow' }));
  await userEvent.type(dialog.getByLabelText('Details'), 'Fax it');
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(
    await dialog.findByText(
      'Ann Lee just changed bill NA: unassigned, follow up on 12/24/2026. 1 bill is no longer available. Nothing was logged yet. Check this, then confirm.',
    ),
  ).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Details').value).toBe('Fax it');
  await userEvent.click(dialog.getByRole('button', { name: 'Replace and log call' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const sent = getSent(calls);
  expect(sent[1]?.bills).toEqual([
    { id: 'A', version: 5 },
    { id: 'C', version: 0 },
  ]);
  expect(sent[1]?.requestKey).toBe(sent[0]?.requestKey);
});

test('without any bill left, there is nothing to log', async () => {
  const work = {
    version: 0,
    marked: 'open',
    until: null,
    followUpOn: null,
    notes: 0,
    updatedAt: null,
    updatedBy: '',
  };
  const { dialog } = await show([bill('A')], {
    'POST /work/payer-calls': {
      status: 409,
      body: { id: 0, failed: [{ id: 'A', outcome: 'gone', work }] } as never,
    },
  });
  await userEvent.click(dialog.getByRole('radio', { name: 'Other' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(await dialog.findByText(/^1 bill is no longer available\./)).toBeTruthy();
  const button = dialog.getByRole('button', { name: 'Replace and log call' });
  expect(button.hasAttribute('disabled') || button.getAttribute('aria-disabled') === 'true').toBe(true);
});

test('what was typed stays after an error, and the same call is sent again', async () => {
  let isDown = true;
  const { calls, dialog, onClose } = await show([bill('A')], {
    'POST /work/payer-calls': () =>
      isDown ? { status: 503, body: {} as never } : { body: { id: 1, failed: [] } },
  });
  await userEvent.click(dialog.getByRole('radio', { name: 'Not on file' }));
  await userEvent.type(dialog.getByLabelText('Details'), 'Ask again');
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(await dialog.findByText(/^Error: /)).toBeTruthy();
  isDown = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const [first, second] = getSent(calls);
  expect(second).toEqual(first);
});

test('a call that changed after an error is another request', async () => {
  const { calls, dialog } = await show([bill('A')], { 'POST /work/payer-calls': { status: 502 } });
  await userEvent.click(dialog.getByRole('radio', { name: 'Denied' }));
  const log = () => userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await log();
  await dialog.findByText(/^Error: /);
  await userEvent.type(dialog.getByLabelText('Details'), 'Changed');
  await log();
  await waitFor(() => expect(getSent(calls)).toHaveLength(2));
  await dialog.findByText(/^Error: /);
  await log();
  await waitFor(() => expect(getSent(calls)).toHaveLength(3));
  const [first, changed, same] = getSent(calls).map(({ requestKey }) => requestKey);
  expect(changed).not.toBe(first);
  expect(same).toBe(changed);
});

test('leaving asks once if something was typed', async () => {
  const { dialog, onClose } = await show([bill('A')]);
  await userEvent.type(dialog.getByLabelText('Details'), 'x');
  await userEvent.keyboard('{Escape}');
  expect(await dialog.findByText("Your changes won't be saved.")).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(dialog.getByRole('button', { name: 'Discard changes' }));
  expect(onClose).toHaveBeenCalled();
});

test("an incomplete follow-up date isn't logged as blank", async () => {
  const { calls, dialog, onClose } = await show([bill('A')]);
  await userEvent.click(dialog.getByRole('radio', { name: 'Denied' }));
  const date = dialog.getByLabelText<HTMLInputElement>('Follow-up date');
  // The browser reports a date without its year as invalid, and as empty.
  const validity = vi.spyOn(date, 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState);
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(await dialog.findByText('Error: Enter a complete date')).toBeTruthy();
  expect(document.activeElement).toBe(date);
  await userEvent.type(dialog.getByLabelText('Details'), 'x{Control>}{Enter}{/Control}');
  expect(getSent(calls)).toEqual([]);
  validity.mockRestore();
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

test('an incomplete promised date has its own error', async () => {
  const { dialog } = await show([bill('A')]);
  await userEvent.click(dialog.getByRole('radio', { name: 'Payment promised' }));
  const date = dialog.getByLabelText<HTMLInputElement>(/^Promised payment date/);
  vi.spyOn(date, 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState);
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  expect(await dialog.findByText('Error: Enter today or a later date')).toBeTruthy();
  expect(document.activeElement).toBe(date);
  expect(dialog.queryByText('Error: Enter a complete date')).toBeNull();
});

test("a call can't change while it's logged", async () => {
  const { dialog } = await show([bill('A')], { 'POST /work/payer-calls': neverReplies });
  await userEvent.click(dialog.getByRole('radio', { name: 'Denied' }));
  const details = dialog.getByLabelText<HTMLTextAreaElement>('Details');
  await userEvent.type(details, 'Sent{Control>}{Enter}{/Control}');
  for (const field of [details, ...dialog.getAllByRole<HTMLInputElement>('textbox')]) {
    const before = field.value;
    await userEvent.type(field, ' not sent');
    expect(field.value).toBe(before);
  }
  await userEvent.click(dialog.getByRole('radio', { name: 'Other' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Tomorrow' }));
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Denied' }).checked).toBe(true);
  expect(dialog.getByLabelText<HTMLInputElement>('Follow-up date').value).toBe('');
});

test('checks a call as the server does', () => {
  const day = '2026-05-04';
  const right = { ...emptyDraft, payer: 'Acme', outcome: 'denied' as const };
  expect(checkDraft(right, day)).toEqual({});
  expect(Object.keys(checkDraft(emptyDraft, day))).toEqual(['payer', 'outcome']);
  expect(Object.keys(checkDraft({ ...right, outcome: 'promised' }, day))).toEqual(['promisedOn']);
  expect(Object.keys(checkDraft({ ...right, followUpOn: '2026-05-03' }, day))).toEqual(['followUpOn']);
  for (const [name, limit] of Object.entries({ payer: 128, person: 60, reference: 60, body: 1000 })) {
    expect(checkDraft({ ...right, [name]: 'x'.repeat(limit) }, day)).toEqual({});
    expect(Object.keys(checkDraft({ ...right, [name]: 'x'.repeat(limit + 1) }, day))).toEqual([name]);
  }
});

test('groups bills by payer, regardless of case', () => {
  const groups = groupByPayer([bill('A', 'Acme'), bill('B', ''), bill('C', ' ACME ')]);
  expect(groups.map(({ payer, bills }) => [payer, bills.map(({ id }) => id)])).toEqual([
    ['Acme', ['A', 'C']],
    ['', ['B']],
  ]);
});

test('describes a call in one line', () => {
  const call: PayerCall = {
    id: 1,
    on: '2026-05-04',
    at: '2026-05-04T09:00:00Z',
    author: 'Ann Lee',
    payer: 'Acme',
    spokeWith: 'Ms. Hale',
    outcome: 'promised',
    promisedOn: '2026-05-12',
    reference: 'R-1',
    followUpOn: '2026-05-13',
    body: '',
  };
  expect(describeCall(call)).toBe(
    'Payment promised for 05/12/2026, Ms. Hale at Acme, reference R-1, follow up on 05/13/2026',
  );
  expect(
    describeCall({
      ...call,
      outcome: 'denied',
      promisedOn: null,
      spokeWith: '',
      reference: '',
      followUpOn: null,
    }),
  ).toBe('Denied, Acme');
});

test('a call whose response was lost has the same key after a reload, so that it counts once', async () => {
  const formKey = {
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'GET /session': { body: makeSession() },
    'PUT /session/form-key': { body: { key: btoa('k'.repeat(32)) } },
  } as const;
  const replies = { ...formKey, 'POST /work/payer-calls': { status: 502 } };
  const history = createMemoryHistory();
  fakeServer(formKey);
  await signIn({ username: 'x', password: 'x' });
  const lost = await show([bill('A')], replies, history);
  await userEvent.click(lost.dialog.getByRole('radio', { name: 'Denied' }));
  const getStored = () => Object.values(history.location.state.typed ?? {})[0];
  await waitFor(() => expect(getStored()).toBeTruthy());
  const unsent = getStored();
  await userEvent.click(lost.dialog.getByRole('button', { name: 'Log call' }));
  await lost.dialog.findByText("Error: Couldn't log the call. Try again.");
  await waitFor(() => expect(getStored()).not.toBe(unsent));
  cleanup();
  const { calls, dialog } = await show([bill('A')], replies, history);
  await waitFor(() =>
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Denied' }).checked).toBe(true),
  );
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(getSent(calls)).toHaveLength(1));
  expect(getSent(calls)[0]?.requestKey).toBe(getSent(lost.calls)[0]?.requestKey);
  cleanup();
  const changed = await show([bill('A')], replies, history);
  await waitFor(() =>
    expect(changed.dialog.getByRole<HTMLInputElement>('radio', { name: 'Denied' }).checked).toBe(true),
  );
  await userEvent.click(changed.dialog.getByRole('radio', { name: 'Other' }));
  await userEvent.click(changed.dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(getSent(changed.calls)).toHaveLength(1));
  expect(getSent(changed.calls)[0]?.requestKey).not.toBe(getSent(lost.calls)[0]?.requestKey);
});
