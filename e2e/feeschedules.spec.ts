import { readFileSync } from 'node:fs';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { test as base, type Person } from './people';
import { accounts, changeSearch, expect, getSearchButton, mirror, openAs, openSession } from './portal';
import { clickTwice, mockReply } from './replies';

const inProgress = 'Your request is in progress, and you will be notified once it is available.';
const notSubmitted = 'Your request could not be submitted, please retry.';

// A demo office: physicians with rate codes, and a hospital without.
const colleague = 'csolis';
const tin = '961706060';

/** A user in that office who hasn't requested anything yet. */
const test = base.extend<{ person: Person }>({
  person: async ({ create, isad: { request, headers } }, use) => {
    const found = await request.post('/api/admin/userList', { headers, data: { userName: colleague } });
    const [{ grpInfoId }] = await found.json();
    await use(await create({ typeCd: 'PRUS', grpInfoId, userFtins: [{ ftin: tin }] }));
  },
});

const dialog = (page: Page) => page.getByRole('dialog');
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const rows = (page: Page) =>
  page.getByRole('table', { name: 'Rate Codes' }).locator('tbody').getByRole('row');
const select = (page: Page) =>
  rows(page)
    .first()
    .getByRole('button', { name: /^Select/ });
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const listed = (page: Page) => page.getByRole('region', { name: 'Fee Schedules' }).getByRole('listitem');

const requests = '**/api/feeSchedule/addFeeSchedRequest/**';
const stream = '**/api/feeSchedule/submitFeeScheduleAndNotify*';
const list = '**/api/feeSchedule/getUserFeeSchedRequests/**';

async function choose(page: Page, label: string, typed: string) {
  await page.getByRole('combobox', { name: label }).fill(typed);
  await page.getByRole('option', { name: typed }).click();
}

/** Searches the rate codes of one of the office's providers. */
async function find(page: Page, provider = '500789') {
  await choose(page, 'Provider', provider);
  await getSearchButton(page).click();
  await expect(page.getByRole('heading', { name: 'Rate Codes' })).toBeVisible();
}

async function open(page: Page, { userNm }: Person) {
  await openAs(page, userNm, '/wcpp/FeeSchedule');
  await find(page);
  await expect(select(page)).toBeEnabled();
}

/**
 * Downloads a file by its link. Returns its name, and whether it's an archive, as XLSX files
 * are.
 */
async function download(page: Page, link: Locator) {
  const [file] = await Promise.all([
    Promise.race([
      page.waitForEvent('download'),
      page
        .context()
        .waitForEvent('page')
        .then((opened) => opened.waitForEvent('download')),
    ]),
    link.click(),
  ]);
  expect(readFileSync(await file.path()).subarray(0, 4)).toEqual(Buffer.from('PK\x03\x04'));
  return file.suggestedFilename();
}

/** A fee schedule that a user requested in another place. */
async function make(request: APIRequestContext, { userNm }: Person) {
  const headers = { Authorization: `Bearer ${await openSession(request, userNm)}` };
  const found = await request.get(`/api/feeSchedule/getNationalRateCodes/DPWC/500789/${tin}`, { headers });
  const [code] = await found.json();
  const place = [code.provLctnName, code.lctnZipCd].map((part) => encodeURIComponent(part || '-')).join('/');
  const response = await request.post(
    `/api/feeSchedule/addFeeSchedRequest/${userNm}/${code.nationalRateCd}/500789/${place}`,
    { headers },
  );
  expect(response.status(), await response.text()).toBe(200);
  await expect
    .poll(async () => {
      const files = await request.get(`/api/feeSchedule/getUserFeeSchedRequests/${userNm}`, { headers });
      return (await files.json()).successCount;
    })
    .toBe(1);
}

test('a user finds a rate code, requests its fee schedule and opens the file', async ({ page, person }) => {
  await openAs(page, person.userNm);
  await bell(page).click();
  await expect(page.getByText('No fee schedules yet.')).toBeVisible();
  await page.getByRole('link', { name: 'PPO Fee Schedule' }).click();
  await expect(page.getByRole('heading', { name: 'PPO Fee Schedule', level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(/^PPO Fee Schedule/);
  await expect(page.getByRole('radio', { name: "Workers' Comp" })).toBeChecked();

  await find(page);
  await expect(page.getByRole('columnheader')).toHaveText([
    'National Rate Code',
    'Location Name',
    'Location Address',
    'Location Details',
    'Zip',
    'Provider ID',
    'Request',
  ]);
  await expect(page.getByRole('columnheader', { name: 'Location Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('Filter by Location Details').fill('satellite');
  await expect(rows(page)).toHaveCount(1);

  await select(page).click();
  const link = dialog(page).getByRole('link');
  await expect(link).toBeVisible();
  await expect(page.getByLabel('Notifications, 1')).toBeAttached();
  expect(await download(page, link)).toMatch(
    /^Fee_Schedule_.+_500789_\d{9}_(WC|Auto)_\d{4}-\d\d-\d\d\.xlsx$/,
  );
  await page.keyboard.press('Escape');
  await expect(select(page)).toBeFocused();
});

test('an opened file is marked as viewed 3 seconds later', async ({ page, person, request }) => {
  await make(request, person);
  await openAs(page, person.userNm);
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1');
  await bell(page).click();
  await expect(listed(page)).toContainText('New');
  const link = listed(page).getByRole('link');
  const colour = () => link.evaluate((element) => getComputedStyle(element).color);
  const before = await colour();

  const listRequest = page.waitForRequest(list);
  const clicked = Date.now();
  await download(page, link);
  await listRequest;
  expect(Date.now() - clicked).toBeGreaterThanOrEqual(3_000);
  await expect(listed(page)).toContainText('Viewed');
  expect(await colour()).not.toBe(before);
  await page.reload();
  await bell(page).click();
  await expect(listed(page)).toContainText('Viewed');
});

test('a double click sends one request', async ({ page, person }) => {
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.url().includes('/addFeeSchedRequest/')) requestCount++;
  });
  await open(page, person);
  await clickTwice(select(page), requests);
  await expect(dialog(page).getByRole('link')).toBeVisible();
  expect(requestCount).toBe(1);
  await page.keyboard.press('Escape');
  await bell(page).click();
  await expect(listed(page)).toHaveCount(1);
});

test('closing the dialog ends the stream, but the request continues', async ({ page, person }) => {
  await mockReply(page, stream, 'unanswered');
  await open(page, person);
  await select(page).click();
  await expect(dialog(page)).toContainText(inProgress);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('AndNotify'));
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await ended;
  await expect(dialog(page)).toHaveCount(0);
  await expect(async () => {
    await bell(page).click();
    await expect(listed(page)).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1');
});

test('a reload restores the search, and the request continues', async ({ page, person }) => {
  await mockReply(page, stream, 'unanswered');
  await open(page, person);
  await page.getByRole('button', { name: 'National Rate Code' }).click();
  await select(page).click();
  await expect(dialog(page)).toContainText(inProgress);
  await expect.poll(() => page.evaluate(() => history.state.kept?.table.sort.id)).toBe('code');
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await changeSearch(page);
  await expect(page.getByRole('combobox', { name: 'Provider' })).toHaveValue(/\(500789\)$/);
  await expect(page).toHaveURL(/\/wcpp\/FeeSchedule$/);
  await expect(async () => {
    await bell(page).click();
    await expect(listed(page)).toHaveCount(1, { timeout: 500 });
  }).toPass();
});

test('a lost connection is restored', async ({ page, person }) => {
  let connections = 0;
  page.on('request', (request) => {
    if (request.url().includes('AndNotify')) connections++;
  });
  await mockReply(page, stream, ['lost', 'lost', 'served']);
  await open(page, person);
  await select(page).click();
  await expect(dialog(page)).toContainText(inProgress);
  await expect(dialog(page).getByRole('link')).toBeVisible();
  expect(connections).toBe(3);
});

test("a request that wasn't accepted can be repeated", async ({ page, person }) => {
  await mockReply(page, requests, [{ status: 500 }, 'served']);
  await open(page, person);
  await select(page).click();
  await expect(dialog(page)).toContainText(notSubmitted);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(dialog(page).getByRole('link')).toBeVisible();
  await expect(dialog(page)).not.toContainText(notSubmitted);
});

test.describe('with a fake clock', () => {
  test.use({ ownBrowser: true });

  test("a user who mirrors can read and open files, but can't request any", async ({
    page,
    person,
    request,
  }) => {
    await make(request, person);
    await mirror(page.request, await openSession(page.request, accounts.ISAD), person.userNm);
    let requestCount = 0;
    page.on('request', (each) => {
      if (each.url().includes('getUserFeeSchedRequests')) requestCount++;
    });
    await page.clock.install();
    await page.goto('/wcpp/FeeSchedule');
    await find(page);
    await expect(page.getByText("You can't request fee schedules while mirroring.")).toBeVisible();
    for (const button of await page.getByRole('button', { name: /^Select/ }).all())
      await expect(button).toBeDisabled();

    await bell(page).click();
    const link = listed(page).getByRole('link');
    const address = new URL((await link.getAttribute('href')) ?? '', page.url());
    expect(address.search).toBe(`?usrName=${accounts.ISAD}&mirrorNm=${person.userNm}`);
    await download(page, link);
    await page.clock.runFor(3_500);
    // After this response, all earlier requests are known.
    await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
    expect(requestCount).toBe(0);
    await expect(listed(page)).toContainText('New');
  });
});

test('each error of the form', async ({ page, specimens: { tins } }) => {
  await openAs(page, accounts.PRUS, '/wcpp/FeeSchedule');
  await getSearchButton(page).click();
  await expect(message(page).getByRole('link')).toHaveText([
    'Error: Select Tax ID',
    'Error: Select Provider',
  ]);
  await expect(message(page)).toBeFocused();

  await mockReply(page, '**/api/provider/page', [{ json: { rows: [], count: 0 } }, 'served']);
  await choose(page, 'Tax ID', tins[0] ?? '');
  await expect(page.getByText('Error: Provider not found')).toBeVisible();
  await getSearchButton(page).click();
  await expect(message(page).getByText('Error: Provider not found')).toBeVisible();
  await choose(page, 'Tax ID', tins[1] ?? '');
  await expect(page.getByText('Error: Provider not found')).toHaveCount(0);
});

test('a provider without rate codes, and a hospital', async ({ page, person, browser, baseURL }) => {
  await openAs(page, accounts.PRUS, '/wcpp/FeeSchedule');
  await choose(page, 'Tax ID', '961281339');
  await find(page, '500206');
  await expect(
    page.getByText(
      'There are no Rate Codes for the selected criteria, please revise your search criteria and try again.',
    ),
  ).toBeVisible();

  const context = await browser.newContext({ baseURL });
  const theirs = await context.newPage();
  await openAs(theirs, person.userNm, '/wcpp/FeeSchedule');
  await find(theirs, '200581');
  await expect(
    theirs.getByText(/company letterhead.*TIN, address, provider name and signature/),
  ).toBeVisible();
  await expect(theirs.getByRole('main').getByRole('link', { name: /@/ })).toHaveAttribute(
    'href',
    /^mailto:.+@/,
  );
  await expect(theirs.getByText(/^There are no Rate Codes/)).toHaveCount(0);
  await context.close();
});

test('a non-network user has no link to it', async ({ page }) => {
  await openAs(page, accounts.NNUS, '/wcpp/FeeSchedule');
  await expect(page.getByText("You don't have access")).toBeVisible();
  await bell(page).click();
  await expect(page.getByText('No fee schedules yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'PPO Fee Schedule' })).toHaveCount(0);
});

test('by keyboard, on a narrow window', async ({ page, person }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, person.userNm, '/wcpp/FeeSchedule');
  await page.getByRole('radio', { name: "Workers' Comp" }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Auto' })).toBeChecked();
  // Disabled while its providers load.
  const provider = page.getByRole('combobox', { name: 'Provider' });
  await expect(provider).toBeEnabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(provider).toBeFocused();
  await page.keyboard.type('500789');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(select(page)).toBeEnabled();
  await select(page).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('link')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(select(page)).toBeFocused();

  await bell(page).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(listed(page).getByRole('link')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bell(page)).toBeFocused();
  await expect(listed(page)).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('with more providers than options, another is typed over the selection, and the click on Search counts', async ({
  page,
  person,
}) => {
  const many = Array.from({ length: 312 }, (_, n) => ({
    prvId: String(10000 + n),
    prvName: `Doe${n}, Ann`,
    prvProviderType: 'P',
  }));
  await mockReply(page, '**/api/provider/page', ({ text }) => {
    const { table } = JSON.parse(text);
    const sought = (table.filters.provider ?? '').toLowerCase();
    const rows = many.filter(({ prvName, prvId }) => `${prvName} (${prvId})`.toLowerCase().includes(sought));
    return { json: { rows: rows.slice(0, table.pageSize), count: rows.length } };
  });
  await openAs(page, person.userNm, '/wcpp/FeeSchedule');
  const taxId = page.getByRole('combobox', { name: 'Tax ID' });
  await taxId.fill(tin);
  await taxId.press('Enter');
  await expect(page.getByText(/^Showing the first 50 of 312\./)).toBeVisible();
  const provider = page.getByRole('combobox', { name: 'Provider' });
  for (const n of [299, 277]) {
    await provider.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(`Doe${n}`);
    await page.keyboard.press('Enter');
    await expect(provider).toHaveValue(`Doe${n}, Ann (${10000 + n})`);
  }
  await provider.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Doe250, Ann (10250)');
  await expect(page.getByRole('option', { name: 'Doe250, Ann' })).toBeVisible();
  // Clicked at the button's position while the list is open.
  const box = await page.getByRole('button', { name: 'Search', exact: true }).boundingBox();
  const searched = page.waitForRequest('**/rateCodes/page');
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 5, { delay: 80 });
  expect((await searched).postDataJSON()).toMatchObject({ providerId: '10250' });
});
