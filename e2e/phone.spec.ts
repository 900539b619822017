import type { Locator } from '@playwright/test';
import { accounts, expect, openAs, test } from './portal';
import { dialog } from './screens/screen';

// A phone with the keyboard covering the lower half of the screen.
const viewport = { width: 360, height: 390 };

test('the chat covers the page, and the focus stays out of covered parts', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, accounts.PRUS);
  const button = page.getByRole('button', { name: /^Tech Support/ });
  await button.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Tech Support' });
  await expect(panel.getByRole('heading')).toBeFocused();
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('header, main, footer')?.tagName)).toBe(
      undefined,
    );
  }
  await panel.getByRole('button', { name: 'Close Tech Support' }).press('Escape');
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();
});

test("a focused field in a long dialog isn't covered by its header", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(page, accounts.ISAD, '/wcpp/desk/reasons');
  await page.getByRole('button', { name: 'Edit RARC N381' }).click();
  await expect(page.getByText(/^Until /)).toBeVisible();
  await page.setViewportSize(viewport);
  const head = dialog(page).locator('header');
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press(presses < 6 ? 'Tab' : 'Shift+Tab');
    const focused = page.locator(':focus');
    if (await focused.evaluate((element) => Boolean(element.closest('header')))) continue;
    const [box, top] = await Promise.all([focused.boundingBox(), head.boundingBox()]);
    expect(box?.y, await focused.evaluate(({ outerHTML }) => outerHTML)).toBeGreaterThanOrEqual(
      Math.floor((top?.y ?? 0) + (top?.height ?? 0)),
    );
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("a message doesn't keep the end of a page covered", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, accounts.PRAD, '/wcpp/work/remittances');
  const rows = page.getByRole('table', { name: 'Search results' }).locator('tbody').getByRole('row');
  await rows.last().getByRole('checkbox').check();
  const mark = page.getByRole('button', { name: 'Mark selected as posted' });
  await mark.focus();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 remittance marked as posted')).toBeVisible();
  await page.getByRole('link', { name: 'Privacy Policy' }).click({ trial: true, timeout: 3000 });
  const end = await page.evaluate(() => document.documentElement.scrollTop + window.innerHeight);
  expect(end).toBeGreaterThanOrEqual(await page.evaluate(() => document.documentElement.scrollHeight - 1));
  await page.emulateMedia({ media: 'print' });
  // Not by waiting, because messages disappear.
  expect(await page.getByText('1 remittance marked as posted').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('Escape');
  await expect(page.getByText('1 remittance marked as posted')).toHaveCount(0);
});

/** Returns where the text ends, which can be outside its element. */
const findTextEnd = (place: Locator) =>
  place.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return text.getBoundingClientRect().right;
  });

test("the brand name doesn't cover the tools on the narrowest screen", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(page, accounts.PRAD);
  const bar = page.getByRole('banner');
  const tools = await bar.getByRole('button', { name: /^Tech Support/ }).boundingBox();
  const brand = bar.getByRole('link', { name: 'Harborline Network' });
  expect(await findTextEnd(brand)).toBeLessThanOrEqual(tools?.x ?? 0);
});

test('a large amount fits its tile on the narrowest screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(page, accounts.ISAD, '/wcpp/desk/unmatched');
  const tile = page.getByRole('main').getByRole('button', { name: /^To match/ });
  const amount = tile.locator('strong');
  await expect(amount).toContainText('$');
  await amount.evaluate((element) => {
    element.textContent = '$12,345,678.90';
  });
  const { x, width } = (await tile.boundingBox()) ?? { x: 0, width: 0 };
  expect(await findTextEnd(amount)).toBeLessThanOrEqual(x + width);
});

test("a row's checkbox is large enough for a finger", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await openAs(page, accounts.PRAD, '/wcpp/ManageTins');
  const boxes = page.getByRole('table').getByRole('checkbox');
  await expect(boxes.first()).toBeVisible();
  for (const box of await boxes.all()) {
    const size = await box.boundingBox();
    expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(24);
  }
  await context.close();
});

test("a row's link is large enough for a finger", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await openAs(page, accounts.PRAD, '/wcpp/work/bills');
  for (const path of ['work/bills', 'work/remittances']) {
    await page.goto(`/wcpp/${path}`);
    const link = page.getByRole('main').getByRole('table').locator('tbody').getByRole('link').first();
    await expect(link).toBeVisible();
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  }
  await context.close();
});

test('a phone number and a link next to buttons are large enough for a finger', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL, viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await openAs(page, accounts.PRAD, '/wcpp/work/call-sheet');
  const phone = page.locator('main a[href^="tel:"]').first();
  await expect(phone).toBeVisible();
  expect((await phone.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await openAs(page, accounts.ISAD, '/wcpp/desk/cases');
  const link = page.getByRole('link', { name: 'Record complaint' });
  await expect(link).toBeVisible();
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await context.close();
});

test("a phone's queues take one line each", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, accounts.ISAD, '/wcpp/desk/queues');
  const queues = page.getByRole('table', { name: 'Work queue' }).locator('tbody').getByRole('row');
  await expect(queues.first()).toBeVisible();
  const heights = await queues.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(60);
});
