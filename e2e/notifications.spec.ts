import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { accounts, test as base, expect, getMenu, openAs, openSession } from './portal';
import { clickTwice, mockReply, restore } from './replies';
import { type Portal, startPortal } from './start';
import { dateIn, zone } from './zone';

const [year, month, day] = dateIn(zone).slice(0, 10).split('-');
const today = `${month}/${day}/${year}`;

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

// One after the other in their own portal: notification administrators see everyone's
// notifications.
test.describe.configure({ mode: 'default' });

interface Notification {
  wcp_notification_id: number;
  name: string;
  campaign: string;
  status: string;
  userNotList: string;
  lastUpdate: string;
}

/** The name of the business time zone. */
const zoneName = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
  .format(new Date())
  .replace(/^.*, /, '');

const link = 'https://news.example.com/offices';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const clickButton = (page: Page, name: string) => button(page, name).click();
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`));
const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row');
const notification = (page: Page, name: string) =>
  rows(page, 'All Notifications').filter({ has: page.getByRole('cell', { name, exact: true }) });

async function runRowAction(page: Page, name: string, action: string) {
  await button(page, `Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function confirm(page: Page, question: string, answer: 'CONTINUE' | 'CANCEL') {
  await expect(page.getByRole('dialog', { name: question })).toBeVisible();
  await dialog(page).getByRole('button', { name: answer }).click();
  await expect(dialog(page)).toHaveCount(0);
}
const recall = 'UN-PUBLISH will recall this notification from its recipients. Do you want to continue?';
const removal = 'DELETE will remove this notification. Do you want to continue?';

async function fill(page: Page, name: string, sendDate = '') {
  await field(page, 'Notification Name').fill(name);
  await field(page, 'Campaign').fill('Provider news');
  await field(page, 'Notification Link').fill(link);
  await field(page, 'Notification Send Date').fill(sendDate);
}

/** Finds users by a criterion, from the list of recipients. */
async function search(page: Page, criterion: string, typed: string) {
  if (await page.getByRole('heading', { name: 'Search recipients' }).isHidden())
    await clickButton(page, 'SEARCH RECIPIENTS');
  await page.getByLabel(criterion, { exact: true }).fill(typed);
  await clickButton(page, 'SEARCH RECIPIENTS');
}

async function choose(page: Page, ...userNames: string[]) {
  await clickButton(page, 'MANAGE RECIPIENTS');
  await search(page, 'Usernames (comma separated)', userNames.join(', '));
  await expect(rows(page, 'Users Found')).toHaveCount(userNames.length);
  await page.getByRole('button', { name: 'SELECT ALL' }).first().click();
  await clickButton(page, 'ADD SELECTED');
  await clickButton(page, 'CLOSE');
  await clickButton(page, 'CLOSE');
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
}

const open = (page: Page) => openAs(page, accounts.ISAD, '/wcpp/Notifications');

/** The draft in the history, which is encrypted again each time. */
const readStoredDraft = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => history.state.sealed?.draft?.text);

/**
 * Waits until the history has a different draft: encrypting takes a while, and the draft is
 * complete once it stops changing.
 */
async function waitUntilStored(page: Page, before?: string) {
  let last: string | undefined;
  await expect
    .poll(
      async () => {
        const text = await readStoredDraft(page);
        const isStored = text !== undefined && text !== before && text === last;
        last = text;
        return isStored;
      },
      { intervals: [600] },
    )
    .toBe(true);
}

/** Sends a request outside the browser. */
async function send(request: APIRequestContext, token: string, method: string, path: string, data?: object) {
  const answer = await request.fetch(`/api/${path}`, {
    method,
    data,
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return answer;
}
const listed = async (page: Page, token: string): Promise<Notification[]> =>
  (await send(page.request, token, 'GET', 'notifications/list')).json();

/** A complete notification to prus.demo, created outside the browser. */
async function make(page: Page, token: string, name: string): Promise<Notification> {
  const found = await send(page.request, token, 'POST', 'admin/userList', {
    userName: accounts.PRUS,
    isUserNames: true,
  });
  const [{ id }] = await found.json();
  const made = await send(page.request, token, 'PUT', 'notifications/create', {
    name,
    campaign: 'Provider news',
    link,
    userNotList: String(id),
  });
  return made.json();
}

/** The notifications in prus.demo's bell. */
async function received(request: APIRequestContext): Promise<string[]> {
  const token = await openSession(request, accounts.PRUS);
  const session = await (await send(request, token, 'GET', 'session')).json();
  const own = await send(request, token, 'GET', `notifications/user/${session.user.id}`);
  return (await own.json()).map(({ name }: Notification) => name);
}

async function shown(page: Page, name: string, status: string) {
  await expect(async () => {
    await page.reload();
    await expect(notification(page, name)).toContainText(status, { timeout: 2_000 });
  }).toPass();
}

test.describe('a notification', () => {
  test("is a draft until it's complete, and always has a name", async ({ page }) => {
    await open(page);
    await field(page, 'Campaign').fill('Nameless');
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification Created.');
    await expect(message(page)).toBeFocused();
    await expect(notification(page, 'Provider Portal Notification')).toContainText('DRAFT');
    await expect(field(page, 'Campaign')).toHaveValue('');
  });

  test('is ready when it is complete, and scheduled with a date', async ({ page }) => {
    await open(page);
    await fill(page, 'Complete');
    await expect(page.getByText('Still missing: recipients.')).toBeVisible();
    await choose(page, accounts.PRUS, accounts.PRAD);
    await expect(page.getByText('2 recipients selected')).toBeVisible();
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification Created.');
    await expect(notification(page, 'Complete')).toContainText('READY');

    await runRowAction(page, 'Complete', 'EDIT');
    await expect(page.getByRole('heading', { name: 'Edit notification' })).toBeFocused();
    await expect(field(page, 'Notification Link')).toHaveValue(link);
    await field(page, 'Notification Send Date').fill('12-31-2099');
    await clickButton(page, 'UPDATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification updated.');
    await expect(message(page)).toContainText(`will be sent on 12/31/2099 at 8:00 am ${zoneName}.`);
    await expect(notification(page, 'Complete')).toContainText('SCHEDULED');
    await expect(notification(page, 'Complete')).toContainText('12/31/2099');
    await expect(button(page, 'CREATE NOTIFICATION')).toBeVisible();
  });

  test('of today is sent, locked, and withdrawn with UN-PUBLISH', async ({ page, playwright, portal }) => {
    const reader = await playwright.request.newContext({ baseURL: portal.url });
    await open(page);
    await fill(page, 'For today', today);
    await choose(page, accounts.PRUS);
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification Created.');
    await expect(message(page)).toContainText(
      `will be sent right away, because 8:00 am ${zoneName} on its send date has passed.`,
    );
    await shown(page, 'For today', 'SENT');
    expect(await received(reader)).toContain('For today');

    await button(page, 'Actions for For today').click();
    await expect(page.getByRole('menuitem')).toHaveText(['EDIT', 'UN-PUBLISH']);
    await page.keyboard.press('Escape');
    await runRowAction(page, 'For today', 'EDIT');
    for (const label of [
      'Notification Name',
      'Campaign',
      'Requested by',
      'Notification Link',
      'Notification Send Date',
    ])
      await expect(field(page, label)).toBeDisabled();
    await expect(button(page, 'UPDATE NOTIFICATION')).toBeDisabled();
    await expect(page.getByText(/^This notification was sent, so you can't change it/)).toBeVisible();
    await clickButton(page, 'MANAGE RECIPIENTS');
    await expect(rows(page, 'Selected Recipients')).toContainText([accounts.PRUS]);
    await expect(button(page, 'SEARCH RECIPIENTS')).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await clickButton(page, 'CLOSE');

    await runRowAction(page, 'For today', 'UN-PUBLISH');
    await confirm(page, recall, 'CANCEL');
    expect(await received(reader)).toContain('For today');
    await runRowAction(page, 'For today', 'UN-PUBLISH');
    await confirm(page, recall, 'CONTINUE');
    await expect(message(page)).toContainText('was recalled from its recipients.');
    await expect(notification(page, 'For today')).toContainText('READY');
    await expect(notification(page, 'For today').getByRole('cell').nth(4)).toHaveText('');
    expect(await received(reader)).not.toContain('For today');
    // The form's notification can be edited now.
    await expect(field(page, 'Campaign')).toBeEnabled();
    await expect(field(page, 'Notification Send Date')).toHaveValue('');
    await reader.dispose();
  });

  test('is deleted with DELETE, but not after CANCEL', async ({ page }) => {
    const token = await openSession(page.request, accounts.ISAD);
    await make(page, token, 'To be removed');
    await open(page);
    await runRowAction(page, 'To be removed', 'DELETE');
    await confirm(page, removal, 'CANCEL');
    await expect(notification(page, 'To be removed')).toBeVisible();
    await runRowAction(page, 'To be removed', 'DELETE');
    await expect(dialog(page)).toContainText('To be removed');
    await confirm(page, removal, 'CONTINUE');
    await expect(message(page)).toContainText('“To be removed” was deleted.');
    await expect(notification(page, 'To be removed')).toHaveCount(0);
  });

  test('is created once on a double click', async ({ page }) => {
    const token = await open(page);
    await fill(page, 'Twice');
    await clickTwice(button(page, 'CREATE NOTIFICATION'), '**/api/notifications/create');
    await expect(message(page)).toContainText('Notification Created.');
    const made = (await listed(page, token)).filter(({ name }) => name === 'Twice');
    expect(made).toHaveLength(1);
  });

  test("that another user changed isn't overwritten, and the input stays", async ({
    page,
    playwright,
    portal,
  }) => {
    const token = await openSession(page.request, accounts.ISAD);
    const made = await make(page, token, 'Of two');
    await open(page);
    await runRowAction(page, 'Of two', 'EDIT');
    await field(page, 'Campaign').fill('Mine');
    const other = await playwright.request.newContext({ baseURL: portal.url });
    const otherToken = await openSession(other, accounts.ISAD);
    await send(other, otherToken, 'PUT', 'notifications/update', { ...made, campaign: 'Theirs' });
    await clickButton(page, 'UPDATE NOTIFICATION');
    await expect(message(page)).toContainText('Someone else saved changes while you were editing.');
    await expect(page.getByRole('row', { name: 'Campaign Theirs Mine' })).toBeVisible();
    await expect(message(page)).toBeFocused();
    await expect(field(page, 'Campaign')).toHaveValue('Mine');
    await expect(notification(page, 'Of two')).toContainText('Theirs');
    await clickButton(page, 'Apply mine');
    await expect(message(page)).toContainText('Notification updated.');
    await expect(notification(page, 'Of two')).toContainText('Mine');

    // A deleted one stays in the form as a new one.
    await runRowAction(page, 'Of two', 'EDIT');
    await field(page, 'Campaign').fill('Kept');
    await send(other, otherToken, 'DELETE', `notifications/delete/${made.wcp_notification_id}`);
    await clickButton(page, 'UPDATE NOTIFICATION');
    await expect(message(page)).toContainText('Another administrator deleted this notification.');
    await expect(field(page, 'Campaign')).toHaveValue('Kept');
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(notification(page, 'Of two')).toContainText('Kept');
    await other.dispose();
  });

  test("isn't lost when saving fails", async ({ page }) => {
    await open(page);
    await fill(page, 'Retrying', '12/31/2099');
    await mockReply(page, '**/api/notifications/create', 'lost');
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toHaveText(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
    await expect(field(page, 'Notification Name')).toHaveValue('Retrying');
    await expect(field(page, 'Notification Send Date')).toHaveValue('12/31/2099');
    await restore(page, '**/api/notifications/create');
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification Created.');
    await expect(notification(page, 'Retrying')).toHaveCount(1);
  });
});

test.describe('the form', () => {
  test('marks invalid fields', async ({ page }) => {
    const token = await open(page);
    const before = await listed(page, token);
    await field(page, 'Notification Name').focus();
    await page.keyboard.press('Tab');
    await expect(page.getByText('Error: Enter Notification name')).toBeVisible();
    await field(page, 'Notification Link').fill('javascript:alert(1)');
    await field(page, 'Notification Send Date').fill('01/02/2020');
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page).getByRole('link')).toHaveText([
      'Error: Enter a Notification Link that starts with http:// or https://',
      'Error: Enter a valid Notification Send Date',
    ]);
    await expect(message(page)).toBeFocused();
    await message(page).getByRole('link').last().click();
    await expect(field(page, 'Notification Send Date')).toBeFocused();
    expect(await listed(page, token)).toEqual(before);
  });

  test('preserves long text, and shows the limit', async ({ page }) => {
    await open(page);
    for (const [label, most] of [
      ['Notification Name', 64],
      ['Campaign', 64],
      ['Requested by', 22],
    ] as const) {
      await field(page, label).fill('x'.repeat(most + 3));
      await field(page, label).blur();
      await expect(field(page, label)).toHaveValue('x'.repeat(most + 3));
      await expect(page.getByText(`Error: Use ${most} characters or fewer`).last()).toBeVisible();
    }
    await expect(page.getByRole('checkbox', { name: 'Send Email' })).toBeDisabled();
    await clickButton(page, 'RESET');
    await expect(field(page, 'Campaign')).toHaveValue('');
  });

  test('is restored by Reload, Back and the link to the recipients', async ({ page }) => {
    await open(page);
    await fill(page, 'Kept', '12/31/2099');
    await waitUntilStored(page);
    expect(JSON.stringify(await page.evaluate(() => history.state))).not.toContain('Kept');
    await page.reload();
    await expect(field(page, 'Notification Name')).toHaveValue('Kept');

    await clickButton(page, 'MANAGE RECIPIENTS');
    await search(page, 'Usernames (comma separated)', accounts.PRUS);
    await page.getByRole('checkbox', { name: `Select ${accounts.PRUS}` }).check();
    await clickButton(page, 'ADD SELECTED');
    await expect(page.getByText('1 recipient added.')).toBeVisible();
    await expect.poll(() => page.evaluate(() => history.state.kept?.criteria.userNames)).toBe(accounts.PRUS);
    await page.reload();
    await expect(rows(page, 'Selected Recipients')).toContainText([accounts.PRUS]);
    await expect(page.getByLabel('Usernames (comma separated)')).toHaveValue(accounts.PRUS);
    await expect(rows(page, 'Users Found')).toContainText(['Selected']);

    await page.goBack();
    await expect(page.getByText('1 recipient selected')).toBeVisible();
    await expect(field(page, 'Notification Send Date')).toHaveValue('12/31/2099');
    await page.goForward();
    await expect(rows(page, 'Selected Recipients')).toHaveCount(1);
    expect(page.url()).toMatch(/\/wcpp\/ManageRecipients$/);
  });

  test('works by keyboard alone', async ({ page }) => {
    await open(page);
    await getMenu(page).getByRole('link', { name: 'Notifications' }).focus();
    const type = async (text: string) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    };
    await expect(field(page, 'Notification Name')).toBeVisible();
    await type('By keyboard');
    await expect(field(page, 'Notification Name')).toHaveValue('By keyboard');
    await type('Keys');
    await type('Operations');
    await type(link);
    await type('12/31/2099');
    for (const name of ['Select a date', 'MANAGE RECIPIENTS']) {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('button', { name })).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Manage Notification Recipients' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(button(page, 'SEARCH RECIPIENTS')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Search recipients' })).toBeFocused();
    await type('*prus.demo');
    await page.keyboard.press('Enter');
    await expect(rows(page, 'Users Found')).toHaveCount(1);
    await page.getByRole('checkbox', { name: `Select ${accounts.PRUS}` }).focus();
    await page.keyboard.press('Space');
    await button(page, 'ADD SELECTED').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 recipient added.')).toBeVisible();
    await button(page, 'CLOSE').focus();
    await page.keyboard.press('Enter');
    await expect(button(page, 'SEARCH RECIPIENTS')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 recipient selected')).toBeVisible();
    await field(page, 'Notification Name').focus();
    await page.keyboard.press('Enter');
    await expect(message(page)).toContainText('Notification Created.');

    await button(page, 'Actions for By keyboard').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'EDIT' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'DELETE' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(button(page, 'Actions for By keyboard')).toBeFocused();
  });

  test('works in a narrow window', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await open(page);
    await fill(page, 'Narrow');
    await choose(page, accounts.PRUS);
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification Created.');
    await page.getByLabel('Filter by Notification Name').fill('Narrow');
    await runRowAction(page, 'Narrow', 'EDIT');
    await expect(page.getByRole('heading', { name: 'Edit notification' })).toBeInViewport();
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  });
});

test.describe('everyone who matches', () => {
  test("gets it, except excluded users; decided when it's sent", async ({ page, playwright, portal }) => {
    const name = `To all ${Date.now()}`;
    await open(page);
    await fill(page, name, today);
    await clickButton(page, 'MANAGE RECIPIENTS');
    await page.getByRole('radio', { name: 'Everyone who matches' }).check();
    await page.getByLabel('Account Types').fill('Provider User');
    await page.getByRole('option', { name: 'Provider User', exact: true }).click();
    await page.keyboard.press('Escape');
    const before = await readStoredDraft(page);
    await clickButton(page, 'COUNT');
    await expect(page.getByText(/^\d+ users? match(es)? now: Provider User\.$/)).toBeVisible();
    // The response can arrive before the count is stored.
    await waitUntilStored(page, before);
    await page.reload();
    await expect(page.getByText(/^\d+ users? match(es)? now: Provider User\.$/)).toBeVisible();
    await clickButton(page, 'CLOSE');
    await expect(page.getByText(/^Everyone who matches: Provider User/)).toBeVisible();
    await clickButton(page, 'CREATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification Created.');
    await shown(page, name, 'SENT');
    const reader = await playwright.request.newContext({ baseURL: portal.url });
    expect(await received(reader)).toContain(name);

    await runRowAction(page, name, 'EDIT');
    await expect(
      page.getByText(/^Everyone who matches: Provider User \(sent to \d+ recipients?\)$/),
    ).toBeVisible();
    await runRowAction(page, name, 'UN-PUBLISH');
    await confirm(page, recall, 'CONTINUE');
    await expect(notification(page, name)).toContainText('READY');
    expect(await received(reader)).not.toContain(name);

    await clickButton(page, 'MANAGE RECIPIENTS');
    await search(page, 'Usernames (comma separated)', accounts.PRUS);
    await expect(rows(page, 'Users Found')).toHaveCount(1);
    await page.getByRole('checkbox', { name: `Select ${accounts.PRUS}` }).check();
    await clickButton(page, 'EXCLUDE SELECTED');
    await expect(page.getByText('1 recipient excluded.')).toBeVisible();
    await expect(page.getByText(/1 excluded users would match\.$/)).toBeVisible();
    await clickButton(page, 'CLOSE');
    await clickButton(page, 'CLOSE');
    await expect(page.getByText(/1 excluded/)).toBeVisible();
    await field(page, 'Notification Send Date').fill(today);
    await clickButton(page, 'UPDATE NOTIFICATION');
    await expect(message(page)).toContainText('Notification updated.');
    await shown(page, name, 'SENT');
    expect(await received(reader)).not.toContain(name);
    await reader.dispose();
  });

  test("isn't counted by an untouched form", async ({ page }) => {
    const token = await open(page);
    const before = await listed(page, token);
    await clickButton(page, 'CREATE NOTIFICATION');
    await confirm(
      page,
      'The form is blank. CREATE NOTIFICATION will save an empty draft. Do you want to continue?',
      'CANCEL',
    );
    expect(await listed(page, token)).toEqual(before);
  });
});

test("the table filters and sorts, and shows when it can't load", async ({ page }) => {
  const token = await openSession(page.request, accounts.ISAD);
  for (const name of ['Sorted B', 'Sorted A']) await make(page, token, name);
  await open(page);
  await page.getByLabel('Filter by Notification Name').fill('sorted');
  const names: Locator = rows(page, 'All Notifications');
  await expect(names).toContainText(['Sorted A', 'Sorted B']);
  await page.getByRole('columnheader', { name: 'Notification Name' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Notification Name' }).getByRole('button').click();
  await expect(names).toContainText(['Sorted B', 'Sorted A']);
  await page.getByLabel('Filter by Status').fill('sent');
  await expect(page.getByText('No rows match the filters')).toBeVisible();

  await mockReply(page, '**/api/notifications/list', { status: 400 });
  await page.reload();
  await expect(
    page.getByText('Error: An error has occurred. Please try again or contact Customer Service.'),
  ).toBeVisible();
  await restore(page, '**/api/notifications/list');
  await clickButton(page, 'Try again');
  await expect(notification(page, 'Sorted A')).toBeVisible();
});

test.describe('recipients', () => {
  test('are found by each criterion', async ({ page }) => {
    const token = await open(page);
    const found = await send(page.request, token, 'POST', 'admin/userList', {
      userName: accounts.PRUS,
      isUserNames: true,
    });
    const [prus] = await found.json();
    const tins = await send(page.request, token, 'GET', `ftin/userFtins/${accounts.PRUS}?activeFlag=true`);
    const [{ ftin }] = await tins.json();
    await clickButton(page, 'MANAGE RECIPIENTS');
    await clickButton(page, 'SEARCH RECIPIENTS');
    const labels = [
      'Email Address',
      'Tax ID Number (TIN)',
      'Group ID',
      'Status',
      'Usernames (comma separated)',
    ];
    for (const [label, typed] of [
      ['Email Address', prus.emailAddr],
      ['Email Address', '*PRUS.demo'],
      ['Tax ID Number (TIN)', ftin],
      ['Group ID', String(prus.grpInfoId)],
      ['Status', 'active'],
      ['Usernames (comma separated)', `nobody, ${accounts.PRUS.toUpperCase()} `],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(typed);
      for (const other of labels)
        await expect(page.getByLabel(other, { exact: true })).toBeEnabled({ enabled: other === label });
      await clickButton(page, 'SEARCH RECIPIENTS');
      await page.getByLabel('Filter by Username').first().fill(accounts.PRUS);
      await expect(rows(page, 'Users Found')).toHaveCount(1);
      await expect(rows(page, 'Users Found')).toContainText(prus.emailAddr);
      await clickButton(page, 'RESET');
      await expect(page.getByRole('table', { name: 'Users Found' })).toHaveCount(0);
    }
    await search(page, 'Usernames (comma separated)', `nobody, ${accounts.PRUS}`);
    await expect(page.getByText('Not found: nobody.')).toBeVisible();
  });

  test('are added once, paged, sorted and removed', async ({ page }) => {
    await open(page);
    await clickButton(page, 'MANAGE RECIPIENTS');
    await search(page, 'Status', 'Active');
    await expect(rows(page, 'Users Found')).toHaveCount(10);
    const sizes = page.getByLabel('Rows per page').first();
    await expect(sizes.getByRole('option')).toHaveText(['5', '10', '25', '50', '100', '200']);
    await sizes.selectOption('5');
    await expect(rows(page, 'Users Found')).toHaveCount(5);
    await page.getByRole('button', { name: 'SELECT ALL' }).first().click();
    await clickButton(page, 'ADD SELECTED');
    const message = page.getByText(/^\d+ recipients added\.$/);
    const count = Number.parseInt((await message.textContent()) ?? '', 10);
    expect(count).toBeGreaterThan(10);
    await expect(page.getByText(`${count} found`)).toHaveCount(2);
    // Everyone is already selected.
    await search(page, 'Status', 'Active');
    await expect(page.getByRole('checkbox', { name: 'Select all rows' }).first()).toBeDisabled();
    await expect(rows(page, 'Users Found').first()).toContainText('Selected');

    await clickButton(page, 'CLOSE');
    await page.getByLabel('Filter by Username').fill(accounts.PRUS);
    await clickButton(page, 'SELECT ALL');
    await clickButton(page, 'REMOVE SELECTED');
    await expect(page.getByText('1 recipient removed.')).toBeVisible();
    await clickButton(page, 'Clear filters');
    await expect(page.getByText(`${count - 1} found`)).toBeVisible();
    await clickButton(page, 'CLOSE');
    await expect(page.getByText(`${count - 1} recipients selected`)).toBeVisible();
  });

  test('are rejected without a criterion, or with an invalid one', async ({ page }) => {
    await open(page);
    await clickButton(page, 'MANAGE RECIPIENTS');
    await clickButton(page, 'SEARCH RECIPIENTS');
    await clickButton(page, 'SEARCH RECIPIENTS');
    await expect(message(page)).toHaveText(
      'Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID',
    );
    for (const [label, typed, text] of [
      ['Group ID', '12a', 'Error: Enter numeric only for Group ID field'],
      ['Usernames (comma separated)', 'ab', 'Error: Enter a minimum of 3 characters in usernames field'],
      ['Email Address', '*ab', 'Error: Enter at least 3 characters after the *'],
    ] as const) {
      await search(page, label, typed);
      await expect(message(page)).toHaveText(text);
      await clickButton(page, 'RESET');
    }
    await search(page, 'Group ID', '999999999');
    await expect(
      page.getByText(
        'There are no users available for the criteria entered. Please revise your search criteria.',
      ),
    ).toBeVisible();
    await mockReply(page, '**/api/admin/userList', 'lost');
    await clickButton(page, 'SEARCH RECIPIENTS');
    await expect(
      page.getByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeVisible();
    await restore(page, '**/api/admin/userList');
    await clickButton(page, 'Try again');
    await expect(page.getByText(/^There are no users available/)).toBeVisible();
  });

  test("don't exist without a notification", async ({ page }) => {
    await openAs(page, accounts.ISAD, '/wcpp/ManageRecipients');
    await expect(page).toHaveURL(/\/wcpp\/Notifications$/);
  });
});

test.describe('other accounts', () => {
  for (const type of ['PRAD', 'PRUS', 'NNUS', 'ROAD', 'ROUS', 'IRAD'] as const)
    test(`of type ${type} are rejected`, async ({ page }) => {
      const token = await openAs(page, accounts[type], '/wcpp/ManageRecipients');
      await expect(page.getByText("You don't have access")).toBeVisible();
      await expect(button(page, 'SEARCH RECIPIENTS')).toHaveCount(0);
      const answer = await page.request.get('/api/notifications/list', {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(answer.status()).toBe(403);
      await page.goto('/wcpp/Notifications');
      await expect(page).toHaveURL(/\/wcpp\/login$/);
    });
});
