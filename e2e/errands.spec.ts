import { type FileChooser, type Locator, type Page, test as playwright } from '@playwright/test';
import { test as base, randomName, requestAccount } from './people';
import { accounts, expect, openAs, openSession } from './portal';
import { csv, makeRows } from './rosters';
import { openBills, showOpenBills } from './screens/openbills';

/** Counts a user's actions: each click, each filled-in field, each key. */
class ActionCounter {
  actions = 0;
  constructor(readonly page: Page) {}
  async press(what: Locator) {
    this.actions++;
    await what.click();
  }
  async fill(what: Locator, text: string) {
    this.actions++;
    await what.fill(text);
  }
  async select(what: Locator, index: number) {
    this.actions++;
    await what.selectOption({ index });
  }
  async key(name: string) {
    this.actions++;
    await this.page.keyboard.press(name);
  }
  async back() {
    this.actions++;
    await this.page.goBack();
  }
  /** Opens a Workspace screen by its name. */
  async open(name: string) {
    await this.press(this.page.getByRole('button', { name: 'Workspace' }));
    await this.press(
      this.page.getByRole('dialog', { name: 'Workspace' }).getByRole('option', { name, exact: true }),
    );
  }
  /** Searches in the desk's only field. */
  async search(number: string) {
    await this.fill(this.page.getByLabel('Any number'), number);
    await this.key('Enter');
  }
}

const test = base.extend<{ hand: ActionCounter; within: (name: string, most: number) => Promise<void> }>({
  hand: async ({ page }, use) => use(new ActionCounter(page)),
  // Reports the number of actions for a task, and saves a screenshot if requested.
  within: async ({ hand, page }, use) => {
    await use(async (name, most) => {
      if (process.env.PICTURES) await page.screenshot({ path: `shots/errands/${name}.png` });
      playwright.info().annotations.push({ type: name, description: `${hand.actions} actions` });
      expect(hand.actions, name).toBeLessThanOrEqual(most);
      hand.actions = 0;
    });
  },
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

test('five calls to a call center, each answered in a few actions', async ({
  page,
  request,
  office,
  hand,
  within,
  specimens,
}) => {
  const caller = await office.add('PRUS');
  for (let n = 0; n < 5; n++)
    await request.post('/api/authenticate', {
      data: { username: caller.userNm, password: 'Wrong-Day-1999' },
    });
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRUS)}` };
  const paid = await request.post('/api/remittances/search', {
    headers,
    data: { table: { page: 0, pageSize: 1 } },
  });
  const { rows } = await paid.json();
  const check: string = rows[0].number;

  await openAs(page, accounts.ISAD, '/wcpp/desk');
  await expect(button(page, 'Change').or(button(page, 'Start session'))).toBeVisible();
  if (await button(page, 'Change').isVisible()) await button(page, 'Change').click(); // from another test

  // "Has my bill been paid?"
  const number = specimens.paid.billControlNumber;
  await hand.press(button(page, 'Start session'));
  await hand.search(number);
  await expect(heading(page, `Bill ${number}`)).toBeVisible();
  await expect(page.getByText(/^Paid/).first()).toBeVisible();
  await within('call 1, the bill', 3);

  // "What does this check pay?"
  await hand.back();
  await hand.search(check);
  await expect(heading(page, new RegExp(check))).toBeVisible();
  await within('call 2, the check', 3);

  // "I can't sign in."
  await hand.back();
  await hand.search(caller.userNm);
  await expect(page.getByText(/^Locked until .* after 5 wrong passwords/)).toBeVisible();
  await within('call 3, who cannot sign in', 3);

  // "Which of us can change my Tax IDs?"
  await hand.search(office.tin);
  await expect(page.getByText(`1 Tax ID: ${office.tin}`)).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Users in this office' }).getByText(office.admin.userNm),
  ).toBeVisible();
  await within('call 4, the office', 2);

  // "I see something odd on my screen."
  await hand.press(button(page, office.admin.userNm));
  await hand.press(button(page, `Act as ${office.admin.userNm}`));
  await expect(button(page, 'Revert')).toBeVisible();
  await within('call 5, their screen', 2);
  await button(page, 'Revert').click();
  await button(page, 'YES').click();
  await expect(button(page, 'Revert')).toHaveCount(0);
});

test('five mornings of operations, each done in a few actions', async ({
  page,
  isad,
  office,
  create,
  request,
  hand,
  within,
}) => {
  const last = randomName();
  for (const firstName of ['Ada', 'Rita'])
    await requestAccount(
      isad.request,
      `${firstName}${last}@example.com`.toLowerCase(),
      firstName,
      last,
      office.tin,
    );
  const clerk = await create({
    typeCd: 'ROAD',
    selectedRosterSources: [{ sourceId: 206, sourceName: '' }],
  });
  const roster = `${clerk.userNm} November.csv`;
  const sent = await request.post('/api/roster/upload', {
    headers: { Authorization: `Bearer ${await openSession(request, clerk.userNm)}` },
    multipart: {
      sourceId: '206',
      groupId: 'G2060',
      rosterType: 'delta',
      confirmed: 'true',
      files: { name: roster, mimeType: 'text/csv', buffer: Buffer.from('NPI\n') },
    },
  });
  expect(sent.status(), await sent.text()).toBe(200);
  const queue = (name: string) =>
    page.getByRole('region', { name: 'Queues' }).getByRole('link', { name: new RegExp(`^${name} [\\d,]+`) });
  const home = () => openAs(page, accounts.ISAD, '/wcpp/home');

  // Someone requests an account, although their office has an administrator to ask.
  await home();
  await hand.press(queue('Account requests'));
  await hand.press(button(page, `Decline Rita ${last}`));
  await hand.fill(page.getByLabel('Reason'), 'This office has an administrator.');
  await hand.press(button(page, 'Decline'));
  await expect(button(page, `Decline Rita ${last}`)).toHaveCount(0);
  await within('morning 1, an account request', 4);

  // Two people request an account, and their Tax ID belongs to an office.
  await home();
  await hand.press(queue('Account requests'));
  await hand.press(button(page, `Approve Ada ${last}`));
  await expect(page.getByLabel('Account Type')).toHaveValue('PRUS');
  await hand.press(button(page, 'CREATE USER'));
  await expect(page.getByText(/approved\. This is the next one\.$|^Ada \S+ added$/)).toBeVisible();
  await within('morning 1, an account request approved', 3);

  // A roster has arrived.
  await home();
  await hand.press(queue('Unclaimed rosters'));
  await hand.fill(page.getByLabel('Filter by Files'), roster);
  const row = page.getByRole('table', { name: 'Rosters' }).locator('tbody').getByRole('row');
  await expect(row).toHaveCount(1);
  await hand.press(row.getByRole('button', { name: 'Open' }));
  const opened = page.getByRole('dialog', { name: /: roster \d+$/ });
  await hand.press(opened.getByRole('button', { name: 'Claim' }));
  await expect(opened).toContainText('Claimed on');
  await within('morning 2, a roster', 4);
  await home();

  // The sender's next roster has an error. They correct the file and send it.
  await openAs(page, clerk.userNm);
  const select = async (open: Locator, file: Parameters<FileChooser['setFiles']>[0]) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.press(open)]);
    await chooser.setFiles(file);
  };
  await hand.press(page.getByRole('link', { name: 'Manage Rosters' }).first());
  await hand.press(button(page, 'UPLOAD...'));
  await hand.select(page.getByLabel('Provider Group'), 1);
  await select(button(page, 'BROWSE...'), csv('December.csv', makeRows(1, 1, { State: 'ZZ' })));
  await select(button(page, 'Choose corrected file'), csv('December.csv', makeRows(1)));
  await expect(page.getByText('No problems in 1 row.')).toBeVisible();
  await hand.press(button(page, 'SUBMIT'));
  await expect(page.getByText('Roster file has been uploaded successfully.')).toBeVisible();
  await within('morning 2, a roster wrong, then right', 6);
  await home();

  // The overnight imports, and their problems.
  await hand.open('Imports');
  const files = page.getByRole('table', { name: 'Files' });
  await hand.press(files.getByRole('button', { name: /\.(edi|csv|837|835|x12)$/ }).first());
  await expect(page.getByRole('dialog').getByText('Records', { exact: true })).toBeVisible();
  await within('morning 3, the files of the night', 3);
  await home();

  // Is the quality unchanged?
  await hand.open('Data quality');
  await expect(heading(page, /quality/i)).toBeVisible();
  await within('morning 4, how good it was', 2);
  await home();

  // A payment without a matching bill.
  await hand.open('Unmatched payments');
  const payment = page
    .getByRole('table', { name: 'Payments to match' })
    .getByRole('row', { name: /Samuel Mason/ });
  await expect(payment.getByText(/^Account number: /).first()).toBeVisible();
  hand.actions = 0;
  await hand.press(payment.getByRole('button', { name: /^Match to/ }).first());
  await expect(page.getByText('Payment matched')).toBeVisible();
  await within('morning 5, unmatched money', 1);
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await expect(payment).toHaveCount(1);
});

test("an office's errands from Home, without a detour", async ({ page, hand, within, specimens }) => {
  await openAs(page, accounts.PRAD);
  const strip = page.getByRole('region', { name: 'Today' });
  const need = strip.getByRole('link', { name: /with the payer overdue/ });
  await expect(need).toBeVisible();
  const home = () => page.getByRole('link', { name: 'Harborline Network' }).click();

  await hand.key('/');
  await hand.fill(page.getByRole('combobox', { name: /^Bill, claim, check/ }), specimens.paid.claimNumber);
  await expect(page.getByRole('option').filter({ hasText: specimens.paid.billControlNumber })).toBeVisible();
  await hand.key('Enter');
  await expect(heading(page, /^Bill /)).toBeVisible();
  await within('office 1, a bill by its claim', 3);
  await home();

  await hand.press(need);
  await expect(heading(page, 'Open bills')).toBeVisible();
  await within('office 2, the overdue list', 1);
  await home();

  await hand.press(strip.getByRole('link', { name: 'Remittances' }));
  await hand.press(page.getByRole('button', { name: /^Mark as posted/ }).first());
  const posted = page.getByRole('button', { name: /^✓ Posted/, pressed: true }).first();
  await expect(posted).toBeVisible();
  await within('office 3, a check is posted', 2);
  // The tests of deposits mark the same check.
  await Promise.all([page.waitForResponse('**/api/remittancePosts'), posted.click()]);
});

test("a caller's bill from the staff's Home", async ({ page, hand, within, specimens }) => {
  await openAs(page, accounts.IRAD);
  await expect(button(page, 'Workspace')).toBeVisible();
  const number = specimens.received.billControlNumber;
  await hand.key('/');
  await hand.fill(page.getByRole('combobox', { name: /^Any number/ }), number);
  await hand.key('Enter');
  await expect(button(page, 'Start session').or(heading(page, `Bill ${number}`))).toBeVisible();
  if (await button(page, 'Start session').isVisible()) await hand.press(button(page, 'Start session'));
  await expect(heading(page, `Bill ${number}`)).toBeVisible();
  await within('staff 1, a bill by its number', 4);
});

test('ten calls to payers with follow-ups, each in four actions', async ({ page, hand, within }) => {
  await showOpenBills(page);
  // One call about three bills.
  await hand.press(page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'Payer' }));
  await hand.press(button(page, /^Beacon Road/).first());
  await hand.key('Escape');
  for (let row = 0; row < 3; row++) await hand.press(openBills(page).nth(row).getByRole('checkbox'));
  const dialog = page.getByRole('dialog', { name: 'Log payer call' });
  const finish = async () => {
    await hand.press(dialog.getByRole('radio', { name: 'Resend bill' }));
    await hand.press(dialog.getByRole('button', { name: '+7 days' }));
    await hand.key('Control+Enter');
    await expect(dialog).toBeHidden();
  };
  await hand.press(button(page, 'Log payer call'));
  await finish();
  await expect(page.getByText('Call logged: 3 bills')).toBeVisible();
  await within('a call about three bills', 10);

  await hand.open('Call sheet');
  const calls = page.getByRole('button', { name: /^Log call to/ });
  await expect(calls.first()).toBeVisible();
  for (let n = 0; n < 10; n++) {
    // Payers without a remaining bill leave the sheet.
    await hand.press(calls.nth(n % (await calls.count())));
    await finish();
  }
  await within('ten calls', 2 + 10 * 4);
});
