import type { Page } from '@playwright/test';
import { accounts, expect, expectInWidth, getSignInButton, openAs, test } from './portal';
import { mockReply } from './replies';
import { openPage } from './screens/bills-page';
import { unmatched } from './screens/unmatchedpayments';

const main = (page: Page) => page.getByRole('main');

test('forced colors show which button, tile or view is pressed', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const check = async (path: string, user: string, selector: string, other: string) => {
    await openAs(page, user, path);
    const getBackground = (which: string) =>
      main(page)
        .locator(which)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect.soft(await getBackground(selector), `${path}: ${selector}`).not.toBe(await getBackground(other));
  };
  const [on, off] = ['button[aria-pressed="true"]', 'button[aria-pressed="false"]'];
  await check('/wcpp/work/cases', accounts.PRAD, on, off);
  await check('/wcpp/work/bills', accounts.PRAD, on, off);
  await check('/wcpp/work/bills', accounts.PRAD, 'a[aria-current="page"]', 'nav a:not([aria-current])');
  await check(unmatched, accounts.ISAD, on, off);
});

test('the dark theme prints dark text on white', async ({ page, specimens: { paid } }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await openPage(page, paid);
  const ink = () => page.getByRole('heading', { level: 1 }).evaluate((e) => getComputedStyle(e).color);
  expect(await ink()).toBe('rgb(232, 237, 242)');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await ink()).toBe('rgb(22, 32, 44)');
});

test("a printed row isn't split between pages", async ({ page, specimens: { paid } }) => {
  await openPage(page, paid);
  await page.emulateMedia({ media: 'print' });
  const row = main(page).getByRole('table', { name: 'Service lines' }).getByRole('row').nth(1);
  expect(await row.evaluate((e) => getComputedStyle(e).breakInside)).toBe('avoid');
});

test("a remittance's bills print as a table that fits the page", async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/remittances');
  await main(page).getByRole('table').locator('tbody').getByRole('link').first().click();
  const bills = main(page).getByRole('table', { name: 'Bills' });
  await expect(bills).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // Letter without its margins, in portrait and landscape.
  for (const width of [739, 979]) {
    await page.setViewportSize({ width, height: 900 });
    const head = await bills.locator('thead').boundingBox();
    expect(head?.height).toBeGreaterThan(16);
    await expectInWidth(bills, width);
  }
});

test('a printed page has no buttons, and its charts keep their bars', async ({
  page,
  specimens: { received },
}) => {
  await openPage(page, received);
  await expect(main(page).getByRole('heading', { name: 'Bill history' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(main(page).getByRole('button')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/wcpp/work/cases');
  await main(page).getByRole('table').getByRole('link').first().click();
  await expect(main(page).getByRole('heading', { name: /^Question / })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(main(page).getByRole('button')).toHaveCount(0);
  await expect(main(page).getByRole('textbox')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/wcpp/work');
  const bar = main(page).getByRole('region', { name: 'Open bills by age' }).locator('[data-color]').first();
  await expect(bar).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(bar).toHaveCSS('print-color-adjust', 'exact');
});

test("a field's arrow grows with the text", async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/remittances');
  const size = () =>
    page
      .getByLabel('Method')
      .first()
      .evaluate((e) => getComputedStyle(e).backgroundSize);
  expect(await size()).toMatch(/^5px 5px, 5px 5px/);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await size()).toMatch(/^10px 10px, 10px 10px/);
});

test('the current item of the Workspace stays in sight when the page is zoomed', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1024 });
  await openAs(page, accounts.ISAD, unmatched);
  const current = page.getByRole('navigation', { name: 'Workspace' }).locator('[aria-current]');
  await expect(current).toContainText('$');
  await expect(current).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 640, height: 512 });
  await expect(current).toBeInViewport({ ratio: 0.99, timeout: 5_000 });
  // The edges show that there are more items.
  const bar = page.getByRole('navigation', { name: 'Workspace' });
  await expect(bar).toHaveAttribute('data-before');
  await bar.evaluate((box) => box.scrollTo(0, 0));
  await expect(bar).not.toHaveAttribute('data-before');
  await expect(bar).toHaveAttribute('data-after');
  await expect(bar).toHaveCSS('mask-image', /gradient/);
});

test("the sign-in form doesn't move when the content next to it loads", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await mockReply(page, '**/LoginFrame*.js', async () => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    return 'served' as const;
  });
  await page.goto('/wcpp/login');
  const getLeft = async () => (await getSignInButton(page).boundingBox())?.x;
  await expect(getSignInButton(page)).toBeVisible();
  const before = await getLeft();
  await expect(page.locator('iframe')).toBeAttached();
  expect(await getLeft()).toBe(before);
});
