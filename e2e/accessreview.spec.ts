import type { Page } from '@playwright/test';
import { accounts, test as base, expect, openAs } from './portal';
import { type Portal, startPortal } from './start';

const test = base.extend<object, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const portal = await startPortal(['demo', '--bills', '10']);
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
});

// One after the other in their own portal. A review can be finished only once.
test.describe.configure({ mode: 'default' });

const people = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row');
const open = (page: Page) => page.getByRole('button', { name: /^Keep / });

/** The job that opens reviews runs shortly after the portal starts. */
async function openReview(page: Page) {
  await openAs(page, accounts.PRAD, '/wcpp/work/access');
  const finished = page.getByRole('table', { name: 'Completed reviews' });
  await expect(async () => {
    await page.reload();
    await expect(people(page).first().or(finished)).toBeVisible({ timeout: 5000 });
  }).toPass();
}

test('an administrator confirms each person and finishes by typing their name', async ({ page }) => {
  await openReview(page);
  // An earlier attempt may have finished it.
  if (await page.getByText(/can see your bills\./).isVisible()) {
    await expect(people(page).first()).toBeVisible();
    for (let left = await open(page).count(); left > 0; left--) {
      await open(page).first().click();
      await expect(open(page)).toHaveCount(left - 1);
    }
    await expect(page.getByText('All reviewed. Finish the review below.')).toBeVisible();
    const name = page.getByLabel(/^Your first and last name/);
    await name.fill('Somebody Else');
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
    const refused = page.getByRole('group', { name: 'Message' });
    await expect(refused).toContainText('Enter your own first and last name');
    const own = /name: (.+)\./.exec((await refused.textContent()) ?? '');
    await name.fill(own?.[1] ?? '');
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
  }
  await expect(page.getByText('No open review.')).toBeVisible();
  const pdf = page.getByRole('link', { name: /^PDF of the review/ });
  const file = await page.request.get((await pdf.getAttribute('href')) ?? '');
  expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf']);
});

test('a system administrator sees that no group is overdue', async ({ page }) => {
  await openAs(page, accounts.ISAD, '/wcpp/desk/reviews');
  await expect(page.getByText('No overdue reviews.')).toBeVisible();
});

test("other users don't have the screens", async ({ page }) => {
  await openAs(page, accounts.PRUS);
  await page.goto('/wcpp/work/access');
  await expect(page).toHaveURL(/\/wcpp\/login$/);
});
