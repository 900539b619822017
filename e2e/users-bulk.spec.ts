import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { readEmail } from './mail';
import { test } from './people';
import { accounts, expect, openAs, signIn } from './portal';

const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row');
const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Bulk TIN update' });

/** Selects all users of the list and opens their TINs. */
async function markAll(page: Page, count: number) {
  await expect(rows(page, 'Users')).toHaveCount(count);
  await page.getByRole('button', { name: 'Select multiple' }).click();
  await page.getByRole('table', { name: 'Users' }).getByRole('checkbox').first().check();
  await page.getByRole('link', { name: `Change TINs for ${count} users` }).click();
  await expect(heading(page)).toBeVisible();
}

test('an administrator removes a TIN from several users: previewed first, then reported', async ({
  page,
  office,
}) => {
  const [first, second] = [await office.add('PRUS'), await office.add('PRUS')];
  await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
  await markAll(page, 3);
  // They have the group's only TIN; the network assigns another one.
  await page.getByRole('checkbox', { name: office.tin }).check();
  await expect(page.getByRole('textbox', { name: /^Tax IDs/ })).toHaveValue(office.tin);
  await page.getByRole('radio', { name: 'Remove these TINs' }).check();
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(rows(page, 'Preview')).toHaveCount(3);
  await expect(page.getByText('Of 3 users: 3 rejected.')).toBeVisible();
  for (const { userNm } of [first, second])
    await expect(rows(page, 'Preview').filter({ hasText: userNm })).toContainText(
      'You cannot remove all TINs.',
    );
  await expect(rows(page, 'Preview').filter({ hasText: office.admin.userNm })).toContainText(
    "A provider administrator has all of the group's TINs.",
  );
  await expect(page.getByRole('button', { name: /^Remove TINs:/ })).toHaveCount(0);
  // Back restores the selected users.
  await page.goBack();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('link', { name: 'Change TINs for 3 users' })).toBeFocused();
});

test('Back restores the list, even after the end of the session', async ({ page, office }) => {
  const [first, second] = [await office.add('PRUS'), await office.add('PRUS')];
  const token = await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
  await page.getByLabel('Filter by Account Type').fill('Provider U');
  await page.getByRole('button', { name: 'Username', exact: true }).click();
  await markAll(page, 2);
  const link = page.getByRole('link', { name: 'Change TINs for 2 users' });
  const found = async () => {
    await expect(page.getByLabel('Filter by Account Type')).toHaveValue('Provider U');
    await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    const names = [first.userNm, second.userNm].sort();
    await expect(rows(page, 'Users')).toContainText(names);
    await expect(link).toBeVisible();
  };
  const back = page.getByRole('button', { name: 'Back', exact: true });
  await back.click();
  await found();
  await expect(link).toBeFocused();
  await link.click();
  // Encrypts the visit's state for after the end of its session.
  const key = page.waitForResponse('**/api/session/form-key');
  await page.reload();
  await back.click();
  await found();

  await link.click();
  await page.getByRole('textbox', { name: /^Tax IDs/ }).fill(office.tin);
  await key;
  const headers = { Authorization: `Bearer ${token}` };
  expect((await page.request.post('/api/logout?idle=true', { headers })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByText('Your session ended. Sign in again.')).toBeVisible();
  await signIn(page, office.admin.userNm);
  await expect(heading(page)).toBeVisible();
  await back.click();
  await found();
});

test("the network assigns another TIN to a group's users, and another account gets the same by copying", async ({
  page,
  office,
  isad: { request, headers },
}) => {
  const more = String(Number(office.tin) + 1);
  const added = await request.post(`/api/ftin/groupFtins/${office.admin.grpInfoId}/${more}`, { headers });
  expect(added.status(), await added.text()).toBe(200);
  const [first, second] = [await office.add('PRUS'), await office.add('PRUS')];
  const has = (userNm: string) =>
    request
      .get(`/api/ftin/userFtins/${userNm}`, { headers })
      .then(async (answer) => ((await answer.json()) as { ftin: string }[]).map(({ ftin }) => ftin));
  const assigned = await request.post(`/api/ftin/managedUserFtins/${first.userNm}`, {
    headers,
    data: [{ ftin: office.tin, hasIt: true }],
  });
  expect(assigned.status()).toBe(200);
  const reset = await request.post(`/api/ftin/managedUserFtins/${second.userNm}`, {
    headers,
    data: [
      { ftin: office.tin, hasIt: false },
      { ftin: more, hasIt: true },
    ],
  });
  expect(reset.status()).toBe(200);

  await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
  await markAll(page, 3);
  await page.getByLabel('Copy TINs from an account').fill(second.userNm);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('textbox', { name: /^Tax IDs/ })).toHaveValue(more);
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByText('Of 3 users: 1 will change, 1 unchanged, 1 rejected.')).toBeVisible();
  expect(await has(first.userNm)).toEqual([office.tin]);

  await page.getByRole('button', { name: 'Add TINs: 1 user' }).click();
  await expect(page.getByText('Of 1 user: 1 changed.')).toBeVisible();
  expect(await has(first.userNm)).toEqual([office.tin, more].sort());
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByText('Of 3 users: 2 unchanged, 1 rejected.')).toBeVisible();
});

test("read-only users can't select users", async ({ page, office }) => {
  await openAs(page, accounts.IRAD, '/wcpp/UserSearch');
  await page.getByLabel('Group ID').fill(String(office.admin.grpInfoId));
  await page.getByRole('button', { name: 'SEARCH' }).click();
  await expect(rows(page, 'Users')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Select multiple' })).toHaveCount(0);
});

const userFile = (rows: string[]) => ({
  name: 'users.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    `\uFEFF${['Account Type,First Name,Middle Initial,Last Name,Phone Number,Email Address,TINs', ...rows].join('\r\n')}\r\n`,
  ),
});

test('an administrator adds users from a file: validated first, then each is reported and emailed', async ({
  page,
  office,
}) => {
  const name = `Z${Array.from({ length: 9 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`;
  const mail = (n: number) => `${name.toLowerCase()}${n}@example.com`;
  await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
  await page.getByRole('link', { name: 'Import users' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import users' })).toBeVisible();

  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download a template' }).click();
  const template = readFileSync(await (await downloaded).path(), 'utf8');
  expect(template).toMatch(/^\uFEFFAccount Type,First Name,Middle Initial,Last Name,/);
  expect(template).not.toContain('Group ID');

  await page
    .locator('input[type=file]')
    .setInputFiles(
      userFile([
        `Provider User,-Ada,,"${name} MD",(216) 555-0148,${mail(1)},${office.tin}`,
        `PRUS,Bea,,${name},2165550149,${mail(2)},123`,
        `PRAD,Cleo,,${name},2165550149,${mail(3)},`,
      ]),
    );
  await expect(rows(page, 'File contents')).toHaveCount(3);
  await expect(rows(page, 'File contents').nth(1)).toContainText('TINs: Enter 9 digits for each TIN.');
  await page.getByRole('button', { name: 'Add 2 users' }).click();
  await expect(page.getByText('Of 3 users: 2 added, 1 rejected.')).toBeVisible();
  for (const n of [1, 3]) await readEmail(mail(n), 'Finish setting up your account');

  // Exported text doesn't run as a formula.
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain(`'-Ada ${name} MD`);

  await page.getByRole('link', { name: 'Manage Users' }).last().click();
  await expect(rows(page, 'Users')).toHaveCount(3);

  await page.goBack();
  await page
    .locator('input[type=file]')
    .setInputFiles(userFile([`PRUS,Ada,,${name},2165550148,${mail(1)},${office.tin}`]));
  await expect(rows(page, 'File contents')).toContainText([
    'Email Address: The Email Address is associated to another account',
  ]);
  await expect(page.getByRole('button', { name: /^Add \d/ })).toHaveCount(0);
});

test('an invalid file shows what to do', async ({ page, office }) => {
  await openAs(page, office.admin.userNm, '/wcpp/work/users/file');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from([0x41, 0xff]) });
  await expect(page.getByText("The file isn't UTF-8. Save it as “CSV UTF-8”.")).toBeVisible();
});
