import type { Page } from '@playwright/test';
import { accounts, enter, expect } from '../portal';
import { type Screen, dialog, manageUsers, searchUsers, openMenu, choose, confirm, tins, screen } from './screen';

/** TINs of a group, added on several days. */
const groupTins = ['962001001', '962001002', '962001003'].map((ftin, n) => ({
  ftin,
  addedDate: `2026-0${n + 1}-15T15:00:00Z`,
  lastUpdatedUserName: accounts.PRAD,
}));

async function manageTins(page: Page, userName = accounts.PRAD) {
  await page.route('**/api/ftin/groupFtins/*?*', (route) => route.fulfill({ json: groupTins }));
  await enter(page, userName, '/wcpp/ManageTins');
  await expect(tins(page)).toHaveCount(3);
}
const chooseTin = (page: Page, n: number) => tins(page).getByRole('checkbox').nth(n).check();
const removeTins = (page: Page) => page.getByRole('button', { name: 'REMOVE SELECTED TIN(S)' }).click();

/** The TINs of a user of the demo's group. */
async function tinsOf(page: Page, userName: string) {
  await manageUsers(page);
  await page.getByLabel('Filter by Username').fill(userName);
  await openMenu(page, userName);
  await choose(page, 'Manage TINs');
  await expect(tins(page).first()).toBeVisible();
}

/** A screen about a user that was searched for. */
async function tinsOfFound(page: Page, userName: string, action: string) {
  await searchUsers(page, 'Username', userName);
  await openMenu(page, userName);
  await choose(page, action);
  await expect(tins(page).first()).toBeVisible();
}

export const screens: Screen[] = [
  screen('Manage TINs', (page) => manageTins(page)),
  screen('Manage TINs with errors', async (page) => {
    await manageTins(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Manage TINs, refused', async (page) => {
    await page.route('**/api/ftin/validateandSaveFtin/**', (route) =>
      route.fulfill({ status: 400, json: { code: 'INVALID_FTIN_CPDID', message: 'INVALID_FTIN_CPDID' } }),
    );
    await manageTins(page);
    await page.getByLabel('Tax ID Number (TIN)').fill('962001009');
    await page.getByLabel('Provider ID Number').fill('1234');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Manage TINs, question', async (page) => {
    await manageTins(page);
    await chooseTin(page, 0);
    await chooseTin(page, 1);
    await removeTins(page);
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Manage TINs, nothing selected', async (page) => {
    await manageTins(page);
    await removeTins(page);
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Manage TINs, removed', async (page) => {
    await page.route('**/api/ftin/groupFtins/*/*', (route) => route.fulfill({ json: 'success' }));
    await manageTins(page);
    await chooseTin(page, 0);
    await removeTins(page);
    await confirm(page);
    await expect(page.getByText(/have been successfully removed/)).toBeVisible();
  }),
  screen('Manage TINs, removed in part', async (page) => {
    await page.route('**/api/ftin/groupFtins/*/*', (route) =>
      route.request().url().includes('962001002') ? route.fulfill({ json: 'success' }) : route.abort(),
    );
    await manageTins(page);
    await chooseTin(page, 0);
    await chooseTin(page, 1);
    await removeTins(page);
    await confirm(page);
    await expect(page.getByText(/^Removed/)).toBeVisible();
  }),
  screen('Manage TINs that failed', async (page) => {
    await page.route('**/api/ftin/groupFtins/**', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.PRAD, '/wcpp/ManageTins');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage TINs of a provider user', (page) => manageTins(page, accounts.PRUS)),
  screen('Manage TINs without a group', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/ManageTins');
    await expect(page.getByText('Your account belongs to no group')).toBeVisible();
  }),
  screen('TINs of a user', (page) => tinsOf(page, accounts.PRUS)),
  screen('TINs of a user, none left', async (page) => {
    await tinsOf(page, accounts.PRUS);
    const all = page.getByRole('checkbox', { name: 'Select all rows' });
    await all.check();
    await all.uncheck();
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('TINs of a user, not saved', async (page) => {
    await page.route('**/api/ftin/managedUserFtins/*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await tinsOf(page, accounts.PRUS);
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('TINs of an administrator', (page) => tinsOf(page, accounts.PRAD)),
  screen('View TINs', (page) => tinsOfFound(page, accounts.PRUS, 'View TINs')),
  screen('TINs of a non-network user', (page) => tinsOfFound(page, accounts.NNUS, 'Manage TINs')),
  screen('TINs of a non-network user with errors', async (page) => {
    await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('TINs of a non-network user, question', async (page) => {
    await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    await tins(page).getByRole('button').first().click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('TINs of a non-network user, the last', async (page) => {
    await page.route('**/api/ftin/groupFtins/*?*', (route) => route.fulfill({ json: groupTins.slice(0, 1) }));
    await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    await expect(tins(page)).toHaveCount(1);
  }),
];
