import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { known } from '../directory';
import { accounts, openAs, expect, openSession, getPortalData } from '../portal';
import { importFile } from '../start';
import { remittance } from '../x12';
import { type Screen, screen, tryAgain, type ScreenGroup } from './screen';

const search = '**/api/remittances/search';

export interface Remittance {
  id: string;
  number: string;
  payer: string;
  paidOn: string;
  ftin: string;
  kind: string;
  balanced: boolean;
}

/** The last year's first matching remittance. */
export async function find(
  page: Page,
  criteria: Record<string, unknown> = {},
  sort?: { id: string; desc: boolean },
  is: (row: Remittance) => boolean = () => true,
): Promise<Remittance> {
  const token = await openSession(page.request, accounts.PRUS);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const found = await page.request.post('/api/remittances/search', {
    data: { from: day(360), to: day(0), ...criteria, table: { page: 0, pageSize: 1000, ...(sort && { sort }) } },
    headers: { Authorization: `Bearer ${token}` },
  });
  const { rows } = await found.json();
  return rows.find(is);
}

export const pageHeading = (page: Page, { number }: Remittance) =>
  page.getByRole('heading', { level: 1, name: `Remittance ${number}` });

export async function openRemittance(page: Page, remittance: Remittance): Promise<void> {
  await openAs(page, accounts.PRUS, `/wcpp/work/remittance/${remittance.id}`);
  await expect(pageHeading(page, remittance)).toBeVisible();
}

export const table = (page: Page) => page.getByRole('table', { name: 'Search results' });

export const list = async (page: Page) => {
  await openAs(page, accounts.PRUS, '/wcpp/work/remittances');
  await expect(table(page).getByRole('row').nth(3)).toBeVisible();
};

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Remittances', list),
    screen('Remittances, search with errors', async (page) => {
      await page.getByLabel('Paid from').fill('01/01/2020');
      await page.getByLabel('Amount').fill('much');
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText('Error: Use a range of 366 days or fewer')).toBeVisible();
    }),
    screen('Remittances, number not found', async (page) => {
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.getByLabel('Check or EFT number', { exact: true }).fill('no such check');
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText(/^No matching remittances\./)).toBeVisible();
    }),
    screen('Remittances, failed', async (page) => {
      await mockReply(page, search, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, search);
    }),
  ],
  screen('Remittances in one file', async (page) => {
    await list(page);
    await table(page).getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'Download ZIP' }).click();
    await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();
  }),
  screen('Remittance', async (page) => openRemittance(page, await find(page, { adjusted: true }, { id: 'bills', desc: true }))),
  screen('Remittance with reversals', async (page) => openRemittance(page, await find(page, { reversals: true }))),
  screen('Remittance without a payment', async (page) => openRemittance(page, await find(page, { method: 'NON' }))),
  screen('Remittance by transfer', async (page) => openRemittance(page, await find(page, { method: 'ACH' }))),
  screen('Remittance with a mismatch', async (page) =>
    openRemittance(
      page,
      await find(page, {}, undefined, ({ balanced }) => !balanced),
    ),
  ),
  screen('Remittance for several payees', async (page) =>
    openRemittance(
      page,
      await find(page, {}, undefined, ({ kind }) => kind === 'shared'),
    ),
  ),
  screen('Remittance, possible duplicate', async (page) => {
    await importFile(getPortalData(), 'x12', remittance('EFT77003', `FI*${known.orthopedics.tin}`, ['SH-4'], '1512345678'));
    await importFile(getPortalData(), 'x12', remittance('EFT77003', `FI*${known.orthopedics.tin}`, ['SH-4', 'SH-5']));
    await list(page);
    await page.getByLabel('Check or EFT number', { exact: true }).fill('EFT77003');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByText('Possible duplicate, not counted')).toBeVisible();
  }),
  screen('Remittance, expired link', async (page) => {
    await openAs(page, accounts.PRUS, '/wcpp/work/remittance/gone');
    await expect(page.getByText('This link is no longer valid.')).toBeVisible();
  }),
];

