import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, openAs, expect, mirror, openSession } from '../portal';
import { chooseFiles, csv, openUpload, makeRows, selectGroup, submitRoster } from '../rosters';
import { type Screen, type ScreenGroup, addUser, dialog, dismiss, recover, screen, searchGroups, tryAgain } from './screen';

/**
 * A full roster with errors, one with other columns, and a letter. Most providers of the last
 * roster are missing.
 */
async function checkRoster(page: Page) {
  await selectGroup(page, 'Cuyahoga Valley Physicians (G2010)');
  const rows = makeRows(12);
  for (const row of rows.slice(2, 9)) row.State = 'Ohio';
  Object.assign(rows[4] ?? {}, { NPI: '1234567890', Phone: '555' });
  await chooseFiles(
    page,
    csv('July.csv', rows),
    csv('Therapists of the western offices, July.csv', makeRows(3, 50)),
  );
}

async function submitGoodRoster(page: Page) {
  await openUpload(page);
  await selectGroup(page, 'Tremont Family Practice (G2012)');
  await chooseFiles(page, csv('July.csv', makeRows(12)));
  await expect(page.getByText('No problems in 12 rows.')).toBeVisible();
  await submitRoster(page);
}

async function groupSources(page: Page, userName = accounts.ISAD) {
  await searchGroups(page, 'Portal User Group ID', '1010', userName);
  await page.getByRole('button', { name: 'Actions for group 1010' }).click();
  await page.getByRole('menuitem', { name: 'Manage Roster Hub Sources' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Manage Roster Hub Sources/ })).toBeVisible();
}
async function addSource(page: Page, providerGroup: string) {
  await page.getByLabel('Provider Hub Provider Group ID *').fill(providerGroup);
  await page.getByRole('button', { name: 'ADD', exact: true }).click();
}
async function openNewGroupSources(page: Page) {
  await addUser(page, 'Roster Admin');
  for (const [label, typed] of [
    ['First Name', 'Ada'],
    ['Last Name', 'Lovelace'],
    ['Phone Number', '(216) 555-0100'],
    ['Email Address', 'ada.lovelace@example.com'],
    ['Job Title', 'Roster Lead'],
    ['Company Name', 'Lakeside'],
  ] as const)
    await page.getByLabel(label).fill(typed);
  await page.getByRole('button', { name: 'NEXT' }).click();
}
async function viewGroups(page: Page, source = 'Great Lakes Provider Hub') {
  await page.getByRole('button', { name: `View Provider Hub Provider Groups of ${source}` }).click();
  await expect(dialog(page)).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Manage Rosters, failed', async (page) => {
      await mockReply(page, '**/api/roster/uploadLogs/page', { status: 400 });
      await openAs(page, accounts.ROAD, '/wcpp/ManageRosters');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Manage Rosters', async (page) => {
      await recover(page);
      await expect(page.getByRole('link', { name: 'Lorain physicians.csv' })).toBeVisible();
    }),
  ],
  screen('Manage Rosters without any', async (page) => {
    await mockReply(page, '**/api/roster/uploadLogs/page', { json: { rows: [], count: 0 } });
    await openAs(page, accounts.ROAD, '/wcpp/ManageRosters');
    await expect(page.getByText('No records found')).toBeVisible();
  }),
  screen('Manage Rosters, not permitted', async (page) => {
    await openAs(page, accounts.PRAD, '/wcpp/ManageRosters');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }),
  [
    screen('Upload Roster', async (page) => {
      await openUpload(page);
      await expect(page.getByText('No files selected')).toBeVisible();
    }),
    screen('Upload Roster with errors', async (page) => {
      await submitRoster(page);
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Upload Roster, checked', async (page) => {
      await checkRoster(page);
      await expect(page.getByText("We'll ask you to confirm when you submit.")).toBeVisible();
    }),
    screen('Upload Roster, confirm', async (page) => {
      await submitRoster(page);
      await expect(dialog(page)).toBeVisible();
    }),
  ],
  screen('Upload Roster without choices', async (page) => {
    for (const call of ['source/group', 'sourceGroup'])
      await mockReply(page, `**/api/roster/${call}/*`, { status: 400 });
    await openUpload(page);
    await expect(tryAgain(page)).toHaveCount(2);
  }),
  screen('Upload Roster, checking', async (page) => {
    await mockReply(page, '**/api/roster/check', 'unanswered');
    await openUpload(page);
    await checkRoster(page);
    await expect(page.getByText('July.csv: 0 rows read')).toBeVisible();
  }),
  screen('Upload Roster under way', async (page) => {
    await mockReply(page, '**/api/roster/upload', 'unanswered');
    await submitGoodRoster(page);
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  }),
  screen('Upload Roster, failed', async (page) => {
    await mockReply(page, '**/api/roster/upload', 'lost');
    await submitGoodRoster(page);
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  [
    screen('Roster hub sources, failed', async (page) => {
      await mockReply(page, '**/api/roster/sourceGroups', { status: 400 });
      await groupSources(page);
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Roster hub sources of a group', async (page) => {
      await recover(page);
      await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(2);
    }),
    screen('Provider groups of a roster hub source', async (page) => {
      await viewGroups(page);
      await expect(dialog(page).getByText('1-5 of 7')).toHaveCount(2);
    }),
    screen('Provider groups, nothing matches', async (page) => {
      await dialog(page).getByLabel('Filter by Provider Group Name').fill('nothing is called so');
      await expect(dialog(page).getByText(/^No matching results found/)).toBeVisible();
    }),
    screen('Roster hub sources with an error', async (page) => {
      await dismiss(page);
      await addSource(page, '4711');
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Roster hub sources, nothing matches', async (page) => {
      await page.getByLabel('Filter by Roster Hub Source Name').fill('nothing is called so');
      await expect(page.getByText(/^No matching results found/)).toBeVisible();
    }),
  ],
  screen('Provider groups, none', async (page) => {
    await mockReply(page, '**/api/roster/sourceGroups', { json: [] });
    await groupSources(page);
    await viewGroups(page);
    await expect(dialog(page).getByText('No provider groups found for this source.')).toBeVisible();
  }),
  screen('Roster hub sources, none at all', async (page) => {
    await mockReply(page, '**/api/roster/source*', { json: [] });
    await mockReply(page, '**/api/roster/source/group/*', { json: [] });
    await groupSources(page);
    await expect(page.getByText('No roster sources or source groups found.')).toBeVisible();
  }),
  screen('Roster hub sources, read only', async (page) => {
    await groupSources(page, accounts.IRAD);
    await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(2);
  }),
  screen('Roster hub sources while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageRosterSourcesForUserGroup');
    await expect(page.getByText(/You can't change roster hub sources while mirroring/)).toBeVisible();
  }),
  [
    screen('Roster hub sources of a new group, none yet', async (page) => {
      await openNewGroupSources(page);
      await page.getByRole('button', { name: 'SAVE AS DRAFT' }).click();
      await expect(page.getByText(/^You must add at least one roster source/)).toBeVisible();
    }),
    screen('Roster hub sources of a new group', async (page) => {
      for (const providerGroup of ['20101', '20201', '20301', '20401', '20501', '20601'])
        await addSource(page, providerGroup);
      await expect(page.getByText('1-5 of 6')).toHaveCount(2);
    }),
  ],
  [
    screen('Rosters at the desk', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/rosters');
      await expect(page.getByRole('button', { name: /^Open the roster/ }).first()).toBeVisible();
    }),
    screen('Rosters at the desk, one of them', async (page) => {
      await page.getByRole('button', { name: /^Open the roster/ }).last().click();
      await expect(dialog(page)).toContainText('sent this');
    }),
    screen('Rosters at the desk, sent back', async (page) => {
      await page.keyboard.press('Escape');
      await page.getByLabel('Filter by State').selectOption('New');
      await page.getByRole('button', { name: /^Open the roster/ }).first().click();
      await dialog(page).getByRole('button', { name: 'Return' }).click();
      await page.getByRole('dialog', { name: /^Return roster/ }).getByRole('button', { name: 'Return' }).click();
      await expect(page.getByRole('link', { name: /^Error: Enter what the sender/ })).toBeVisible();
    }),
  ],
  screen('Rosters at the desk, failed', async (page) => {
    await mockReply(page, '**/api/desk/rosters/page', { status: 400 });
    await openAs(page, accounts.ISAD, '/wcpp/desk/rosters');
    await expect(tryAgain(page)).toBeVisible();
  }),
];
