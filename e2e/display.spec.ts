import type { Page } from '@playwright/test';
import { accounts, expect, openAs, test } from './portal';
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
