import type { APIRequestContext, Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect, openSession } from '../portal';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

export const desk = '/wcpp/desk/rules';

interface PageDeadlines {
  answer: string;
  state: string;
  deadlines: { kind: string; daysLeft: number }[];
  interest: { interest: number | null }[];
}

/** The page ID of an open bill with matching deadlines. */
export async function pageWith(page: Page, wanted: (deadlines: PageDeadlines) => boolean): Promise<string> {
  const headers = { Authorization: `Bearer ${await openSession(page.request, accounts.PRUS)}` };
  for (let after: string | undefined = ''; after !== undefined; ) {
    // Newest first. The time left on the others depends on the day.
    const data: Record<string, unknown> = { filter: {}, limit: 200, order: 'newest', ...(after && { after }) };
    const found = await page.request.post('/api/work/bills/search', { data, headers });
    const { bills, next } = await found.json();
    for (const { id } of bills) {
      const response = await page.request.get(`/api/work/bills/${id}/deadlines`, { headers });
      if (wanted(await response.json())) return id;
    }
    after = next || undefined;
  }
  throw new Error('the demo has no such bill');
}

interface Rule {
  id: string;
  status: string;
}

export async function fetchRules(request: APIRequestContext, token: string): Promise<Rule[]> {
  const found = await request.get('/api/desk/rules', { headers: { Authorization: `Bearer ${token}` } });
  return (await found.json()).rules;
}

/** Turns a rule back into a draft if an earlier attempt left it active. */
export async function draftAgain(page: Page, id: string): Promise<void> {
  const token = await openSession(page.request, accounts.ISAD);
  const rule = (await fetchRules(page.request, token)).find((one) => one.id === id);
  if (rule?.status !== 'ACTIVE') return;
  const headers = { Authorization: `Bearer ${token}` };
  const put = await page.request.put(`/api/desk/rules/${id}`, { headers, data: { ...rule, status: 'DRAFT' } });
  expect(put.status()).toBe(200);
}

const rules = '**/api/desk/rules';

const bill = (name: string, wanted: (deadlines: PageDeadlines) => boolean) =>
  screen(name, async (page) => {
    await openAs(page, accounts.PRUS, `/wcpp/work/bill/${await pageWith(page, wanted)}`);
    const card = page.getByRole('region', { name: 'Deadlines' });
    await card.getByRole('button', { name: /^How is this calculated\?/ }).first().click();
    await card.scrollIntoViewIfNeeded();
  });

export const screens: (Screen | ScreenGroup)[] = [
  bill('Deadlines of a bill, passed, with interest', ({ interest }) => interest.length > 0),
  bill('Deadlines of a bill, to come', ({ deadlines }) => deadlines.some(({ daysLeft }) => daysLeft >= 0)),
  screen('Deadlines of a bill with an assumed state', async (page) => {
    const id = await pageWith(page, (deadlines) => deadlines.answer === 'assumed');
    await openAs(page, accounts.PRUS, `/wcpp/work/bill/${id}`);
    await expect(page.getByText('No state on file.')).toBeVisible();
  }),
  [
    screen('Deadline rules', async (page) => {
      await openAs(page, accounts.ISAD, desk);
      await expect(page.getByRole('table', { name: 'Rules' })).toBeVisible();
    }),
    screen('Deadline rules, tried', async (page) => {
      const form = page.getByRole('form', { name: 'Test rules' });
      await form.getByLabel('State of jurisdiction').fill('TX');
      await form.getByLabel('Received by the network').fill('06/06/2025');
      await form.getByRole('button', { name: 'Test', exact: true }).click();
      await expect(page.getByRole('table', { name: 'Results' })).toBeVisible();
    }),
    screen('Deadline rules, one to confirm', async (page) => {
      await page.getByRole('button', { name: /^Activate NY, Workers' compensation, Payment due/ }).click();
      await expect(page.getByRole('button', { name: 'Activate rule' })).toBeVisible();
    }),
    screen('Deadline rules with errors', async (page) => {
      await page.getByRole('button', { name: 'Activate rule' }).click();
      await expect(page.getByRole('link', { name: /Enter the reviewer/ })).toBeVisible();
    }),
    screen('Deadline rules, failed', async (page) => {
      await mockReply(page, rules, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, rules);
    }),
  ],
];
