import type { Page } from '@playwright/test';
import { test } from './people';
import { accounts, enter, expect } from './portal';

const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row');
const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'TINs of many users' });

/** Marks all users of the list, and goes on to their TINs. */
async function markAll(page: Page, count: number) {
  await expect(rows(page, 'Users')).toHaveCount(count);
  await page.getByRole('button', { name: 'Mark several' }).click();
  await page.getByRole('table', { name: 'Users' }).getByRole('checkbox').first().check();
  await page.getByRole('link', { name: `Change TINs of ${count}` }).click();
  await expect(heading(page)).toBeVisible();
}

test('an administrator takes a TIN from several users: each is told before, and answered', async ({
  page,
  office,
}) => {
  const [first, second] = [await office.add('PRUS'), await office.add('PRUS')];
  await enter(page, office.admin.userNm, '/wcpp/ManageUsers');
  await markAll(page, 3);
  // They have the group's only TIN; the network gives it another one.
  await page.getByRole('checkbox', { name: office.tin }).check();
  await expect(page.getByRole('textbox', { name: /^Tax IDs/ })).toHaveValue(office.tin);
  await page.getByRole('radio', { name: 'Take these TINs' }).check();
  await page.getByRole('button', { name: 'Show what it does' }).click();
  await expect(rows(page, 'What it does')).toHaveCount(3);
  await expect(page.getByText('Of 3 users: 3 will be refused.')).toBeVisible();
  for (const { userNm } of [first, second])
    await expect(rows(page, 'What it does').filter({ hasText: userNm })).toContainText(
      'You cannot remove all TINs.',
    );
  await expect(rows(page, 'What it does').filter({ hasText: office.admin.userNm })).toContainText(
    'A provider administrator has all TINs of the group.',
  );
  await expect(page.getByRole('button', { name: /^Take these TINs:/ })).toHaveCount(0);
});

test('the network gives users of a group another TIN, and another account has the same by a copy', async ({
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
    data: [{ ftin: more, hasIt: true }],
  });
  expect(reset.status()).toBe(200);

  await enter(page, office.admin.userNm, '/wcpp/ManageUsers');
  await markAll(page, 3);
  await page.getByLabel('Copy the TINs of an account').fill(second.userNm);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('textbox', { name: /^Tax IDs/ })).toHaveValue(more);
  await page.getByRole('button', { name: 'Show what it does' }).click();
  await expect(
    page.getByText('Of 3 users: 1 will change, 1 have nothing to do, 1 will be refused.'),
  ).toBeVisible();
  expect(await has(first.userNm)).toEqual([office.tin]);

  await page.getByRole('button', { name: 'Give these TINs: 1 user' }).click();
  await expect(page.getByText('Of 1 user: 1 changed.')).toBeVisible();
  expect(await has(first.userNm)).toEqual([office.tin, more].sort());
  await page.getByRole('button', { name: 'Show what it does' }).click();
  await expect(page.getByText('Of 3 users: 2 have nothing to do, 1 will be refused.')).toBeVisible();
});

test('who reads only marks nobody', async ({ page, office }) => {
  await enter(page, accounts.IRAD, '/wcpp/UserSearch');
  await page.getByLabel('Group ID').fill(String(office.admin.grpInfoId));
  await page.getByRole('button', { name: 'SEARCH' }).click();
  await expect(rows(page, 'Users')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Mark several' })).toHaveCount(0);
});
