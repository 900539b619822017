import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, manageUsers, screen } from './screen';

const preview = '**/api/work/users/ftins/preview';
const check = '**/api/work/users/file/check';
const tins = Array.from({ length: 8 }, (_, n) => `96200100${n}`);

const outcomes = [
  { userNm: 'jperez', userFirstName: 'Julia', userLastName: 'Perez', outcome: 'done', gains: tins.slice(0, 2), loses: [], reason: '' },
  { userNm: 'abrook', userFirstName: 'Ada', userLastName: 'Whitcombe-Fairbanks', outcome: 'done', gains: tins, loses: ['962001009'], reason: '' },
  { userNm: 'bstone', userFirstName: 'Ben', userLastName: 'Stone', outcome: 'nothing', gains: [], loses: [], reason: '' },
  { userNm: 'prad.demo', userFirstName: 'Paula', userLastName: 'Reyes', outcome: 'refused', gains: [], loses: [], reason: "A provider administrator has all of the group's TINs." },
  { userNm: 'cid', userFirstName: 'Cid', userLastName: 'Moss', outcome: 'left', gains: [], loses: [], reason: 'Not processed yet. Submit again to continue. Completed changes are kept.' },
];

const row = { row: 2, state: 'good', userFirstName: 'Julia', userLastName: 'Perez', emailAddr: 'julia.perez@lakeside-orthopedics.example', typeDesc: 'Provider User', userNm: '', grpInfoId: null, problems: [] };
const file = {
  checked: 'x',
  rows: [
    row,
    { ...row, row: 3, userFirstName: 'Ada', userLastName: 'Whitcombe-Fairbanks', state: 'refused', problems: [{ column: 'TINs', reason: 'Select TIN' }, { column: 'Phone Number', reason: 'Enter a valid numeric Phone Number' }] },
    { ...row, row: 5, userFirstName: 'Ben', typeDesc: 'Provider Admin' },
  ],
};
const csv = { name: 'New users of Lakeside.csv', mimeType: 'text/csv', buffer: Buffer.from('x') };

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Users marked in a list', async (page) => {
      await manageUsers(page);
      await page.getByRole('button', { name: 'Select multiple' }).click();
      await page.getByRole('table', { name: 'Users' }).getByRole('checkbox').nth(1).check();
      await expect(page.getByRole('link', { name: 'Change TINs for 1 user' })).toBeVisible();
    }),
    screen('Bulk TIN update', async (page) => {
      await page.getByRole('link', { name: 'Change TINs for 1 user' }).click();
      await expect(page.getByRole('table', { name: 'Group TINs' }).getByRole('row').nth(2)).toBeVisible();
    }),
    screen('Bulk TIN update with errors', async (page) => {
      await page.getByRole('textbox', { name: /^Tax IDs/ }).fill('12, 34');
      await page.getByRole('button', { name: 'Preview changes' }).click();
      await expect(page.getByText(/12 and 1 more aren't valid TINs/)).toBeVisible();
    }),
    screen('Bulk TIN update, preview', async (page) => {
      await mockReply(page, preview, { json: outcomes });
      await page.getByRole('textbox', { name: /^Tax IDs/ }).fill(tins.join('\n'));
      await page.getByRole('button', { name: 'Preview changes' }).click();
      await expect(page.getByRole('table', { name: 'Preview' })).toBeVisible();
      await restore(page, preview);
    }),
  ],
  screen('TINs without a user', async (page) => {
    await openAs(page, accounts.PRAD, '/wcpp/work/users/tins');
    await expect(page.getByText(/^No users selected/)).toBeVisible();
  }),
  [
    screen('Users from a file', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/work/users/file');
      await page.getByText('Column formats').click();
      await expect(page.getByRole('table', { name: 'File columns' })).toBeVisible();
    }),
    screen('Users from a file, checked', async (page) => {
      await mockReply(page, check, { json: file });
      await page.getByText('Column formats').click();
      await page.locator('input[type=file]').setInputFiles(csv);
      await expect(page.getByRole('button', { name: 'Add 2 users' })).toBeVisible();
      await restore(page, check);
    }),
    screen('Users from an invalid file', async (page) => {
      await page.getByRole('button', { name: /^Remove New users/ }).click();
      await page.locator('input[type=file]').setInputFiles(csv);
      await expect(page.getByText(/Unknown column/)).toBeVisible();
    }),
  ],
];
