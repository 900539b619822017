import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, expect, getPortalData, openAs } from '../portal';
import { type Screen, type ScreenGroup, screen } from './screen';

export const field = (page: Page) => page.getByRole('textbox', { name: /^Paste dates, amounts/ });
export const deposits = (page: Page) => page.getByRole('table', { name: 'Deposits', exact: true });

/** The list of a day's deposits that the demo writes. */
export const getBankList = () => `${getPortalData()}/samples/bank-deposits.csv`;

export async function openDeposits(page: Page, userName = accounts.PRUS): Promise<void> {
  await openAs(page, userName, '/wcpp/work/deposits');
  await expect(field(page)).toBeVisible();
}

export async function match(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Match', exact: true }).click();
}

const remittance = (n: number, part: object = {}) => ({
  id: `remittance-${n}`,
  paidOn: '2026-08-18',
  payer: 'Northern Casualty & Workers Compensation Mutual',
  number: `4000000${n}`,
  method: 'CHK',
  amount: 1240.5,
  kind: 'whole',
  bills: 25,
  reversals: 0,
  adjusted: 0,
  balanced: true,
  duplicate: '',
  ftin: '961204117',
  content: '',
  ...part,
});

const deposit = (line: number, part: object = {}) => ({
  line,
  on: '2026-08-20',
  amount: 1240.5,
  trace: `4000000${line}`,
  description: 'ACH CREDIT HCCLAIMPMT',
  answer: 'matched',
  difference: 0,
  otherLine: 0,
  candidates: 0,
  remittances: [remittance(line)],
  cells: [],
  ...part,
});

const none = { remittances: [] };
const result = {
  deposits: [
    deposit(2),
    deposit(3, { answer: 'proposed', candidates: 2, trace: '40000030' }),
    deposit(4, { answer: 'several', remittances: [remittance(4), remittance(5, { kind: 'shared' })] }),
    deposit(5, { answer: 'short', difference: -40.5 }),
    deposit(6, { answer: 'over', difference: 8 }),
    deposit(7, { answer: 'differs', remittances: [remittance(7, { kind: 'shared' })] }),
    deposit(8, { answer: 'repeated', otherLine: 2, ...none }),
    deposit(9, { answer: 'none', ...none }),
    deposit(10, { answer: 'negative', amount: -20, ...none }),
    deposit(11, { answer: 'zero', amount: 0, ...none }),
    deposit(12, { answer: 'outside', on: '2024-08-20', ...none }),
    deposit(13, {
      answer: 'unreadable',
      amount: null,
      ...none,
      cells: [{ index: 1, message: 'Enter an amount, such as 1,234.56.' }],
    }),
  ],
  remittances: [
    { answer: 'missing', remittance: remittance(8) },
    { answer: 'possible', remittance: remittance(9, { duplicate: 'POSSIBLE' }) },
    { answer: 'noPayment', remittance: remittance(1, { amount: 0 }) },
  ],
  unmatched: [{ answer: 'missing', count: 2100, amount: 90000 }],
  from: '2026-08-06',
  to: '2026-08-25',
  asOf: '2026-08-20T13:02:00Z',
};

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Match deposits', (page) => openDeposits(page)),
    screen('Match deposits, nothing pasted', async (page) => {
      await page.getByRole('button', { name: 'Match', exact: true }).click();
      await expect(page.getByText('Error: Paste at least 1 line')).toBeVisible();
    }),
    screen('Match deposits, columns', async (page) => {
      await match(page, 'lorem\nipsum');
      await expect(page.getByText('Select the date and the amount, or the trace number.')).toBeVisible();
    }),
    screen('Match deposits, results', async (page) => {
      await page.getByRole('button', { name: 'New list' }).click();
      await mockReply(page, '**/api/work/deposits', { json: result });
      await match(page, '08/20/2026\t5.00\t40000017');
      await expect(deposits(page)).toContainText('Same as line 2');
    }),
  ],
  screen('Match deposits, failed', async (page) => {
    await openDeposits(page);
    await mockReply(page, '**/api/work/deposits', { status: 500 });
    await match(page, '08/20/2026\t5.00\t40000017');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Match deposits, internal staff', async (page) => {
    await openAs(page, accounts.ISAD, '/wcpp/work/deposits');
    await expect(page.getByText(/^Deposits are matched by a user's Tax IDs/)).toBeVisible();
  }),
];
