import type { Page } from '@playwright/test';
import { accounts, expect, getMenu, getSearchButton, openAs, openSession, test } from './portal';
import { delay, mockReply, restore } from './replies';

/** How a file or request was loaded, by the last segment of its address. */
const timings = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, initiatorType, startTime, responseEnd }) => ({
        name: name.replace(/^.*\//, ''),
        initiatorType,
        startTime,
        responseEnd,
      })),
  );

test.describe('a signed-in page', () => {
  test('lists all files of its screen and requests its session, in one step', async ({ page }) => {
    await openAs(page, accounts.PRAD, '/wcpp/billSearch');
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    await expect(getSearchButton(page)).toBeVisible();
    const { named, asked } = await page.evaluate(() => ({
      named: [
        ...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('head [href], head [src]'),
      ].map((element) => ('src' in element ? element.src : element.href).replace(/^.*\//, '')),
      asked: performance.getEntriesByName(`${location.origin}/api/session`).length,
    }));
    const scripts = (await timings(page)).filter(({ name }) => name.endsWith('.js') || name.endsWith('.css'));
    // The first view doesn't show these: the table, dialogs and menus, the announcement.
    const beyond = scripts.map(({ name }) => name).filter((name) => !named.includes(name));
    expect(
      beyond.filter((name) => /^(BillSearchPage|shell|kit|search|pickers|over|form)-/.test(name)),
    ).toEqual([]);
    expect(named.some((name) => name.startsWith('BillSearchPage-'))).toBe(true);
    expect(asked).toBe(1);
  });

  test('shows its frame while the session loads slowly, then the screen', async ({ page }) => {
    await openAs(page, accounts.PRAD);
    const release = await delay(page, '**/api/session');
    await page.goto('/wcpp/billSearch', { waitUntil: 'commit' });
    await expect(getMenu(page).getByRole('link', { name: 'Bill Search' })).toBeVisible();
    await expect(page.getByText('Please wait while we retrieve data.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign Out' })).toHaveCount(0);
    release();
    await restore(page, '**/api/session');
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
  });

  test('has its footer below the fold until its rows are loaded', async ({ page }) => {
    await page.setViewportSize({ width: 412, height: 823 });
    await openAs(page, accounts.PRAD);
    const rows = '**/api/work/bills/search';
    const release = await delay(page, rows);
    await page.goto('/wcpp/work/bills');
    await expect(page.getByText('Please wait while we retrieve data.')).toBeVisible();
    const footer = page.getByRole('contentinfo');
    const others = page.getByText(/^Bills (from the second bill system|as of)/);
    await expect(footer).not.toBeInViewport();
    for (const other of await others.all()) await expect(other).toBeHidden();
    release();
    await restore(page, rows);
    await expect(page.getByRole('table', { name: 'Bills' })).toBeVisible();
    await expect(footer).not.toBeInViewport();
    await expect(others).toHaveCount(2);
    for (const other of await others.all()) await expect(other).toBeVisible();
  });

  test('goes back when Back was clicked before it was ready', async ({ page }) => {
    await openAs(page, accounts.PRAD, '/wcpp/billSearch');
    await getMenu(page).getByRole('link', { name: 'Manage TINs' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Manage Tax/ })).toBeVisible();
    const release = await delay(page, '**/api/session');
    await page.reload({ waitUntil: 'commit' });
    await expect(page.getByText('Please wait while we retrieve data.')).toBeVisible();
    await page.evaluate(() => window.history.back());
    await expect(page).toHaveURL(/billSearch$/);
    release();
    await expect(page.getByRole('heading', { level: 1, name: 'Bill Search' })).toBeVisible();
  });

  test.describe('with an outdated preview', () => {
    test.use({ ownBrowser: true });

    test('goes to sign-in, as the session response says', async ({ page }) => {
      await openAs(page, accounts.ROUS);
      const release = await delay(page, '**/api/session');
      await page.goto('/wcpp/home', { waitUntil: 'commit' });
      await expect(getMenu(page)).toBeVisible();
      const [cookie] = (await page.context().cookies()).filter(({ name }) => name === '__Host-wcpp');
      const response = await page.request.post('/api/logout', {
        headers: { Authorization: `Bearer ${cookie?.value}` },
      });
      expect(response.status()).toBe(200);
      release();
      await page.waitForURL('**/wcpp/login');
      await expect(getMenu(page)).toHaveCount(0);
    });

    test('shows the currently mirrored user', async ({ page }) => {
      const token = await openSession(page.request, accounts.ISAD);
      await page.goto('/wcpp/home');
      await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
      const release = await delay(page, '**/api/session');
      await page.goto('/wcpp/home', { waitUntil: 'commit' });
      await expect(getMenu(page).getByRole('link', { name: 'User Search' })).toBeVisible();
      const mirrored = await page.request.post('/api/session/mirror', {
        data: { userNm: accounts.PRUS },
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(mirrored.status()).toBe(200);
      release();
      await expect(page.getByRole('region', { name: 'Mirroring' })).toBeVisible();
      await expect(getMenu(page).getByRole('link', { name: 'User Search' })).toHaveCount(0);
    });
  });
});

test('signed-out users get a page that reveals nothing and only loads the sign-in screen', async ({
  page,
}) => {
  await page.goto('/wcpp/login');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Sign in');
  expect(await page.locator('#outline').count()).toBe(0);
  const names = (await timings(page)).map(({ name }) => name);
  expect(names.filter((name) => /^(shell|form|search|kit|table|layers|pickers)-/.test(name))).toEqual([]);
});

test("a link's screen is loaded before the click", async ({ page }) => {
  await openAs(page, accounts.PRAD);
  const ofScreen = async () =>
    (await timings(page)).filter(({ name }) => name.startsWith('ClaimSearchPage-')).map(({ name }) => name);
  expect(await ofScreen()).toEqual([]);
  const link = getMenu(page).getByRole('link', { name: 'Claim Search' });
  await link.hover();
  await expect.poll(async () => (await ofScreen()).some((name) => name.endsWith('.js'))).toBe(true);
  // The click needs no more files of the screen. No file is reachable any longer.
  await mockReply(page, '**/assets/**', 'lost');
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Claim Search' })).toBeVisible();
});

test.describe('layers load after the page', () => {
  test.use({ ownBrowser: true });
  const layers = '**/assets/layers-*.js';

  test("an earlier click opens one when it's loaded, and the focus goes in and back", async ({ page }) => {
    const release = await delay(page, layers);
    await openAs(page, accounts.PRAD, '/wcpp/ManageUsers');
    const contact = page.getByRole('banner').getByRole('button', { name: 'Contact Us' });
    await contact.click();
    await expect(contact).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    release();
    const dialog = page.getByRole('dialog', { name: 'Contact Us' });
    await expect(dialog).toBeVisible();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(contact).toBeFocused();
  });

  test("a row's menu works by keyboard although it had to load first", async ({ page }) => {
    const release = await delay(page, layers);
    await openAs(page, accounts.PRAD, '/wcpp/ManageUsers');
    const button = page.getByRole('button', { name: /^Actions for / }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toHaveCount(0);
    release();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  test('a failed load is reported, and the next click retries', async ({ page }) => {
    await mockReply(page, layers, 'lost');
    await openAs(page, accounts.PRAD, '/wcpp/ManageUsers');
    const contact = page.getByRole('banner').getByRole('button', { name: 'Contact Us' });
    await contact.click();
    const failure = page.getByText("Couldn't open this. Try again, or reload the page.");
    await expect(failure).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await restore(page, layers);
    await contact.click();
    await expect(page.getByRole('dialog', { name: 'Contact Us' })).toBeVisible();
  });
});
