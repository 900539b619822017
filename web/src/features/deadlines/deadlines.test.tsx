import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import DeskRulesPage from './DeskRulesPage';
import type { Rule } from './queries';

const makeRule = (part: Partial<Rule>): Rule => ({
  id: 'TX-1',
  state: 'TX',
  line: 'WC',
  kind: 'PAYER_ANSWER',
  basis: 'PAYER_RECEIVED',
  amount: 45,
  unit: 'DAYS',
  nextWorkday: false,
  condition: 'NON_NETWORK',
  rate: 0,
  citation: '28 TAC 133.240',
  url: 'https://law.example/133',
  text: 'The payer answers in time.',
  status: 'DRAFT',
  effective: '2020-01-01',
  reviewedBy: '',
  version: 0,
  updatedAt: null,
  updatedBy: '',
  ...part,
});

const active = makeRule({
  id: 'own',
  state: 'IL',
  kind: 'OFFICE_RECONSIDER',
  condition: '',
  status: 'ACTIVE',
  reviewedBy: 'J. Quill',
  reviewedOn: '2026-03-01',
  version: 2,
  updatedAt: '2026-03-01T15:00:00Z',
  updatedBy: 'isad',
});

let replies: Replies;
let calls: Call[];
beforeEach(() => {
  replies = {
    'GET /desk/rules': {
      body: {
        rules: [active, makeRule({})],
        holidays: [{ state: 'CA', day: '2026-03-31', name: 'Cesar Chavez Day' }],
        counting: false,
      },
    },
    'PUT /desk/rules/TX-1': { body: makeRule({ version: 1, status: 'ACTIVE' }) },
    'POST /desk/rules': { body: makeRule({ id: 'new', version: 1 }) },
    'PUT /desk/holidays': { status: 204 },
    'DELETE /desk/holidays/CA/2026-03-31': { status: 204 },
  };
  calls = fakeServer(replies);
});

const open = (permissions = ['desk.open', 'deadlines.manage']) =>
  renderScreens({ '/desk/rules': DeskRulesPage }, makeSession({ permissions }));

const sent = (method: string) => calls.filter(({ call }) => call.startsWith(method)).map(({ body }) => body);

test("a draft is confirmed in the user's name, and problems appear at their field", async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: /^Activate TX, Workers' compensation/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Activate TX: Payer response due' }));
  replies['PUT /desk/rules/TX-1'] = {
    status: 400,
    body: {
      message: 'An error has occurred.',
      code: 'INVALID',
      fields: [{ path: 'reviewedBy', code: 'INVALID', message: 'Enter who has reviewed the rule' }],
    },
  };
  await userEvent.click(dialog.getByRole('button', { name: 'Activate rule' }));
  expect(await dialog.findByRole('link', { name: 'Error: Enter who has reviewed the rule' })).toBeTruthy();
  replies['PUT /desk/rules/TX-1'] = { body: makeRule({ version: 1, status: 'ACTIVE' }) };
  await userEvent.type(dialog.getByLabelText('Reviewed by'), 'J. Quill, counsel');
  await userEvent.click(dialog.getByRole('button', { name: 'Activate rule' }));
  expect(await screen.findByText('Rule activated')).toBeTruthy();
  expect(sent('PUT').at(-1)).toMatchObject({
    status: 'ACTIVE',
    reviewedBy: 'J. Quill, counsel',
    version: 0,
    amount: 45,
    rate: 0,
    effective: '2020-01-01',
    ended: '',
  });
});

test('a rule is added after validation', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Add rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add rule' }));
  await userEvent.type(dialog.getByLabelText(/^Link to the law/), 'http://a.example');
  await userEvent.type(dialog.getByLabelText(/^Time/), '-3');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  for (const problem of [
    'Error: Enter a 2-letter state code',
    'Error: Select a line of business',
    'Error: Select a deadline',
    'Error: Enter 1 or more',
    'Error: Enter a citation',
    'Error: Enter a URL that starts with https://',
    'Error: Enter a date as MM/DD/YYYY',
  ])
    expect(await dialog.findByRole('link', { name: problem })).toBeTruthy();
  expect(sent('POST')).toEqual([]);
});

test("read-only users see rules and holidays, and can't change them", async () => {
  open(['desk.open']);
  await userEvent.click(await screen.findByRole('button', { name: /^View IL/ }));
  const dialog = within(
    await screen.findByRole('dialog', { name: 'IL: Deadline to request reconsideration' }),
  );
  expect(dialog.getByText(/Updated .* by isad\./)).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
  await userEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  for (const name of [/^Activate/, 'Add rule', /^Remove/, 'Add holiday'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('dates are tested, and drafts are marked', async () => {
  replies['POST /desk/rules/try'] = {
    body: [
      { rule: makeRule({}), on: '2026-03-18', basis: { on: '2026-02-01', from: 'repricer', about: true } },
      { rule: active, on: null },
    ],
  };
  open();
  const form = within(await screen.findByRole('form', { name: 'Test rules' }));
  await userEvent.click(form.getByRole('button', { name: 'Test' }));
  expect(await form.findByRole('link', { name: 'Error: Enter a 2-letter state code' })).toBeTruthy();
  await userEvent.type(form.getByLabelText('State of jurisdiction'), 'tx');
  await userEvent.type(form.getByLabelText('Received by the network'), '2/1/2026');
  await userEvent.click(form.getByRole('button', { name: 'Test' }));
  const rows = within(await screen.findByRole('table', { name: 'Results' })).getAllByRole('row');
  expect(rows[1]?.textContent).toContain('Payer response due, outside a certified network Draft');
  expect(rows[1]?.textContent).toContain('03/18/2026');
  expect(rows[2]?.textContent).toContain('None');
  expect(sent('POST')).toEqual([
    {
      state: 'TX',
      line: 'WC',
      receivedSure: true,
      service: '',
      received: '2026-02-01',
      payerReceived: '',
      paid: '',
    },
  ]);
});

test('holidays are added and removed', async () => {
  open();
  await userEvent.click(
    await screen.findByRole('button', { name: 'Remove Cesar Chavez Day (CA, 03/31/2026)' }),
  );
  expect(await screen.findByText('Cesar Chavez Day (CA, 03/31/2026) removed')).toBeTruthy();
  const form = within(screen.getByRole('form', { name: 'Add holiday' }));
  await userEvent.type(form.getByLabelText('State'), 'tx');
  await userEvent.type(form.getByLabelText('Date'), '3/2/2026');
  await userEvent.type(form.getByLabelText('Holiday'), 'Independence Day');
  await userEvent.click(form.getByRole('button', { name: 'Add holiday' }));
  await waitFor(() =>
    expect(sent('PUT')).toEqual([{ state: 'TX', day: '2026-03-02', name: 'Independence Day' }]),
  );
});

test("shows so while open bills are recalculated, and when rules couldn't load", async () => {
  replies['GET /desk/rules'] = { body: { rules: [active], holidays: [], counting: true } };
  const { unmount } = open();
  expect(await screen.findByText(/We're recalculating deadlines for open bills/)).toBeTruthy();
  unmount();
  replies['GET /desk/rules'] = { status: 503, body: {} };
  open();
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
