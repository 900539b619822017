import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Call, fakeServer, makeSession, makeValue, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { today } from '@/ui/dates';
import CallSheetPage from './CallSheetPage';
import { getNextCall, type SheetBill } from './callSheet';

const bill = (id: string, payerName: string, called = false): SheetBill => ({
  ...makeValue('OpenBill', {
    id,
    ftin: '111111111',
    billControlNumber: id,
    patientFirstName: 'Ada',
    patientLastName: 'Ortiz',
    beginServiceDate: '2026-04-02',
    age: 32,
    payerName,
    provider: 'Lee, Kim',
    state: 'priced',
    charge: 100,
    allowance: 80,
    dueBy: 'payer',
    changed: 7,
    work: makeValue('OpenBillWork', { version: 2, followUpOn: '2026-05-04', updatedBy: 'ann' }),
    ...(called && { lastCall: { on: today(), outcome: 'resend' as const, promisedOn: null } }),
  }),
  claimNumber: '',
});

const contact = {
  payer: 'Beacon Road',
  phone: '6145550101',
  extension: '7',
  web: '',
  address: '',
  hours: '8 to 5 ET',
  ready: 'Tax ID',
  claimNumber: 'C-1',
  source: 'staff' as const,
  on: '2026-05-01',
  possibly: true,
};

async function show(permissions: string[], more: Replies = {}) {
  const calls = fakeServer({
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '111111111' }] as never },
    'GET /work/people': { body: [] },
    'POST /work/bills/search': [
      {
        body: {
          bills: [bill('A', 'Beacon Road'), bill('B', 'BEACON ROAD')],
          next: 'more',
          asOf: '2026-05-04T09:00:00Z',
        },
      },
      { body: { bills: [bill('C', 'Harbor', true)], next: '', asOf: '2026-05-04T09:00:00Z' } },
    ],
    'POST /work/bills/contacts': [
      {
        body: [
          { id: 'A', claimNumber: 'C-1', contact: { ...contact, phone: '' } },
          { id: 'B', claimNumber: 'C-2', contact },
        ],
      },
      { body: [{ id: 'C', claimNumber: '' }] },
    ],
    ...more,
  });
  const screens = {
    '/work/call-sheet': CallSheetPage,
    '/work/bills': () => null,
    '/work/bill/$id': () => null,
  };
  renderScreens(screens, makeSession({ permissions }));
  return calls;
}

const getSearches = (calls: Call[]) =>
  calls.filter(({ call }) => call === 'POST /work/bills/search').map(({ body }) => body);

test('lists the bills to call about by payer, with phone and claim numbers', async () => {
  const calls = await show(['work.notes']);
  const payer = within(await screen.findByRole('region', { name: 'Beacon Road' }));
  expect(payer.getByText('2 bills, one call')).toBeTruthy();
  expect(payer.getByRole('link', { name: '614-555-0101' }).getAttribute('href')).toBe('tel:6145550101');
  expect(payer.getByText('ext. 7')).toBeTruthy();
  expect(payer.getByText('Possibly Beacon Road, 8 to 5 ET')).toBeTruthy();
  expect(payer.getByText('C-2')).toBeTruthy();
  const rest = /^More bills aren't printed/;
  expect(screen.getByText(rest)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show more bills' }));
  const harbor = within(await screen.findByRole('region', { name: 'Harbor' }));
  expect(screen.queryByText(rest)).toBeNull();
  expect(document.activeElement).toBe(harbor.getAllByRole('link')[0]);
  expect(harbor.getByText('Called today')).toBeTruthy();
  expect(harbor.getByText('No payer contact on file.')).toBeTruthy();
  expect(getSearches(calls)).toEqual([
    { filter: {}, toCall: true, limit: 200, order: 'payer' },
    { filter: {}, toCall: true, after: 'more', limit: 200, order: 'payer' },
  ]);
});

test('logs a call about all bills of a payer', async () => {
  const calls = await show(['work.notes'], { 'POST /work/payer-calls': { body: { id: 1, failed: [] } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Log call to Beacon Road' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Log payer call' }));
  await userEvent.click(dialog.getByRole('radio', { name: 'Other' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ call }) => call === 'POST /work/payer-calls')?.body).toMatchObject({
    payer: 'Beacon Road',
    bills: [
      { id: 'A', version: 2 },
      { id: 'B', version: 2 },
    ],
  });
});

test('users without the work only see the bills', async () => {
  await show([]);
  expect(await screen.findByRole('region', { name: 'Beacon Road' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Log call/ })).toBeNull();
});

test('says that no call is due, and that the list failed', async () => {
  await show(['work.notes'], {
    'POST /work/bills/search': [
      { status: 503, body: {} },
      { body: { bills: [], next: '', asOf: '2026-05-04T09:00:00Z' } },
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No calls due')).toBeTruthy();
});

test('the next call is about the bills that nobody called about today', () => {
  const [called, left] = [bill('A', 'x', true), bill('B', 'x')];
  expect(getNextCall([called, left], today())).toEqual([left]);
  expect(getNextCall([called], today())).toEqual([called]);
});
