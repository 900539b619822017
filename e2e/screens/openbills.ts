import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect, mirror, openSession } from '../portal';
import { choose, dialog, dismiss, leave, recover, type Screen, screen, type ScreenGroup } from './screen';

export const openBills = (page: Page) => page.getByRole('table', { name: 'Bills' }).locator('tbody').getByRole('row');

export async function showOpenBills(page: Page, account = accounts.PRUS) {
  await openAs(page, account, '/wcpp/work/bills');
  await expect(openBills(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^All open [\d,]+/ })).toBeVisible();
}

export async function openRowMenu(page: Page, row: number) {
  await openBills(page).nth(row).getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Call sheet', async (page) => {
      await openAs(page, accounts.PRUS, '/wcpp/work/call-sheet');
      await expect(page.getByRole('button', { name: /^Log call to/ }).first()).toBeVisible();
    }),
    screen('Logging a call of the call sheet', async (page) => {
      await page
        .getByRole('button', { name: /^Log call to/ })
        .first()
        .click();
      await expect(dialog(page).getByLabel('Details')).toBeVisible();
    }),
    screen('A failed call sheet', async (page) => {
      await mockReply(page, '**/api/work/bills/search', { status: 503, json: {} });
      await openAs(page, accounts.PRUS, '/wcpp/work/call-sheet');
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    }),
    screen('An empty call sheet', async (page) => {
      await restore(page);
      await mockReply(page, '**/api/work/bills/search', {
        json: { bills: [], next: '', asOf: '2026-05-04T09:00:00Z' },
      });
      await openAs(page, accounts.PRUS, '/wcpp/work/call-sheet');
      await expect(page.getByText('No calls due')).toBeVisible();
    }),
  ],
  [
    screen('Open bills', (page) => showOpenBills(page)),
    screen('Columns of the open bills', async (page) => {
      await page.getByRole('button', { name: /^Columns/ }).click();
      await expect(page.getByRole('checkbox', { name: 'Compact rows' })).toBeVisible();
    }),
    screen('Exporting open bills', async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Export' }).click();
      await dialog(page).getByRole('button', { name: 'Create file' }).click();
      await expect(dialog(page).getByRole('link', { name: /^XLSX/ }).first()).toBeVisible();
    }),
    screen('Saving a view', async (page) => {
      await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.getByRole('button', { name: 'Save view' }).click();
      await expect(dialog(page).getByLabel('Name')).toBeVisible();
    }),
    screen('A shared view', async (page) => {
      await dismiss(page);
      await page.getByRole('link', { name: /^Unpaid after 45 days/ }).click();
      await expect(page.getByRole('button', { name: 'View', exact: true })).toBeVisible();
      await expect(openBills(page).first()).toBeVisible();
    }),
    screen('Menu of a view', async (page) => {
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    }),
    screen('A view changed by another user', async (page) => {
      await page.keyboard.press('Escape');
      await showOpenBills(page, accounts.PRAD);
      await page.getByRole('link', { name: /^Unpaid after 45 days/ }).click();
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await choose(page, 'Rename or share');
      await mockReply(page, '**/api/work/views/*', {
        status: 409,
        json: {
          id: 'A',
          name: 'Unpaid after 60 days',
          shared: true,
          pinned: true,
          position: 0,
          version: 9,
          definition: { filter: { states: ['priced'], ageFrom: 61, marked: 'open' } },
          dropped: [],
          owner: 'Julian Hendricks',
          mine: false,
          changeable: true,
          updatedAt: '2026-05-04T09:00:00Z',
          updatedBy: 'prus.demo',
        },
      });
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await expect(dialog(page)).toContainText('changed this view while you were editing');
    }),
    screen('A view with unknown values and unassigned bills', async (page) => {
      await dismiss(page);
      await restore(page);
      await mockReply(page, '**/api/work/lost-assignments', {
        json: [{ id: 1, name: 'Julia Perez', ftin: '341234567', bills: 12, at: '2026-05-04T09:00:00Z' }],
      });
      await mockReply(page, '**/api/work/views', {
        json: [
          {
            id: 'OLD',
            name: 'Of another program',
            shared: false,
            pinned: true,
            position: 0,
            version: 1,
            definition: { filter: { states: ['denied'], marked: 'open' }, compact: true },
            dropped: ['filter weather', 'column tint'],
            owner: 'Ann Lee',
            mine: true,
            changeable: true,
            updatedAt: '2026-05-04T09:00:00Z',
            updatedBy: 'ann',
          },
        ],
      });
      await openAs(page, accounts.PRAD, '/wcpp/work/bills/OLD');
      await expect(page.getByText('no longer supported')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
    }),
    screen('A missing view', async (page) => {
      await restore(page);
      await openAs(page, accounts.PRAD, '/wcpp/work/bills/NONE');
      await expect(page.getByText("This doesn't exist")).toBeVisible();
    }),
    screen('Views to begin with', async (page) => {
      await showOpenBills(page, accounts.NNUS);
      await page.getByRole('button', { name: 'Suggested views' }).click();
      await expect(page.getByRole('menuitem', { name: 'Not repriced after 14 days' })).toBeVisible();
    }),
    screen('Working on a bill', async (page) => {
      await showOpenBills(page);
      await openRowMenu(page, 0);
      await choose(page, 'Work on bill');
      await expect(dialog(page).getByRole('textbox', { name: 'Note' })).toBeFocused();
    }),
    screen('Filters of the open bills', async (page) => {
      await dismiss(page);
      await page.getByRole('button', { name: 'More filters' }).click();
      await expect(page.getByLabel('Work status')).toBeVisible();
    }),
    screen('Open bills, one state', async (page) => {
      await showOpenBills(page);
      await page.getByRole('button', { name: /^Denied/ }).click();
      await expect(openBills(page).first()).toContainText('Denied');
    }),
    screen('Open bills, chosen', async (page) => {
      await openBills(page).first().getByRole('checkbox').check();
      await expect(page.getByRole('button', { name: 'Snooze', exact: true })).toBeVisible();
    }),
    screen('Assigning a bill', async (page) => {
      await page.getByRole('button', { name: 'Assign', exact: true }).click();
      await expect(dialog(page).getByLabel('Assign to')).toBeVisible();
    }),
    screen('Logging a payer call', async (page) => {
      await dismiss(page);
      await page.getByRole('button', { name: 'Log payer call' }).click();
      await dialog(page).getByRole('radio', { name: 'Payment promised' }).check();
      await dialog(page).getByRole('button', { name: 'Log call' }).click();
      await expect(dialog(page).getByText('Error: Enter today or a later date')).toBeVisible();
    }),
    screen('Notes on a bill', async (page) => {
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await dialog(page).getByRole('button', { name: 'Discard changes' }).click();
      await expect(dialog(page)).toHaveCount(0);
      await openRowMenu(page, 0);
      await choose(page, 'Notes');
      await expect(dialog(page).getByLabel('New note')).toBeVisible();
    }),
    screen('A bill off the list', async (page) => {
      await dismiss(page);
      await openRowMenu(page, 0);
      await choose(page, 'Mark as done');
      await expect(page.getByText(/^Removed from the list: /)).toBeVisible();
    }),
    screen('Keyboard shortcuts of the open bills', async (page) => {
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText(/^Removed from the list: /)).toHaveCount(0);
      await page.getByRole('button', { name: 'Shortcuts' }).click();
      await expect(dialog(page)).toContainText('Next bill');
    }),
    screen('Open bills, failed', async (page) => {
      await dismiss(page);
      await leave(page);
      await mockReply(page, '**/api/work/bills/search', { status: 500 });
      await page.evaluate(() => history.pushState(null, '', '/wcpp/work/bills'));
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    }),
    screen('Open bills, after all', async (page) => {
      await recover(page);
      await restore(page);
      await expect(openBills(page).first()).toBeVisible();
    }),
  ],
  screen('Open bills while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/work/bills');
    await expect(page.getByText(/^While mirroring, you don't see the group's/)).toBeVisible();
    await expect(openBills(page).first()).toBeVisible();
  }),
];
