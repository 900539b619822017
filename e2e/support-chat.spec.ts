import type { Page } from '@playwright/test';
import { accounts, expect, mirror, openAs, openSession, test } from './portal';
import { mockReply, restore } from './replies';

const button = (page: Page) => page.getByRole('button', { name: /^Tech Support/ });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Tech Support' });
const widget = (page: Page) => page.frameLocator('iframe[title="Conversation with Tech Support"]');
const facts = (page: Page) => widget(page).locator('#facts');
/** Footer content that is covered or out of sight. */
const listHiddenFooterParts = (page: Page) =>
  page
    .getByRole('contentinfo')
    .locator('span, a, button')
    .evaluateAll((parts) =>
      parts.flatMap((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        const corners = [
          [left + 1, top + 1],
          [right - 1, bottom - 1],
        ] as const;
        const seen = corners.every(([x, y]) => part.contains(document.elementFromPoint(x, y)));
        return seen ? [] : [part.textContent];
      }),
    );
const toTheEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
const length = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

test('loads nothing before sign-in, nor before first use', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (/\/widget|\/support\/chat/.test(request.url())) requested.push(request.url());
  });
  await page.goto('/wcpp/login');
  await expect(button(page)).toHaveCount(0);
  await openAs(page, accounts.PRUS);
  await expect(button(page)).toBeVisible();
  expect(requested).toEqual([]);
  await button(page).click();
  await expect(facts(page)).toContainText('prus.demo@example.com');
  expect(requested.some((url) => new URL(url).pathname === '/widget')).toBe(true);
  // The portal's own page doesn't run the chat provider's code.
  expect(
    await page
      .locator('script[src]')
      .evaluateAll((scripts) => scripts.map((s) => new URL((s as HTMLScriptElement).src).origin)),
  ).toEqual(
    expect.not.arrayContaining([new URL(requested.find((url) => url.includes('/widget')) ?? '').origin]),
  );
});

test('gets the signed name, email, phone and account type', async ({ page }) => {
  await openAs(page, accounts.PRAD);
  await button(page).click();
  await expect(facts(page)).toContainText('prad.demo@example.com');
  await expect(facts(page)).toContainText(/Phone\+1\d{10}/);
  await expect(facts(page)).toContainText('Account typeAdmin User');
  await expect(facts(page)).toContainText('Signedyes');
});

test('preserves the conversation while closed, and counts new messages', async ({ page }) => {
  await openAs(page, accounts.PRUS);
  await button(page).click();
  await expect(page.getByRole('heading', { name: 'Tech Support' })).toBeFocused();
  await widget(page).getByLabel('Your message').fill('Where is my bill?');
  await widget(page).getByRole('button', { name: 'Send' }).click();
  await expect(widget(page).getByText('Where is my bill?')).toBeVisible();
  await page.getByRole('button', { name: 'Close Tech Support' }).click();
  await expect(panel(page)).toBeHidden();
  await expect(button(page)).toBeFocused();
  await expect(page.getByRole('button', { name: /^Tech Support 1 unread$/ })).toBeVisible();
  // The chat stays open across screens.
  await page.getByRole('link', { name: 'Claim Search' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Claim Search' })).toBeVisible();
  await button(page).press('Enter');
  await expect(widget(page).getByText('Thank you. In production')).toBeVisible();
  await expect(widget(page).getByText('Where is my bill?')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tech Support', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(button(page)).toBeFocused();
});

test('uses the signed-in person, also while mirroring', async ({ page }) => {
  const token = await openSession(page.request, accounts.ISAD);
  await mirror(page.request, token, accounts.PRUS);
  await page.goto('/wcpp/home');
  await expect(page.getByText(/^Mirroring \(/)).toBeVisible();
  await button(page).click();
  await expect(facts(page)).toContainText('isad.demo');
  await expect(facts(page)).not.toContainText('prus.demo');
  await expect(facts(page)).toContainText('Account typeInternal System Admin');
});

test('disappears with the session', async ({ page }) => {
  await openAs(page, accounts.PRUS);
  await button(page).click();
  await expect(facts(page)).toContainText('Signedyes');
  await page.getByRole('link', { name: 'Sign Out' }).click();
  await expect(page.getByText('You are logged out')).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(button(page)).toHaveCount(0);
});

test('is available at 360 px, and covers the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, accounts.PRUS);
  await button(page).click();
  await expect(facts(page)).toContainText('Signedyes');
  expect(await panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 });
  await page.getByRole('button', { name: 'Close Tech Support' }).click();
  await expect(button(page)).toBeFocused();
  await toTheEnd(page);
  await expect.poll(() => listHiddenFooterParts(page)).toEqual([]);
});

test('covers a window too low for anything else', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await openAs(page, accounts.PRUS);
  await button(page).click();
  await expect(facts(page)).toContainText('Signedyes');
  expect(await panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 844, height: 390 });
  await expect(page.locator('[inert]').getByRole('contentinfo', { includeHidden: true })).toBeAttached();
  await page.getByRole('button', { name: 'Close Tech Support' }).click();
  await expect(button(page)).toBeFocused();
});

test("leaves room at the end of the page, so that it doesn't cover the footer", async ({ page }) => {
  await openAs(page, accounts.PRUS, '/wcpp/claimSearch');
  const checkAt = async (name: string, width: number, height: number) => {
    await page.setViewportSize({ width, height });
    const before = await length(page);
    await button(page).click();
    await expect(panel(page).getByRole('heading')).toBeFocused();
    await toTheEnd(page);
    await expect.poll(() => listHiddenFooterParts(page), { message: `${name}, at the end` }).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Go to top' })).toBeFocused();
    await expect.poll(() => listHiddenFooterParts(page), { message: `${name}, by keyboard` }).toEqual([]);
    await page.getByRole('button', { name: 'Close Tech Support' }).click();
    await toTheEnd(page);
    await expect.poll(() => listHiddenFooterParts(page), { message: `${name}, closed` }).toEqual([]);
    expect(await length(page), `${name}, closed`).toBe(before);
  };
  for (const [width, height] of [
    [1440, 900],
    [1366, 640],
    [768, 900],
    [500, 420],
  ] as const)
    await checkAt(`${width} × ${height} px`, width, height);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await checkAt('text of twice the size', 1440, 900);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  await browser.detach();
});

test("shows that it's unreachable, and retries", async ({ page }) => {
  await openAs(page, accounts.PRUS);
  await mockReply(page, '**/api/support/chat', { status: 503, json: { message: 'no' } });
  await button(page).click();
  await expect(page.getByText("Tech Support isn't available right now.")).toBeVisible();
  await restore(page, '**/api/support/chat');
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(facts(page)).toContainText('Signedyes');
});
