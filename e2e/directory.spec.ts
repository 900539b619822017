import type { Page } from '@playwright/test';
import {
  address,
  chooseTin,
  expand,
  getRows,
  known,
  listProviders,
  openProvider,
  picker,
  providers,
  section,
  showProvider,
} from './directory';
import { accounts, expect, getMenu, mirror, openAs, openSession, test } from './portal';
import { mockReply, restore } from './replies';

const { orthopedics, pain, surgery, hands } = known;
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const back = (page: Page) => page.getByRole('button', { name: 'Back to Demographic Search' });
const dialog = (page: Page) => page.getByRole('dialog');
const closeButton = (page: Page) => dialog(page).getByRole('button', { name: 'CLOSE', exact: true });
const close = (page: Page) => closeButton(page).click();
const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');
const cells = (page: Page, table: string, column: number) =>
  getRows(page, table).locator(`td:nth-child(${column})`);

test.describe('the search', () => {
  test("lists a Tax ID's providers by name, and clears with it", async ({ page }) => {
    await openAs(page, accounts.PRAD);
    await getMenu(page).getByRole('link', { name: 'Provider Demographics' }).click();
    await expect(heading(page, 'Demographic Search')).toBeFocused();
    await expect(page.getByText('Select a Tax ID to Search for Providers...')).toBeVisible();
    await expect(providers(page)).toHaveCount(0);

    await chooseTin(page, pain.tin);
    await expect(providers(page)).toHaveText([
      /^Lakeside Pain Management/,
      /^Stanton, Zoe S\s*Physician$/,
      /^Vance, Maria M\s*Physician$/,
    ]);
    await picker(page).fill('');
    await expect(page.getByRole('table')).toHaveCount(0);
    await expect(page.getByText('Select a Tax ID to Search for Providers...')).toBeVisible();

    await chooseTin(page, hands.tin);
    await expect(providers(page).filter({ hasText: hands.physician })).toHaveCount(1);
  });

  test('shows that a Tax ID has no providers, and that loading failed', async ({ page }) => {
    await mockReply(page, '**/api/provider/page', [{ json: { rows: [], count: 0 } }, { status: 400 }]);
    await listProviders(page, pain.tin);
    await expect(page.getByText('No Providers found for the selected Tax ID')).toBeVisible();
    await chooseTin(page, surgery.tin);
    await expect(page.getByText(/^Error: There was an error retrieving data\./)).toBeVisible();
    await restore(page, '**/api/provider/page');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(providers(page).filter({ hasText: surgery.facility })).toHaveCount(1);
  });

  test("asks internal staff to mirror a user, and then offers that user's Tax IDs", async ({ page }) => {
    const token = await openAs(page, accounts.ISAD, address);
    await expect(page.getByText('Mirror a user from User Search.')).toBeVisible();
    await mirror(page.request, token, accounts.PRUS);
    await page.goto(address);
    await chooseTin(page, orthopedics.tin);
    await openProvider(page, orthopedics.physician);
    await expect(heading(page, `Physician - ${orthopedics.physician}`)).toBeVisible();
  });

  test("never shows another office's providers", async ({ request }) => {
    const page = { ftin: '961706060', table: { page: 0, pageSize: 100 } };
    const get = async (userName: string, paths: string[]) => {
      const headers = { Authorization: `Bearer ${await openSession(request, userName)}` };
      const listed = await request.post('/api/provider/page', { headers, data: page });
      const answers = [];
      for (const path of paths) answers.push((await request.get(path, { headers })).status());
      return { listed, answers };
    };
    const { rows } = await (await get('csolis', [])).listed.json();
    const { prvId } = rows.find((row: { prvProviderType: string }) => row.prvProviderType === 'P');
    const paths = ['Phys', 'Phys/Loc', 'Phys/Lic', 'Phys/Spec'].map(
      (path) => `/api/provider/${path}/${prvId}`,
    );
    expect((await get('csolis', paths)).answers).toEqual([200, 200, 200, 200]);
    const { listed, answers } = await get(accounts.PRUS, paths);
    expect([listed.status(), ...answers]).toEqual([404, 404, 404, 404, 404]);
  });
});

test.describe('a physician', () => {
  test('shows all data: specialties, locations with their services, licenses', async ({ page }) => {
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(heading(page, `Physician - ${orthopedics.physician}`)).toBeFocused();
    await expect(fact(page, 'Last Name')).toHaveText('Olsen');
    await expect(fact(page, 'First Name')).toHaveText('Rosa');
    await expect(fact(page, 'Date of Birth')).toHaveText(/^\d{2}\/\d{2}\/\d{4}$/);
    await expect(fact(page, 'TIN')).toHaveText(orthopedics.tin);
    await expect(fact(page, 'NPI')).toHaveText(/^\d{10}$/);

    await expect(section(page, 'Specialties')).toHaveAttribute('aria-expanded', 'false');
    await expand(page, 'Specialties', 'Locations', 'Licenses');
    await expect(section(page, 'General Information')).toHaveAttribute('aria-expanded', 'true');
    await expect(cells(page, 'Specialties', 2)).toHaveText(['1', '2']);
    await expect(cells(page, 'Locations', 1)).toHaveText([
      'Lakeside Orthopedic Associates Akron',
      /^Lakeside Orthopedic Associates Cleveland P/,
    ]);
    await expect(getRows(page, 'Locations').getByTitle('Primary')).toHaveCount(1);
    await expect(cells(page, 'Locations', 3)).toHaveText([/^\d{3}-\d{3}-\d{4}$/, /^\d{3}-\d{3}-\d{4}$/]);
    await expect(cells(page, 'Locations', 7)).toHaveText([/^(Yes|No)$/, /^(Yes|No)$/]);
    await expect(cells(page, 'Licenses', 1)).toHaveText(['DEA Registration', 'Medical License']);
    await expect(cells(page, 'Licenses', 4)).toHaveText([/^07\/01\/\d{4}$/, /^07\/01\/\d{4}$/]);

    await expect(page.getByRole('button', { name: /^View Details/ })).toHaveCount(1);
    await page.getByRole('button', { name: /^View Details/ }).click();
    await expect(
      page.getByRole('dialog', { name: 'Location Focus for Lakeside Orthopedic Associates Cleveland' }),
    ).toBeVisible();
    await expect(getRows(page, 'Services')).toHaveCount(2);
    await close(page);
    await expect(page.getByRole('button', { name: /^View Details/ })).toBeFocused();
  });

  test('with more services than fit on a page of the dialog has sorting and filters there', async ({
    page,
  }) => {
    await showProvider(page, pain.tin, pain.physician);
    await expand(page, 'Locations');
    await page.getByRole('button', { name: /^View Details/ }).click();
    await expect(getRows(page, 'Services')).toHaveCount(5);
    const [first] = await getRows(page, 'Services').allTextContents();
    await dialog(page)
      .getByRole('button', { name: /^Services/ })
      .click();
    await expect(getRows(page, 'Services').first()).not.toHaveText(first ?? '');
    await dialog(page)
      .getByLabel('Filter by Services')
      .fill((first ?? '').toUpperCase());
    await expect(getRows(page, 'Services')).toHaveText([first ?? '']);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  });

  test('with only a basic record has empty sections', async ({ page }) => {
    await showProvider(page, hands.tin, hands.physician);
    for (const name of ['Specialties', 'Locations', 'Licenses']) {
      await expect(section(page, name)).toHaveText(/None on file$/);
      await expand(page, name);
    }
    await expect(page.getByText('No records found')).toHaveCount(3);
  });

  test('with failed sections shows the others, which load anyway', async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => {
      const [, part] = /\/api\/provider\/Phys\/(\w+)/.exec(request.url()) ?? [];
      if (part) requested.push(part);
    });
    const refusal = { status: 400, json: { message: 'The directory is busy.' } };
    await mockReply(page, '**/api/provider/Phys/Loc/*', refusal);
    await mockReply(page, '**/api/provider/Phys/Lic/*', refusal);
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(
      page.getByText('Error GETTING THE PROVIDER Physician location The directory is busy.'),
    ).toBeVisible();
    await expect(page.getByText('Error loading Physician licenses data.')).toBeVisible();
    expect(requested).toEqual([expect.stringMatching(/^\d+$/), 'Spec', 'Loc', 'Lic']);
    await expand(page, 'Specialties');
    await expect(getRows(page, 'Specialties')).toHaveCount(2);

    await restore(page, '**/api/provider/Phys/Loc/*');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(getRows(page, 'Locations')).toHaveCount(2);
    await expect(page.getByText('Error loading Physician licenses data.')).toBeVisible();
  });

  test("that can't be loaded has a link back", async ({ page }) => {
    await mockReply(page, '**/api/provider/Phys/*', { status: 404 });
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Error loading Physician data.')).toBeVisible();
    await back(page).last().click();
    await expect(page.getByRole('button', { name: orthopedics.physician, exact: true })).toBeFocused();
    await expect(providers(page)).toHaveCount(2);
  });
});

test.describe('a facility', () => {
  test('shows all data, with the services of its locations', async ({ page }) => {
    await showProvider(page, orthopedics.tin, orthopedics.facility);
    await expect(heading(page, `Facility - ${orthopedics.facility}`)).toBeFocused();
    await expect(fact(page, 'TIN')).toHaveText(orthopedics.tin);
    await expect(section(page, 'Specialties')).toHaveCount(0);
    await expand(page, 'Locations', 'Licenses');
    await expect(cells(page, 'Licenses', 1)).toHaveText(['Accreditation', 'Facility License']);
    await page.getByRole('button', { name: /^View Details/ }).click();
    await expect(
      page.getByRole('dialog', { name: 'Location: Lakeside Orthopedic Associates Cleveland' }),
    ).toBeVisible();
    for (const [table, count] of [
      ['Services', 1],
      ['Specialties', 2],
      ['Focuses', 3],
      ['Languages', 4],
    ] as const)
      await expect(getRows(page, table)).toHaveCount(count);
    await close(page);
  });

  test('without licenses says so', async ({ page }) => {
    await showProvider(page, pain.tin, pain.facility);
    await expect(section(page, 'Licenses')).toHaveText(/None on file$/);
    await expand(page, 'Locations');
    // The second one has nothing to view.
    await expect(getRows(page, 'Locations')).toHaveCount(2);
    await expect(page.getByRole('button', { name: /^View Details/ })).toHaveCount(1);
  });
});

test.describe('navigation', () => {
  test('works with Back, Forward and Reload, and never changes the address', async ({ page }) => {
    await openAs(page, accounts.PRUS);
    await getMenu(page).getByRole('link', { name: 'Provider Demographics' }).click();
    await chooseTin(page, orthopedics.tin);
    await openProvider(page, orthopedics.physician);
    await expect(heading(page, /^Physician - /)).toBeVisible();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
    expect(await page.title()).not.toContain('Olsen');

    await page.reload();
    await expect(heading(page, `Physician - ${orthopedics.physician}`)).toBeVisible();
    await page.goBack();
    await expect(heading(page, 'Demographic Search')).toBeFocused();
    await expect(providers(page)).toHaveCount(2);
    await page.reload();
    await expect(providers(page)).toHaveCount(2);
    await expect(picker(page)).toHaveValue(orthopedics.tin);
    await page.goForward();
    await expect(heading(page, `Physician - ${orthopedics.physician}`)).toBeVisible();
    await back(page).first().click();
    await expect(providers(page)).toHaveCount(2);
    await getMenu(page).getByRole('link', { name: 'Provider Demographics' }).click();
    await expect(providers(page)).toHaveCount(0);
    await expect(picker(page)).toHaveValue('');
  });

  test('is reset for the next user', async ({ page }) => {
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(heading(page, /^Physician - /)).toBeVisible();
    // The open page must not find out about the sign-in before a reload.
    const { token } = await (await page.request.get('/api/session')).json();
    await mockReply(page, '**/api/**', ({ headers }) =>
      headers.Authorization === `Bearer ${token}` ? 'lost' : 'served',
    );
    await openSession(page.request, accounts.ISAD);
    await page.reload();
    await expect(page.getByText('Mirror a user from User Search.')).toBeVisible();
  });

  test('works by keyboard alone', async ({ page }) => {
    await openAs(page, accounts.PRUS, address);
    const tabTo = async (target: ReturnType<Page['locator']>) => {
      for (let presses = 0; presses < 60; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach ${target}`);
    };
    await expect(picker(page)).toBeVisible();
    await tabTo(picker(page));
    await page.keyboard.type(orthopedics.tin);
    await page.keyboard.press('Enter');
    await expect(providers(page)).toHaveCount(2);
    await tabTo(page.getByRole('button', { name: orthopedics.physician }));
    await page.keyboard.press('Enter');
    await expect(heading(page, /^Physician - Olsen/)).toBeFocused();
    await tabTo(section(page, 'Locations'));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('button', { name: /^View Details/ }));
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeVisible();
    await tabTo(closeButton(page));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^View Details/ })).toBeFocused();
    await tabTo(back(page).last());
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: orthopedics.physician, exact: true })).toBeFocused();
  });

  test('fits a narrow window', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expand(page, 'Specialties', 'Locations', 'Licenses');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: /^View Details/ }).click();
    await expect(closeButton(page)).toBeVisible();
  });
});
