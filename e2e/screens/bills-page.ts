import type { Page } from '@playwright/test';
import { accounts, type Bill, openAs, expect, openSession } from '../portal';
import { type Screen, type ScreenGroup, screen } from './screen';

/** The ID of a bill's page, from a search by a user with the TIN. */
export async function findPageId(page: Page, { ftin, billControlNumber }: Bill): Promise<string> {
  const token = await openSession(page.request, accounts.PRUS);
  const answer = await page.request.post('/api/billSearch/searchByAssorted', {
    data: { ftin, billControlNumber },
    headers: { Authorization: `Bearer ${token}` },
  });
  const [found] = await answer.json();
  return found.page;
}

export async function openPage(page: Page, bill: Bill): Promise<void> {
  await openAs(page, accounts.PRUS, `/wcpp/work/bill/${await findPageId(page, bill)}`);
  await expect(page.getByRole('heading', { level: 1, name: `Bill ${bill.billControlNumber}` })).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  screen('Page of a bill', (page, { paid }) => openPage(page, paid)),
  screen('Page of a bill that other payers pay', (page, { sheet }) => openPage(page, sheet)),
  screen('Page of a bill, expired link', async (page) => {
    await openAs(page, accounts.PRUS, '/wcpp/work/bill/gone');
    await expect(page.getByText('This link is no longer valid.')).toBeVisible();
  }),
];
