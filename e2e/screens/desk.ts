import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { find as findRemittance } from './remittances';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

const sessionUrl = '**/api/desk/sitting';

async function startSession(page: Page) {
  await openAs(page, accounts.ISAD, '/wcpp/desk');
  const change = page.getByRole('button', { name: 'Change' });
  const begin = page.getByRole('button', { name: 'Start session' });
  await expect(change.or(begin)).toBeVisible();
  if (await begin.isVisible()) await begin.click();
  await expect(change).toBeVisible();
}

const waiting = (page: Page, list: string) =>
  page.getByRole('table', { name: 'Work queue' }).getByRole('link', { name: list, exact: true }).click();

const back = (page: Page) => 
  page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Queues' }).click();

const request = {
  id: 1,
  status: 'SUBMITTED',
  campaign: '',
  emailAddress: 'paula.reyes@example.com',
  submittedDt: '2026-06-03T13:12:00Z',
  affiliation: 'BILLING_CO',
  otherAffiliation: '',
  firstName: 'Paula',
  lastName: 'Reyes',
  middleInitial: '',
  phoneNumber: '2165550100',
  jobTitle: 'Office Manager',
  companyName: 'Lakeside Billing Services',
  companyUrl: '',
  providerList: [{ ftin: '961204117', providerName: 'Lakeside Orthopedic Associates' }],
};

const mail = {
  id: 1,
  kind: 'registration',
  to: 'paula.reyes@example.com',
  status: 'failed',
  attempts: 13,
  error: '550 5.1.1 the mailbox does not exist',
  createdAt: '2026-06-03T13:12:00Z',
};

const jobs = [
  {
    id: 1,
    kind: 'deadlines',
    tries: 25,
    most: 25,
    givenUp: true,
    since: '2026-06-03T13:12:00Z',
    why: 'The job took too long.',
  },
  {
    id: 2,
    kind: 'mail',
    tries: 3,
    most: 13,
    givenUp: false,
    next: '2026-06-04T15:00:00Z',
    since: '2026-06-03T13:12:00Z',
    why: 'The mail server rejected the email. Its response is shown with the email.',
  },
];

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Service desk, why', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk');
      await expect(page.getByText('We record everything you open')).toBeVisible();
      const change = page.getByRole('button', { name: 'Change' });
      await expect(change.or(page.getByRole('button', { name: 'Start session' }))).toBeVisible();
      if (await change.isVisible()) await change.click();
    }),
    screen('Service desk, reason with errors', async (page) => {
      await page.getByRole('combobox', { name: 'Reason' }).selectOption('Other');
      await page.getByRole('button', { name: 'Start session' }).click();
      await expect(page.getByText('Error: Enter a reason')).toBeVisible();
    }),
    screen('Service desk, a user', async (page) => {
      await page.getByLabel('Details').fill('a picture');
      await page.getByRole('button', { name: 'Start session' }).click();
      await page.getByLabel('Any number').fill(accounts.PRUS);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await expect(page.getByText(/^Can sign in/)).toBeVisible();
    }),
    screen('Service desk, an office', async (page) => {
      await page.getByRole('button', { name: 'Their office' }).click();
      await expect(page.getByRole('table', { name: 'Users in this office' })).toBeVisible();
    }),
    screen("Service desk, an office's bill", async (page) => {
      await page.getByRole('table', { name: 'Latest bill changes' }).getByRole('link').first().click();
      await expect(page.getByText(/^(Not opened by the office yet|First opened by)/)).toBeVisible();
      await page.goBack();
      await expect(page.getByLabel('Any number')).toBeVisible();
    }),
    screen('Service desk, nothing found', async (page) => {
      await page.getByLabel('Any number').fill('no such number');
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await expect(page.getByText('No exact match for this number or name.')).toBeVisible();
    }),
    screen('Service desk, failed', async (page) => {
      await mockReply(page, sessionUrl, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, sessionUrl);
    }),
  ],
  [
    screen('Service desk, a remittance', async (page) => {
      const { number } = await findRemittance(page);
      await startSession(page);
      await page.getByLabel('Any number').fill(number);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      const hit = page.getByRole('link', { name: number, exact: true }).first();
      const opened = page.getByText(/^(Not opened by the office yet|First opened by)/);
      // Several checks can have the number. A single one opens.
      const several = page.getByRole('table', { name: 'Remittances' }).getByRole('row').nth(2);
      await expect(several.or(opened).first()).toBeVisible();
      if (!(await opened.isVisible())) await hit.click();
      await expect(page.getByText(/^(Not opened by the office yet|First opened by)/)).toBeVisible();
    }),
  ],
  [
    screen('Service desk, work queues', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/queues');
      await expect(page.getByRole('table', { name: 'Work queue' })).toBeVisible();
    }),
    screen('Account requests at the desk', async (page) => {
      await mockReply(page, '**/api/desk/queues/requests', { json: { rows: [request], count: 1 } });
      await waiting(page, 'Account requests');
      await expect(page.getByRole('cell', { name: 'Paula Reyes', exact: true })).toBeVisible();
    }),
    screen('Account requests at the desk, one to decline', async (page) => {
      await page.getByRole('button', { name: 'Decline Paula Reyes' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    }),
    screen('Failed emails', async (page) => {
      await page.keyboard.press('Escape');
      await mockReply(page, '**/api/desk/queues/mails', { json: { rows: [mail], count: 1 } });
      await back(page);
      await waiting(page, 'Failed emails');
      await expect(page.getByText(mail.error)).toBeVisible();
    }),
    screen('Failed jobs', async (page) => {
      await mockReply(page, '**/api/desk/queues/jobs*', { json: { jobs, more: true } });
      await back(page);
      await waiting(page, 'Failed jobs');
      await expect(page.getByText('The job took too long.')).toBeVisible();
    }),
    screen('Draft accounts, none', async (page) => {
      await mockReply(page, '**/api/desk/queues/drafts', { json: { rows: [], count: 0 } });
      await back(page);
      await waiting(page, 'Draft accounts');
      await expect(page.getByText('No draft accounts.')).toBeVisible();
    }),
    screen('Failed jobs, and the list too', async (page) => {
      await mockReply(page, '**/api/desk/queues/jobs*', { status: 503 });
      await page.goto('/wcpp/desk/jobs');
      await expect(tryAgain(page)).toBeVisible();
      await restore(page);
    }),
  ],
  screen('System status', async (page) => {
    await openAs(page, accounts.ISAD, '/wcpp/desk/health');
    await expect(page.getByRole('table', { name: 'Systems' })).toContainText('Up');
  }),
];
