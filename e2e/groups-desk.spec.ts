import type { Page } from '@playwright/test';
import { test } from './people';
import { accounts, expect, openAs, openSession } from './portal';

const rows = (page: Page) => page.getByRole('table', { name: 'Groups' }).locator('tbody').getByRole('row');
const dialog = (page: Page) => page.getByRole('dialog');

/** Finds the only group with part of a name, and opens its row's action. */
async function choose(page: Page, part: string, groupId: number | null, action: string) {
  await page.getByRole('textbox', { name: /Group name/ }).fill(part);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `Actions for group ${groupId}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  await expect(dialog(page)).toBeVisible();
}

test('a group is renamed, deactivated and reactivated', async ({ page, office, request }) => {
  const { grpInfoId, userNm } = office.admin;
  const before = await openSession(request, userNm);
  const named = `Harbour ${userNm} Clinic`;
  await openAs(page, accounts.ISAD, '/wcpp/ManageGroups');
  await page.getByLabel('Portal User Group ID', { exact: true }).fill(String(grpInfoId));
  await page.getByRole('button', { name: 'SEARCH' }).click();
  await page.goto('/wcpp/desk/groups');
  await page.getByRole('textbox', { name: /Portal User Group ID/ }).fill(String(grpInfoId));
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `Actions for group ${grpInfoId}` }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page)
    .getByLabel(/Group name/)
    .fill(named);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Group ${grpInfoId} renamed ${named}`)).toBeVisible();
  await page.getByRole('textbox', { name: /Portal User Group ID/ }).fill('');

  await choose(page, `${userNm} clin`, grpInfoId, 'Make inactive');
  await expect(dialog(page)).toContainText("1 user of 1 won't be able to sign in.");
  await expect(dialog(page)).toContainText('1 user is signed in and will be signed out.');
  await dialog(page).getByRole('button', { name: 'Make inactive' }).click();
  await expect(page.getByText(`Group ${grpInfoId} is inactive`)).toBeVisible();
  await expect(rows(page)).toContainText('Inactive');
  const response = await request.get('/api/session', { headers: { Authorization: `Bearer ${before}` } });
  expect(response.status()).toBe(401);

  await choose(page, `${userNm} clin`, grpInfoId, 'Make active');
  await expect(dialog(page)).toContainText('1 user of 1 will be able to sign in again.');
  await dialog(page).getByRole('button', { name: 'Make active' }).click();
  await expect(rows(page).getByText('Active', { exact: true })).toBeVisible();
  expect(await openSession(request, userNm)).not.toBe('');
});

test('staff assign a group a Tax ID without proof, and its administrator sees it', async ({
  page,
  office,
}) => {
  const { grpInfoId, userNm } = office.admin;
  const more = String(Number(office.tin) + 1);
  await openAs(page, accounts.ISAD, '/wcpp/desk/groups');
  await page.getByRole('textbox', { name: /Portal User Group ID/ }).fill(String(grpInfoId));
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `Actions for group ${grpInfoId}` }).click();
  await page.getByRole('menuitem', { name: 'Assign Tax ID' }).click();
  const field = dialog(page).getByLabel('Tax ID Number (TIN)');
  await field.fill(office.tin);
  await dialog(page).getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(
    dialog(page).getByText("The group already has this TIN, or it's pending review").first(),
  ).toBeVisible();
  await field.fill(more);
  await dialog(page).getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText(new RegExp(`^${more} assigned to group ${grpInfoId}`))).toBeVisible();
  await openAs(page, userNm, '/wcpp/ManageTins');
  await expect(page.getByRole('table').getByText(more)).toBeVisible();
});

test("staff see a group's name below its ID", async ({ page, office }) => {
  await openAs(page, accounts.IRAD, '/wcpp/UserSearch');
  await page.getByLabel('Group ID', { exact: true }).fill(String(office.admin.grpInfoId));
  await page.getByRole('button', { name: 'SEARCH' }).click();
  const found = page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row');
  await expect(found).toHaveCount(1);
  await expect(found).toContainText(`${office.admin.grpInfoId}Lakeside`);
  await page.goto('/wcpp/desk/groups');
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Actions for group/ })).toHaveCount(0);
});

test("providers can't open it", async ({ page }) => {
  await openAs(page, accounts.PRAD);
  await page.goto('/wcpp/desk/groups');
  await expect(page).toHaveURL(/\/wcpp\/login$/);
});
