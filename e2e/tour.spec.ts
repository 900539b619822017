import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { accounts, test as base, expect, mirror, openAs, openSession, searchByBill } from './portal';
import { showToday } from './screens/alerts';
import { openPage } from './screens/bills-page';
import { answers, openFindMany, paste } from './screens/bulklookup';
import { showOpenBills } from './screens/openbills';
import { list as remittances, table as remittancesFound } from './screens/remittances';
import { type Portal, startPortal } from './start';

/** The steps in docs/tour.md, in a portal of their own. PICTURES=1 takes the screenshots. */
const test = base.extend<{ picture: (name: string) => Promise<void> }, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const portal = await startPortal(['demo']);
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  picture: async ({ page }, use) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await use(async (name) => {
      await expect(page.getByText('Please wait while we retrieve data.')).toHaveCount(0);
      if (/\/wcpp\/(work|desk)/.test(page.url()))
        await expect(page.getByRole('navigation', { name: 'Workspace' })).toBeVisible();
      if (process.env.PICTURES)
        await page.screenshot({ path: `../docs/tour/${name}.png`, animations: 'disabled' });
    });
  },
});

test.describe.configure({ mode: 'default' });

const rows = (page: Page, name: string) =>
  page.getByRole('table', { name }).locator('tbody').getByRole('row');

test('a billing office: updates, one bill, all open bills, its own list, a check', async ({
  page,
  specimens: { paid, received, sheet },
  portal,
  picture,
}) => {
  await showToday(page);
  await picture('office-today');

  await openAs(page, accounts.PRUS, '/wcpp/billSearch');
  await searchByBill(page, paid);
  await expect(rows(page, 'Bills')).toHaveCount(1);
  await picture('office-bill-search');

  await openPage(page, paid);
  await expect(page.getByText(/^Paid/).first()).toBeVisible();
  await picture('office-bill');

  await showOpenBills(page);
  await picture('office-open-bills');

  await openFindMany(page);
  await paste(
    page,
    [
      'Bill\tDOS',
      ...[paid, received, sheet].map((b) => `${b.billControlNumber}\t${b.beginServiceDate}`),
      '7999999999\t',
    ].join('\n'),
  );
  await page.getByRole('button', { name: /^Look up \d/ }).click();
  await expect(answers(page).locator('tbody').getByRole('row').first()).toBeVisible();
  await picture('office-find-many');

  await page.getByRole('button', { name: 'New list' }).click();
  await page.locator('input[type=file]').setInputFiles(join(portal.data, 'samples', 'sent-bills.edi'));
  await page.getByRole('button', { name: /^Not on file .* 9 bills$/ }).click();
  await expect(rows(page, 'Not on file')).toHaveCount(9);
  await picture('office-sent-bills');

  await remittances(page);
  await remittancesFound(page).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^Remittance/ })).toBeVisible();
  await picture('office-remittance');
});

test('an administrator: team and payers, people and their TINs, the access review, the network access log', async ({
  page,
  request,
  picture,
}) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/team');
  await expect(rows(page, 'Team').first()).toBeVisible();
  await expect(rows(page, 'Payers, last 90 days').first()).toBeVisible();
  await picture('administrator-team');

  await openAs(page, accounts.PRAD, '/wcpp/ManageUsers');
  await expect(rows(page, 'Users').first()).toBeVisible();
  await picture('administrator-users');

  await page.getByRole('button', { name: 'Select multiple' }).click();
  await page.getByRole('table', { name: 'Users' }).getByRole('checkbox').nth(1).check();
  await page.getByRole('link', { name: 'Change TINs for 1 user' }).click();
  await expect(rows(page, 'Group TINs').first()).toBeVisible();
  await picture('administrator-tins');

  await openAs(page, accounts.PRAD, '/wcpp/work/access');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await picture('administrator-access');

  // A network user mirrors.
  const token = await openSession(request, accounts.ISAD);
  await mirror(request, token, accounts.PRUS);
  await openAs(page, accounts.PRAD, '/wcpp/work/visits');
  await expect(page.getByRole('table', { name: 'Access sessions' })).toContainText(accounts.ISAD);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await picture('administrator-visits');
});

test('network staff: a phone call, an unmatched payment, deadlines and imports', async ({
  page,
  specimens: { paid },
  picture,
}) => {
  await openAs(page, accounts.ISAD, '/wcpp/desk');
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByLabel('Any number').fill(paid.billControlNumber);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Bill ${paid.billControlNumber}`, level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: paid.billControlNumber, exact: true })).toBeVisible();
  await picture('staff-desk');

  await openAs(page, accounts.ISAD, '/wcpp/desk/unmatched');
  await expect(page.getByRole('button', { name: /^Match to/ }).first()).toBeVisible();
  await picture('staff-unmatched');

  await openAs(page, accounts.ISAD, '/wcpp/desk/rules');
  await expect(rows(page, 'Rules').first()).toBeVisible();
  await picture('staff-deadlines');

  await openAs(page, accounts.ISAD, '/wcpp/desk/feeds');
  await expect(rows(page, 'Files').first()).toBeVisible();
  await picture('staff-feeds');
});

test('an operator: the system status', async ({ page, picture }) => {
  await openAs(page, accounts.ISAD, '/wcpp/desk/health');
  await expect(page.getByRole('table', { name: 'Systems' })).toContainText('Up');
  await picture('operator-health');

  await openAs(page, accounts.ISAD, '/wcpp/desk/status');
  const text = 'The portal is upgraded tonight at 9 PM Eastern; it is away for some seconds.';
  await page.getByLabel(/^Text/).fill(text);
  await page.getByLabel(/^To(?! time)/).fill('12/30/2099');
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
  await picture('operator-status');
});
