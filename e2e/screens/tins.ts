import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, choose, confirm, dialog, dismiss, findUsers, navigate, openMenu, screen, tins, tryAgain, users } from './screen';

/** A group's TINs, added on different days. */
const groupTins = ['962001001', '962001002', '962001003'].map((ftin, n) => ({
  ftin,
  addedDate: `2026-0${n + 1}-15T15:00:00Z`,
  lastUpdatedUserName: accounts.PRAD,
}));

/** The group's own TINs that other offices added. */
const sharedTins = [
  { statusCd: 'WAITING', objectionCd: '', reason: '' },
  { statusCd: 'IN_USE', objectionCd: 'OPEN', reason: 'They took over our office in Akron in 2019, and gave it up again a year later.' },
  { statusCd: 'TAKEN', objectionCd: 'UPHELD', reason: 'Nobody there has ever worked with us.', office: 'Erie Shore Medical Group' },
].map((part, n) => ({ id: `S${n}`, ftin: `96200100${n}`, addedDate: `2026-0${n + 1}-15T15:00:00Z`, office: '', ...part }));

/** The same TINs for the users who decide. */
const sharings = ['WAITING', 'DISPUTED', 'IN_USE'].map((statusCd, n) => ({
  id: `S${n}`,
  ftin: `96200100${n}`,
  groupId: 1002,
  groupName: 'Erie Shore Medical Group',
  statusCd,
  named: false,
  addedDate: `2026-0${n + 1}-15T15:00:00Z`,
  addedBy: 'mstone',
  billControlNumber: 'B2026000123',
  providerId: '',
  decidedBy: '',
  holders: [
    {
      groupId: 1001,
      groupName: 'Lakeside Orthopedic & Sports Medicine',
      objectionCd: n === 1 ? 'OPEN' : '',
      reason: n === 1 ? (sharedTins[1]?.reason ?? '') : '',
      objectedBy: 'prad.demo',
      objectedDate: '2026-03-01T15:00:00Z',
    },
    { groupId: 1004, groupName: 'Capitol Valley Health', objectionCd: '', reason: '', objectedBy: '' },
  ],
}));
const answerSharings = (page: Page) =>
  mockReply(page, '**/api/ftin/sharings/page', ({ text }) => {
    const rows = sharings.filter(({ statusCd }) => (statusCd !== 'IN_USE') === (JSON.parse(text) as { undecided: boolean }).undecided);
    return { json: { rows, count: rows.length } };
  });
const clickButton = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click();

async function manageTins(page: Page, userName = accounts.PRAD) {
  await answerTins(page);
  await openAs(page, userName, '/wcpp/ManageTins');
  await expect(tins(page)).toHaveCount(3);
}
const answerTins = (page: Page) =>
  mockReply(page, '**/api/ftin/groupFtins/*?*', { json: groupTins });
const chooseTin = (page: Page, n: number) => tins(page).getByRole('checkbox').nth(n).check();
const removeTins = (page: Page) => page.getByRole('button', { name: 'REMOVE SELECTED TIN(S)' }).click();

/** The TINs of a user in the demo's group, from Manage Users. */
async function openTins(page: Page, userName: string) {
  await expect(users(page).getByRole('row').first()).toBeVisible();
  await page.getByLabel('Filter by Username').fill(userName);
  await openMenu(page, userName);
  await choose(page, 'Manage TINs');
  await expect(tins(page).first()).toBeVisible();
}

/** A screen about a user found on User Search. */
async function openFoundTins(page: Page, userName: string, action: string) {
  await findUsers(page, 'Username', userName);
  await openMenu(page, userName);
  await choose(page, action);
  await expect(tins(page).first()).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Manage TINs, failed', async (page) => {
      await mockReply(page, '**/api/ftin/groupFtins/**', { status: 400 });
      await openAs(page, accounts.PRAD, '/wcpp/ManageTins');
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
      await mockReply(page, '**/api/ftin/validateandSaveFtin/**', { status: 400, json: { code: 'INVALID_FTIN_CPDID', message: 'INVALID_FTIN_CPDID' } });
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
      await mockReply(page, '**/api/ftin/groupFtins/*/*', ({ url }) =>
        url.includes('962001002') ? { json: 'success' } : url.endsWith('/holders') ? 'served' : 'lost',
      );
      await confirm(page);
      await expect(page.getByText(/^Removed/)).toBeVisible();
    }),
    screen('List a user\'s TINs', async (page) => {
      await restore(page);
      await navigate(page, 'ManageUsers');
      await openTins(page, accounts.PRUS);
    }),
    screen('List a user\'s TINs, none left', async (page) => {
      const all = page.getByRole('checkbox', { name: 'Select all rows' });
      await all.check();
      await all.uncheck();
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('List a user\'s TINs, not saved', async (page) => {
      await dismiss(page);
      await mockReply(page, '**/api/ftin/managedUserFtins/*', ({ method }) => (method === 'POST' ? 'lost' : 'served'));
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('TINs of an administrator', async (page) => {
      await navigate(page, 'ManageUsers');
      await openTins(page, accounts.PRAD);
    }),
  ],
  screen('Manage TINs, removed', async (page) => {
    await mockReply(page, '**/api/ftin/groupFtins/*/*', ({ method }) => (method === 'DELETE' ? { json: 'success' } : 'served'));
    await manageTins(page);
    await chooseTin(page, 0);
    await removeTins(page);
    await confirm(page);
    await expect(page.getByText(/have been successfully removed/)).toBeVisible();
  }),
  [
    screen('Manage TINs, added for the review', async (page) => {
      const awaited = [{ ftin: '962001009', addedDate: '2026-03-15T15:00:00Z', addedBy: accounts.PRAD }];
      await mockReply(page, '**/api/ftin/groupFtins/*/awaited', { json: awaited });
      await mockReply(page, '**/api/ftin/validateandSaveFtin/**', { json: 'success' });
      await answerTins(page);
      await openAs(page, accounts.PRAD, '/wcpp/ManageTins');
      await expect(page.getByRole('table')).toHaveCount(2);
      await page.getByLabel('Tax ID Number (TIN)').fill('962001009');
      await page.getByLabel('Provider ID Number').fill('1234');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByText('You can use it after the review.')).toBeVisible();
    }),
    screen('TIN sharing', async (page) => {
      await mockReply(page, '**/api/ftin/shared/page', { json: { rows: sharedTins, count: sharedTins.length } });
      await navigate(page, 'TinSharing');
      const shared = page.getByRole('table', { name: 'TINs added by other offices' });
      await expect(shared.locator('tbody').getByRole('row')).toHaveCount(3);
    }),
    screen('TIN sharing, objection', async (page) => {
      await clickButton(page, /^Object/);
      await clickButton(page, /^Object$/);
      await expect(dialog(page).getByText('Error: Enter a reason')).toBeVisible();
    }),
  ],
  [
    screen('Home, pending sharings', async (page) => {
      await mockReply(page, '**/api/ftin/sharings/undecided', { json: { count: 2 } });
      await openAs(page, accounts.ISAD, '/wcpp/home');
      await expect(page.getByText('2 TIN sharings pending a decision')).toBeVisible();
    }),
    screen('TIN sharing for deciding users', async (page) => {
      await answerSharings(page);
      await navigate(page, 'TinSharing');
      await expect(page.getByRole('table')).toHaveCount(2);
    }),
    screen('TIN sharing, objection to decide', async (page) => {
      await page.getByRole('button', { name: /^Decide/ }).nth(1).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('TIN sharing, review', async (page) => {
      await dismiss(page);
      await clickButton(page, /^Decide/);
      await expect(dialog(page)).toBeVisible();
    }),
  ],
  screen('Manage TINs of a provider user', (page) => manageTins(page, accounts.PRUS)),
  [
    screen('Manage TINs without a group', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/ManageTins');
      await expect(page.getByText("Your account isn't in a group")).toBeVisible();
    }),
    screen('View TINs', async (page) => {
      await navigate(page, 'UserSearch');
      await openFoundTins(page, accounts.PRUS, 'View TINs');
    }),
    screen('TINs of a non-network user', async (page) => {
      await navigate(page, 'UserSearch');
      await openFoundTins(page, accounts.NNUS, 'Manage TINs');
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
      await mockReply(page, '**/api/ftin/groupFtins/*?*', { json: groupTins.slice(0, 1) });
      await navigate(page, 'UserSearch');
      await openFoundTins(page, accounts.NNUS, 'Manage TINs');
      await expect(tins(page)).toHaveCount(1);
    }),
  ],
];
