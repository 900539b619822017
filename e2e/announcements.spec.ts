import type { Page } from '@playwright/test';
import { accounts, test as base, expect, openAs } from './portal';
import { type Portal, startPortal } from './start';
import { zone } from './zone';

const test = base.extend<object, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const portal = await startPortal(['demo', '--bills', '10'], { WCPP_TIME_ZONE: zone });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
});

// One after the other in their own portal, because everyone sees its announcement.
test.describe.configure({ mode: 'default' });

const line = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const lines = (page: Page) =>
  page.getByRole('table', { name: 'Announcements' }).locator('tbody').getByRole('row');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Ends the announcements that an earlier attempt has left. */
async function openDesk(page: Page) {
  await openAs(page, accounts.ISAD, '/wcpp/desk/status');
  await expect(page.getByText('No announcements yet.').or(lines(page).first())).toBeVisible();
  for (const ending = button(page, /^(End now|Cancel)/); (await ending.count()) > 0; ) {
    const left = await ending.count();
    await ending.first().click();
    await expect(ending).toHaveCount(left - 1);
  }
}

async function write(page: Page, text: string, to: string) {
  await page.getByLabel(/^Text/).fill(text);
  await page.getByLabel('Type', { exact: true }).selectOption('Warning');
  await page.getByLabel(/^To(?! time)/).fill(to);
  await button(page, 'Publish').click();
}

test("an announcement is above all screens, also signed out, until it's ended", async ({
  page,
  browser,
  portal,
}) => {
  await openDesk(page);
  const text = `Remittances come late today ${Date.now()}`;
  await write(page, text, '12/30/2099');
  await expect(page.getByText('Announcement published. Everyone will see it within 2 minutes')).toBeVisible();
  await expect(line(page, text)).toBeVisible();
  await page.goto('/wcpp/home');
  await expect(line(page, text)).toBeVisible();

  const stranger = await browser.newContext({ baseURL: portal.url });
  const signedOut = await stranger.newPage();
  await signedOut.goto('/wcpp/login');
  await expect(line(signedOut, text)).toBeVisible();
  await expect(signedOut.getByRole('button', { name: 'SIGN IN', exact: true })).toBeVisible();
  await stranger.close();

  await page.goto('/wcpp/desk/status');
  const row = lines(page).filter({ hasText: text });
  await expect(row).toContainText('Shown');
  await row.getByRole('button', { name: `End now ${text}` }).click();
  await expect(row).toContainText('Ended');
  await expect(line(page, text)).toHaveCount(0);
});

test("a second simultaneous one is rejected with the existing one's text", async ({ page }) => {
  await openDesk(page);
  await write(page, 'The first line', '12/30/2099');
  await expect(line(page, 'The first line')).toBeVisible();
  await expect(page.getByLabel(/^Text/)).toHaveValue('');
  await write(page, 'The second line', '12/30/2099');
  await expect(page.getByRole('group', { name: 'Message' })).toContainText(
    'Another announcement is shown then: “The first line”. End it or choose another time.',
  );
  await expect(page.getByLabel(/^Text/)).toHaveValue('The second line');
});

test('only system administrators can write it', async ({ page }) => {
  await openAs(page, accounts.IRAD);
  await page.goto('/wcpp/desk/status');
  await expect(page).toHaveURL(/\/wcpp\/login$/);
});
