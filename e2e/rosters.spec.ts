import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { test as base, type Person, register } from './people';
import { accounts, expect, getMenu, getPortalUrl, openAs, openSession } from './portal';
import { mockReply, restore } from './replies';
import { chooseFiles, csv, makeRows, npi, openUpload, selectGroup, submitRoster, xlsx } from './rosters';
import { findFreePort } from './start';

/** A user in a roster group that hasn't sent anything yet. */
const test = base.extend<{ clerk: Person }>({
  clerk: async ({ isad: { request, headers } }, use) => {
    const name = `Q${Array.from({ length: 9 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`;
    const created = await request.put('/api/users/saveDraftUser', {
      headers,
      data: {
        typeCd: 'ROAD',
        userFirstName: 'Rhea',
        userLastName: name,
        emailAddr: `${name.toLowerCase()}@example.com`,
        phoneNum: '2165550100',
        jobTitle: 'Roster Clerk',
        companyNm: 'Lakeside',
        completeProfile: true,
        groupInfo: {
          groupRosterSources: [203, 204, 205, 206, 207].map((sourceId) => ({ sourceId, sourceName: '' })),
        },
      },
    });
    expect(created.status(), await created.text()).toBe(200);
    const clerk: Person = await created.json();
    await register(request, clerk);
    await use(clerk);
  },
});

const sentText = 'Roster file has been uploaded successfully.';
const history = (page: Page) =>
  page.getByRole('table', { name: 'Upload History' }).locator('tbody').getByRole('row');
const report = (page: Page, file: string) => page.getByRole('region', { name: file, exact: true });
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const dialog = (page: Page) => page.getByRole('dialog');
const chosen = (page: Page) => page.getByRole('button', { name: /^Remove / });

/** Downloads a file by its link. Returns its name and content. */
async function download(page: Page, link: Locator) {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

async function returned(page: Page) {
  await expect(page.getByText(sentText)).toBeVisible();
  await expect(page.getByRole('button', { name: 'UPLOAD...' })).toBeFocused();
}

/**
 * Slows uploads down, so that a test can check them in progress. Returns a function that speeds
 * them up.
 */
async function slowUploads(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const set = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await set(400_000);
  return () => set(-1);
}

/** The portal behind a connection that the test can cut. */
async function startProxy() {
  const { hostname, port } = new URL(getPortalUrl());
  const open = new Set<Socket>();
  let up = true;
  const server = createServer((near) => {
    if (!up) return near.destroy(); // the browser retries once by itself
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) open.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  const at = await findFreePort();
  server.listen(at);
  return {
    url: `http://localhost:${at}`,
    cut() {
      up = false;
      for (const socket of open) socket.destroy();
    },
    mend() {
      up = true;
    },
    end: () => server.close(),
  };
}

const scan = (bytes: number) => ({
  name: 'scan.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.alloc(bytes, 'x'),
});

test('a roster admin fixes a roster after its check, sends it and finds it again', async ({ page }) => {
  await openAs(page, accounts.ROAD);
  await getMenu(page).getByRole('link', { name: 'Manage Rosters' }).click();
  await expect(page.getByRole('heading', { name: 'Manage Rosters', level: 1 })).toBeFocused();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Provider Group',
    'Upload Date',
    'Update Type',
    'Uploaded By',
    'File Names',
  ]);
  await page.getByRole('button', { name: 'UPLOAD...' }).click();
  await expect(page.getByText('No files selected')).toBeVisible();
  const template = await download(page, page.getByRole('link', { name: 'Download template' }));
  expect(template.name).toBe('Roster_Template.xlsx');
  expect(template.content.subarray(0, 2).toString()).toBe('PK');

  await selectGroup(page, 'University Heights Rehabilitation (G2013)');
  const rows = makeRows(12, 100);
  Object.assign(rows[2] ?? {}, { State: 'ZZ', ZIP: '1650' });
  await chooseFiles(page, csv('July.csv', rows));
  await expect(page.getByText('1 of 12 rows with problems. See below.')).toBeVisible();
  const problems = report(page, 'July.csv').getByRole('table').locator('tbody').getByRole('row');
  await expect(problems).toHaveText([
    `4Lee Hand (${npi(102)})StateZZEnter a two-letter state code.`,
    `4Lee Hand (${npi(102)})ZIP1650Enter 5 or 9 digits. If a leading zero is missing, format the column as text.`,
  ]);
  await expect(report(page, 'July.csv')).toContainText('The others list 11 providers.');
  const copy = await download(page, page.getByRole('link', { name: /^Download the copy with an Errors/ }));
  expect(copy.name).toBe('July - errors.csv');
  const [head, , , wrong] = copy.content.toString().split('\n');
  expect(head).toMatch(/,Errors$/);
  expect(wrong).toContain('State: Enter a two-letter state code.');

  const mended = csv('July.csv', makeRows(12, 100));
  const [browser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose corrected file' }).click(),
  ]);
  await browser.setFiles(mended);
  await expect(page.getByText('July.csv replaced')).toBeVisible();
  await expect(chosen(page)).toHaveCount(1);
  await expect(page.getByText('No problems in 12 rows.')).toBeVisible();
  await expect(page.getByText('Would be added').locator('..')).toContainText('12');
  await submitRoster(page);
  await returned(page);

  // Other users in the group may have uploaded in the meantime.
  const newest = history(page).filter({ hasText: 'July.csv' }).first();
  await expect(newest).toContainText('University Heights Rehabilitation');
  await expect(newest).toContainText('12 rows');
  const sent = await download(page, newest.getByRole('link', { name: 'July.csv' }));
  expect(sent.name).toBe('July.csv');
  expect(sent.content.equals(mended.buffer)).toBe(true);
});

test('a roster user sends a partial spreadsheet with its problems', async ({ page }) => {
  await openUpload(page, accounts.ROUS);
  await page.getByRole('radio', { name: 'Partial (Add/Change/Term)' }).check();
  await selectGroup(page, 'Group ID: G2025');
  const [add, change, end, wrong] = makeRows(4, 200) as [object, object, object, object];
  await chooseFiles(
    page,
    xlsx('changes.xlsx', [
      { ...add, Action: 'A' },
      { ...change, Action: 'Change' },
      { ...end, Action: 'T', 'Term Date': '03/01/2026' },
      { ...wrong, Action: 'X', NPI: '1234567890' },
    ]),
  );
  await expect(report(page, 'changes.xlsx')).toContainText('The others add 1, change 1 and term 1.');
  await expect(page.getByRole('radio', { name: 'Full' })).toBeDisabled();
  await submitRoster(page);
  await returned(page);
  const row = history(page).filter({ hasText: 'changes.xlsx' });
  await expect(row).toContainText('Partial (A/C/T)');
  await expect(row).toContainText('N/A');
  await expect(row).toContainText('4 rows, 1 with problems');
  const copy = await download(page, row.getByRole('link', { name: 'Copy with errors of changes.xlsx' }));
  expect(copy.name).toBe('changes - errors.xlsx');
  expect(copy.content.subarray(0, 2).toString()).toBe('PK');
});

test('a full roster that would terminate many providers is sent only after confirmation', async ({
  page,
  clerk,
}) => {
  await openUpload(page, clerk.userNm);
  const send = async (rows: number) => {
    await selectGroup(page, 'Bayou Orthopedics (G2040)');
    await chooseFiles(page, csv(`${rows} providers.csv`, makeRows(rows, 300)));
  };
  await send(10);
  await expect(page.getByText('No problems in 10 rows.')).toBeVisible();
  await submitRoster(page);
  await returned(page);

  await page.getByRole('button', { name: 'UPLOAD...' }).click();
  await send(6);
  const question = 'This roster would terminate 4 of 10 providers.';
  await expect(page.getByText(question)).toBeVisible();
  await submitRoster(page);
  await expect(dialog(page)).toContainText(question);
  await dialog(page).getByRole('button', { name: 'Go back' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'SUBMIT' })).toBeFocused();

  // The server asks for confirmation itself if the check didn't finish.
  await page.getByRole('button', { name: 'RESET' }).click();
  await mockReply(page, '**/api/roster/check', 'unanswered');
  await send(6);
  await submitRoster(page);
  await expect(dialog(page)).toContainText(question);
  await dialog(page).getByRole('button', { name: 'Send roster' }).click();
  await returned(page);
  await expect(history(page).filter({ hasText: clerk.userNm })).toHaveCount(2);
});

test('a canceled upload stores nothing and loses nothing', async ({ page, clerk }) => {
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Brazos Valley Physicians (G2030)');
  await chooseFiles(page, scan(4_000_000), csv('a.csv', makeRows(2)));
  await expect(page.getByText('No problems in 2 rows.')).toBeVisible();
  const fast = await slowUploads(page);
  await submitRoster(page);
  const bar = page.getByRole('progressbar', { name: 'Upload' });
  await expect.poll(() => bar.getAttribute('value').then(Number)).toBeGreaterThan(0);
  await expect(page.getByRole('button', { name: 'SUBMIT' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'CANCEL' })).toBeDisabled();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(message(page)).toContainText('Upload stopped.');
  await expect(message(page)).toContainText('No files were stored.');
  await expect(chosen(page)).toHaveCount(2);
  await fast();

  await page.getByRole('button', { name: 'CANCEL' }).click();
  await expect(page.getByText(/^(No records|\d+) found$/).first()).toBeVisible();
  await expect(history(page).filter({ hasText: clerk.userNm })).toHaveCount(0);
});

test('a lost connection loses nothing, and the roster is sent again', async ({ browser, clerk }) => {
  const { url, cut, mend, end } = await startProxy();
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Hill Country Pain Specialists (G2031)');
  await chooseFiles(page, scan(4_000_000));
  const fast = await slowUploads(page);
  await submitRoster(page);
  const bar = page.getByRole('progressbar', { name: 'Upload' });
  await expect.poll(() => bar.getAttribute('value').then(Number)).toBeGreaterThan(0);
  cut();
  await expect(message(page)).toContainText(
    'Error: There was a problem uploading the roster files. Please try again later.',
  );
  mend();
  await fast();
  await expect(chosen(page)).toHaveCount(1);
  await submitRoster(page);
  await returned(page);
  await expect(history(page).filter({ hasText: clerk.userNm })).toHaveCount(1);
  await context.close();
  end();
});

test("the server's error message is shown", async ({ page, clerk }) => {
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Pecos Physical Therapy (G2032)');
  await chooseFiles(page, scan(10));
  await mockReply(page, '**/api/roster/upload', {
    status: 413,
    json: { code: 'too-large', message: 'You can send up to 3 files together.' },
  });
  await submitRoster(page);
  await expect(message(page)).toContainText(
    'Error uploading roster files: You can send up to 3 files together.',
  );
  await restore(page, '**/api/roster/upload');
  await mockReply(page, '**/api/roster/upload', { status: 502, body: '<h1>Bad Gateway</h1>' });
  await submitRoster(page);
  await expect(message(page)).toContainText('Error: There was a problem uploading the roster files.');
  await expect(page.getByRole('button', { name: 'SUBMIT' })).toBeEnabled();
});

test('the rules of the form', async ({ page, clerk }) => {
  await openUpload(page, clerk.userNm);
  await submitRoster(page);
  await expect(message(page)).toContainText(
    'An error has occurred. Please address all fields marked with "Error".',
  );
  await expect(message(page).getByRole('link')).toHaveText([
    'Error: Select Provider Group',
    'Error: Please select at least one file to upload',
  ]);
  await expect(message(page)).toBeFocused();
  await expect(page.getByLabel('Provider Group').locator('option').first()).toHaveText('Select One');
  await expect(page.getByText('Note: Fields marked with an asterisk(*) are required.')).toBeVisible();

  await chooseFiles(page, csv('a.csv', makeRows(1)));
  await expect(page.getByText('Select the provider group to check the files.')).toBeVisible();
  await chooseFiles(page, csv('b.csv', makeRows(1)));
  await expect(chosen(page)).toHaveCount(2);
  await expect(page.getByRole('radio', { name: 'Partial (Add/Change/Term)' })).toBeDisabled();
  await page.getByRole('button', { name: 'Remove a.csv' }).click();
  await page.getByRole('button', { name: 'Remove b.csv' }).click();
  await expect(page.getByRole('radio', { name: 'Partial (Add/Change/Term)' })).toBeEnabled();
  await page.getByRole('radio', { name: 'Partial (Add/Change/Term)' }).check();
  await chooseFiles(page, csv('a.csv', makeRows(1)));
  await page.getByRole('button', { name: 'RESET' }).click();
  await expect(page.getByText('No files selected')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Full' })).toBeChecked();
  await expect(page.getByLabel('Provider Group')).toHaveValue('');
});

test('files dropped on the field are selected, duplicates once', async ({ page, clerk }) => {
  await openUpload(page, clerk.userNm);
  const data = await page.evaluateHandle(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(['x'], 'letter.docx', { lastModified: 1 }));
    return dropped;
  });
  const field = page.getByText('Select one or more files');
  await field.dispatchEvent('drop', { dataTransfer: data });
  await field.dispatchEvent('drop', { dataTransfer: data });
  await expect(chosen(page)).toHaveCount(1);
  await expect(report(page, 'letter.docx')).toContainText('Accepted without a check');
});

test('files that are too large, too many or empty are reported before sending', async ({
  page,
  clerk,
}, info) => {
  let sent = 0;
  page.on('request', (request) => {
    if (/\/api\/roster\/(check|upload)$/.test(request.url())) sent++;
  });
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Delta Family Medicine (G2041)');
  const large = info.outputPath('large.csv');
  const input = page.locator('input[type=file]');
  await input.setInputFiles(scan(0));
  await expect(page.getByText('Error: scan.pdf is empty.')).toBeVisible();
  await page.getByRole('button', { name: 'RESET' }).click();
  writeFileSync(large, Buffer.alloc(50 * 1024 ** 2 + 1));
  await input.setInputFiles(large);
  const tooLarge =
    "Error: large.csv is larger than 50 MB. Split it, or remove data that isn't part of the roster.";
  await expect(page.getByText(tooLarge)).toBeVisible();
  await submitRoster(page);
  await expect(message(page)).toContainText(tooLarge);
  await page.getByRole('button', { name: 'RESET' }).click();
  await chooseFiles(page, ...Array.from({ length: 21 }, (_, n) => ({ ...scan(1), name: `${n}.pdf` })));
  await expect(page.getByText('Error: Send 20 files or fewer at once')).toBeVisible();
  expect(sent).toBe(0);
});

test('hostile names and contents stay text', async ({ page, clerk }) => {
  const name = `=HYPERLINK('x') <img src=x onerror=document.title='broken'>.csv`;
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Allegheny Hand Surgery (G2050)');
  const [row] = makeRows(1, 500, { 'Last Name': '=1+cmd', State: '<b>' });
  await chooseFiles(page, csv(name, [row as object as Record<string, string>]));
  await expect(report(page, name)).toContainText('1 row with problems');
  const copy = await download(page, page.getByRole('link', { name: /^Download the copy with an Errors/ }));
  expect(copy.content.toString()).toContain(`,'=1+cmd,`);
  await submitRoster(page);
  await returned(page);
  await expect(history(page).getByRole('link', { name, exact: true })).toBeVisible();
  const id = await history(page).getByRole('link', { name, exact: true }).getAttribute('href');
  const file = await page.request.get(id ?? '');
  expect(file.headers()['content-disposition']).toMatch(/^attachment;/);
  expect(file.headers()['content-type']).toBe('application/octet-stream');
  expect(await page.title()).not.toBe('broken');
  await expect(page).toHaveURL(/\/wcpp\/ManageRosters$/);
});

test('unreadable files or missing columns are reported, and the files are sent anyway', async ({
  page,
  clerk,
}) => {
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Chesapeake Chiropractic (G2051)');
  const broken = { name: 'broken.xlsx', mimeType: '', buffer: Buffer.from('PK\x03\x04 and nothing else') };
  const bare = {
    name: 'bare.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`NPI|Colour\n${npi(1)}|red\n`),
  };
  await chooseFiles(page, broken, bare, scan(10));
  await expect(report(page, 'broken.xlsx')).toContainText("We can't read this spreadsheet.");
  await expect(report(page, 'bare.txt')).toContainText(/Missing columns: TIN; Address;/);
  await expect(report(page, 'bare.txt')).toContainText('Colour');
  await expect(report(page, 'scan.pdf')).toContainText('Accepted without a check');
  await expect(page.getByText(/^Not compared with the last roster/)).toBeVisible();
  await submitRoster(page);
  await returned(page);
  await expect(history(page)).toContainText(['broken.xlsx']);
});

test('an outdated check is canceled, and a failed one is repeated', async ({ page, clerk }) => {
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/roster/check')) checks++;
  });
  await mockReply(page, '**/api/roster/check', ['unanswered', { status: 503 }, 'served']);
  await openUpload(page, clerk.userNm);
  await selectGroup(page, 'Susquehanna Neurology (G2052)');
  await chooseFiles(page, csv('a.csv', makeRows(3, 700)));
  await expect(page.getByText('a.csv: 0 rows read')).toBeVisible();
  await expect.poll(() => checks).toBe(1);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/roster/check'));
  await chooseFiles(page, csv('b.csv', makeRows(3, 703)));
  await ended;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No problems in 6 rows.')).toBeVisible();
  expect(checks).toBe(3);
});

test('the history sorts, filters and pages', async ({ page, clerk, isad: { request } }) => {
  const headers = { Authorization: `Bearer ${await openSession(request, clerk.userNm)}` };
  for (let n = 1; n <= 6; n++) {
    const sent = await request.post('/api/roster/upload', {
      headers,
      multipart: {
        sourceId: n % 2 ? '206' : '207',
        groupId: n % 2 ? 'G2060' : 'G2070',
        rosterType: n === 4 ? 'delta' : 'full',
        confirmed: 'true',
        files: csv(`roster ${n}.csv`, makeRows(1, 800 + n, { Action: 'A' })),
      },
    });
    expect(sent.status(), await sent.text()).toBe(200);
  }
  await openAs(page, clerk.userNm, '/wcpp/ManageRosters');
  // Other users have sent rosters for the same sources.
  await page.getByLabel('Filter by Uploaded By').fill(clerk.userNm);
  const date = page.getByRole('columnheader', { name: 'Upload Date' });
  await expect(date).toHaveAttribute('aria-sort', 'descending');
  await expect(history(page)).toContainText([6, 5, 4, 3, 2, 1].map((n) => `roster ${n}.csv`));
  await expect(page.getByLabel('Rows per page').locator('option')).toHaveText(['5', '10', '25']);
  await expect(page.getByLabel('Rows per page')).toHaveValue('10');
  await page.getByRole('button', { name: 'File Names' }).click();
  await expect(history(page).first()).toContainText('roster 1.csv');
  await page.getByLabel('Filter by Update Type').fill('partial');
  await expect(history(page)).toHaveCount(1);
  await expect(history(page)).toContainText(['roster 4.csv']);
  await page.getByLabel('Filter by Update Type').fill('');
  await page.getByLabel('Filter by Provider Group').fill('PEORIA');
  await expect(history(page)).toHaveCount(3);
  await page.getByLabel('Filter by Uploaded By').fill('nobody');
  await expect(page.getByText('No rows match the filters')).toBeVisible();
});

test('a roster is claimed by the network, returned, and sent again', async ({ page, clerk, request }) => {
  const headers = { Authorization: `Bearer ${await openSession(request, clerk.userNm)}` };
  const name = `${clerk.userNm} July.csv`;
  const send = async (rows: number) => {
    const sent = await request.post('/api/roster/upload', {
      headers,
      multipart: {
        // Only this test sends this group's rosters, so each is compared with the previous one.
        sourceId: '207',
        groupId: 'G2071',
        rosterType: 'full',
        confirmed: 'true',
        files: csv(name, makeRows(rows, 900)),
      },
    });
    expect(sent.status(), await sent.text()).toBe(200);
  };
  await send(4);
  await send(3);
  await openAs(page, accounts.ISAD, '/wcpp/desk/rosters');
  const rows = page.getByRole('table', { name: 'Rosters' }).locator('tbody').getByRole('row');
  await page.getByLabel('Filter by Files').fill(name);
  await expect(rows).toHaveCount(2);
  await rows.first().getByRole('button', { name: 'Open' }).click();
  const opened = page.getByRole('dialog', { name: /: roster \d+$/ });
  await expect(opened).toContainText(`${clerk.userNm} of Lakeside`);
  await expect(opened.getByText(npi(903))).toBeVisible();
  const file = page.waitForEvent('download');
  await opened.getByRole('link', { name, exact: true }).click();
  expect((await file).suggestedFilename()).toBe(name);
  await opened.getByRole('button', { name: 'Claim' }).click();
  await expect(opened).toContainText('Claimed on');
  await opened.getByRole('button', { name: 'Return' }).click();
  const back = page.getByRole('dialog', { name: /^Return roster/ });
  await back.getByLabel('Problem').fill('The provider of row 5 is missing.');
  await back.getByRole('button', { name: 'Return' }).click();
  await expect(page.getByText('Roster returned. We emailed the sender')).toBeVisible();
  await expect(opened).toContainText('Returned on');
  await page.keyboard.press('Escape');
  await expect(rows.first()).toContainText('Returned');
  await page.reload();
  await expect(rows).toHaveCount(2);

  await openAs(page, clerk.userNm, '/wcpp/ManageRosters');
  // Other users have sent rosters for the same sources.
  await page.getByLabel('Filter by Uploaded By').fill(clerk.userNm);
  const sent = page.getByRole('table', { name: 'Upload History' }).locator('tbody').getByRole('row');
  await expect(sent.first()).toContainText('Returned: The provider of row 5 is missing.');
  await expect(sent.nth(1)).toContainText('Not claimed yet');
});

test('each failed request is reported and can be repeated', async ({ page }) => {
  const failing = [
    [
      '**/api/users/userByName/*',
      'Error: There was a problem retrieving user information. Please try again later.',
    ],
    [
      '**/api/roster/uploadLogs/page',
      'Error: Unable to retrieve roster upload history. Please try again later.',
    ],
    [
      '**/api/roster/source/group/*',
      'Error: Unable to retrieve provider source information. Please try again later.',
    ],
    [
      '**/api/roster/sourceGroup/*',
      'Error: Unable to retrieve provider group information. Please try again later.',
    ],
  ] as const;
  for (const [call] of failing) await mockReply(page, call, { status: 400 });
  await openAs(page, accounts.ROAD, '/wcpp/ManageRosters');
  for (const [call, text] of failing) {
    await expect(page.getByText(text)).toBeVisible();
    await restore(page, call);
    await page.getByText(text).locator('xpath=following::button[1]').click();
    await expect(page.getByText(text)).toHaveCount(0);
    if (call.includes('uploadLogs')) await page.getByRole('button', { name: 'UPLOAD...' }).click();
  }
  await expect(page.getByLabel('Provider Group').locator('option')).not.toHaveCount(1);
});

test("other account types see that it isn't for them", async ({ page }) => {
  for (const userName of [accounts.PRAD, accounts.PRUS, accounts.NNUS, accounts.IRAD]) {
    await openAs(page, userName, '/wcpp/ManageRosters');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }
  await openAs(page, accounts.ISAD, '/wcpp/ManageRosters');
  await expect(page.getByText("Your account isn't in a roster group")).toBeVisible();
});

test('by keyboard, in a narrow window', async ({ page, clerk }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, clerk.userNm, '/wcpp/ManageRosters');
  // Awaited early, so that the browser is ready long before the key that opens it.
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'UPLOAD...' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Download template' })).toBeFocused();
  await page.keyboard.press('Tab');
  // A list that hasn't loaded takes no keys.
  await expect(page.getByLabel('Provider Group').locator('option', { hasText: 'Humboldt' })).toBeAttached();
  await page.keyboard.type('Humboldt');
  await expect(page.getByLabel('Provider Group')).toHaveValue('20701');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Partial (Add/Change/Term)' })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'BROWSE...' })).toBeFocused();
  await page.keyboard.press('Enter');
  await (await chosen).setFiles([csv('a.csv', makeRows(2, 900))]);
  await expect(page.getByText('2 of 2 rows with problems', { exact: false })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.getByRole('button', { name: 'BROWSE...' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Remove a.csv' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'SUBMIT' })).toBeFocused();
  await page.keyboard.press('Enter');
  await returned(page);
});

test('a double click on UPLOAD... only opens the form', async ({ page, clerk }) => {
  await openAs(page, clerk.userNm, '/wcpp/ManageRosters');
  let downloads = 0;
  page.on('download', () => downloads++);
  await page.getByRole('button', { name: 'UPLOAD...' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Upload Roster' })).toBeVisible();
  await page.getByRole('button', { name: 'CANCEL' }).click();
  await expect(page.getByRole('button', { name: 'UPLOAD...' })).toBeFocused();
  // Everything it started has begun before the template is requested.
  await page.getByRole('button', { name: 'UPLOAD...' }).click();
  await download(page, page.getByRole('link', { name: 'Download template' }));
  expect(downloads).toBe(1);
});
