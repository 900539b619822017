import type { Page } from '@playwright/test';
import { answer, restore } from '../answers';
import { accounts, enter, expect } from '../portal';
import { type Screen, type Walk, choose, confirm, dialog, dismiss, findUsers, go, openMenu, screen, tins, tryAgain, users } from './screen';

/** TINs of a group, added on several days. */
const groupTins = ['962001001', '962001002', '962001003'].map((ftin, n) => ({
  ftin,
  addedDate: `2026-0${n + 1}-15T15:00:00Z`,
  lastUpdatedUserName: accounts.PRAD,
}));

async function manageTins(page: Page, userName = accounts.PRAD) {
  await answerTins(page);
  await enter(page, userName, '/wcpp/ManageTins');
  await expect(tins(page)).toHaveCount(3);
}
const answerTins = (page: Page) =>
  answer(page, '**/api/ftin/groupFtins/*?*', { json: groupTins });
const chooseTin = (page: Page, n: number) => tins(page).getByRole('checkbox').nth(n).check();
const removeTins = (page: Page) => page.getByRole('button', { name: 'REMOVE SELECTED TIN(S)' }).click();

/** The TINs of a user of the demo's group, from Manage Users. */
async function tinsOf(page: Page, userName: string) {
  await expect(users(page).getByRole('row').first()).toBeVisible();
  await page.getByLabel('Filter by Username').fill(userName);
  await openMenu(page, userName);
  await choose(page, 'Manage TINs');
  await expect(tins(page).first()).toBeVisible();
}

/** A screen about a user that is searched for, on User Search. */
async function tinsOfFound(page: Page, userName: string, action: string) {
  await findUsers(page, 'Username', userName);
  await openMenu(page, userName);
  await choose(page, action);
  await expect(tins(page).first()).toBeVisible();
}

export const screens: (Screen | Walk)[] = [
  [
    screen('Manage TINs that failed', async (page) => {
      await answer(page, '**/api/ftin/groupFtins/**', { status: 400 });
      await enter(page, accounts.PRAD, '/wcpp/ManageTins');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Manage TINs', async (page) => {
      await restore(page, '**/api/ftin/groupFtins/**');
      await answerTins(page);
      await tryAgain(page).click();
      await expect(tins(page)).toHaveCount(3);
    }),
    screen('Manage TINs with errors', async (page) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Manage TINs, refused', async (page) => {
      await answer(page, '**/api/ftin/validateandSaveFtin/**', { status: 400, json: { code: 'INVALID_FTIN_CPDID', message: 'INVALID_FTIN_CPDID' } });
      await page.getByLabel('Tax ID Number (TIN)').fill('962001009');
      await page.getByLabel('Provider ID Number').fill('1234');
      const refused = page.waitForResponse('**/api/ftin/validateandSaveFtin/**');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await refused;
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Manage TINs, nothing selected', async (page) => {
      await removeTins(page);
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Manage TINs, question', async (page) => {
      await dismiss(page);
      await chooseTin(page, 0);
      await chooseTin(page, 1);
      await removeTins(page);
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Manage TINs, removed in part', async (page) => {
      await answer(page, '**/api/ftin/groupFtins/*/*', ({ url }) =>
        url.includes('962001002') ? { json: 'success' } : url.endsWith('/holders') ? 'served' : 'lost',
      );
      await confirm(page);
      await expect(page.getByText(/^Removed/)).toBeVisible();
    }),
    screen('TINs of a user', async (page) => {
      await restore(page);
      await go(page, 'ManageUsers');
      await tinsOf(page, accounts.PRUS);
    }),
    screen('TINs of a user, none left', async (page) => {
      const all = page.getByRole('checkbox', { name: 'Select all rows' });
      await all.check();
      await all.uncheck();
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('TINs of a user, not saved', async (page) => {
      await dismiss(page);
      await answer(page, '**/api/ftin/managedUserFtins/*', ({ method }) => (method === 'POST' ? 'lost' : 'served'));
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('TINs of an administrator', async (page) => {
      await go(page, 'ManageUsers');
      await tinsOf(page, accounts.PRAD);
    }),
  ],
  screen('Manage TINs, removed', async (page) => {
    await answer(page, '**/api/ftin/groupFtins/*/*', ({ method }) => (method === 'DELETE' ? { json: 'success' } : 'served'));
    await manageTins(page);
    await chooseTin(page, 0);
    await removeTins(page);
    await confirm(page);
    await expect(page.getByText(/have been successfully removed/)).toBeVisible();
  }),
  screen('Manage TINs of a provider user', (page) => manageTins(page, accounts.PRUS)),
  [
    screen('Manage TINs without a group', async (page) => {
      await enter(page, accounts.ISAD, '/wcpp/ManageTins');
      await expect(page.getByText('Your account belongs to no group')).toBeVisible();
    }),
    screen('View TINs', async (page) => {
      await go(page, 'UserSearch');
      await tinsOfFound(page, accounts.PRUS, 'View TINs');
    }),
    screen('TINs of a non-network user', async (page) => {
      await go(page, 'UserSearch');
      await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    }),
    screen('TINs of a non-network user with errors', async (page) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('TINs of a non-network user, question', async (page) => {
      await tins(page).getByRole('button').first().click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('TINs of a non-network user, the last', async (page) => {
      await dismiss(page);
      await answer(page, '**/api/ftin/groupFtins/*?*', { json: groupTins.slice(0, 1) });
      await go(page, 'UserSearch');
      await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
      await expect(tins(page)).toHaveCount(1);
    }),
  ],
];
