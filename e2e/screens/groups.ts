import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, findGroups, screen, tryAgain } from './screen';

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Manage Portal User Groups', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/ManageGroups');
      await expect(page.getByRole('button', { name: 'SEARCH' })).toBeVisible();
    }),
    screen('Manage Portal User Groups with errors', async (page) => {
      await page.getByRole('button', { name: 'SEARCH' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Manage Portal User Groups, failed', async (page) => {
      await mockReply(page, '**/api/admin/groupList', { status: 400 });
      await page.getByRole('button', { name: 'More Options' }).click();
      await findGroups(page, 'Portal User Group ID', '1010');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Manage Portal User Groups without results', async (page) => {
      await restore(page, '**/api/admin/groupList');
      await findGroups(page, 'Username', 'nobody at all');
      await expect(page.getByText(/^There are no groups available/)).toBeVisible();
    }),
    screen('Manage Portal User Groups with results', async (page) => {
      await mockReply(page, '**/api/admin/groupList', { added: { 'X-Limited-To': '1000' } });
      await findGroups(page, 'Email Address/Domain', 'example.com');
      await expect(page.getByText(/^Only the first 1,000 groups/)).toBeVisible();
    }),
  ],
  [
    screen('Groups at the desk', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/groups');
      await expect(page.getByRole('button', { name: /^Actions for group/ }).first()).toBeVisible();
    }),
    screen('Groups at the desk, consequences', async (page) => {
      await page
        .getByRole('button', { name: /^Actions for group/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Make inactive' }).click();
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    }),
    screen('Groups at the desk, a name', async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page
        .getByRole('button', { name: /^Actions for group/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel(/Group name/).fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('dialog').getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Groups at the desk, a Tax ID', async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await page
        .getByRole('button', { name: /^Actions for group/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Assign Tax ID' }).click();
      await expect(page.getByRole('dialog').getByLabel(/Tax ID Number/)).toBeVisible();
    }),
  ],
  screen('Manage Portal User Groups, not permitted', async (page) => {
    await openAs(page, accounts.PRUS, '/wcpp/ManageGroups');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }),
];
