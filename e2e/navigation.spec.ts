import { accounts, expect, openAs, signIn, test } from './portal';

test.use({ ownBrowser: true });

const videoUrl = '/api/resources/documents/training/portal-tour.webm';

test('a document link without a session opens sign-in, then the document', async ({ page }) => {
  const answer = await page.goto(videoUrl);
  expect(answer?.status()).toBe(401);
  await expect(page.getByRole('heading', { name: 'Please sign in' })).toBeVisible();
  await expect(page.getByText('{')).toHaveCount(0);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/wcpp\/login$/);
  const opened = page.waitForResponse((response) => response.url().endsWith(videoUrl));
  await signIn(page, accounts.PRUS);
  expect((await opened).status()).toBe(200);
  await expect(page).toHaveURL(new RegExp(`${videoUrl}$`));
});

test('a missing document shows a page with a link home', async ({ page }) => {
  await openAs(page, accounts.PRUS);
  const answer = await page.goto('/api/resources/documents/training/missing.pdf');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Document not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
});

test('the page needs no script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(videoUrl);
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  // The policy allows its styles.
  expect(await page.locator('header').evaluate((header) => getComputedStyle(header).display)).toBe('flex');
  expect(refused.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  await context.close();
});

test("a Workspace screen has its menu entry as title, a bill's page its own", async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/bills');
  await expect(page).toHaveTitle('Open bills · Harborline Network');
  await page.getByRole('table', { name: 'Bills' }).getByRole('link').first().click();
  await expect(page).toHaveTitle('Bill · Harborline Network');
});
