import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { dialog, dismiss, recover, type Screen, screen, type ScreenGroup } from './screen';

export const figure = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Bill updates' }).getByRole('button', { name });

export const behind = (page: Page, title: string) =>
  page.getByRole('table', { name: `Bills: ${title}` }).locator('tbody').getByRole('row');

export async function showToday(page: Page, account = accounts.PRUS) {
  await openAs(page, account, '/wcpp/work');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Today', (page) => showToday(page)),
    screen('Today, the bills behind a figure', async (page) => {
      await figure(page, 'Paid').first().click();
      await expect(behind(page, 'paid').first()).toBeVisible();
    }),
    screen('Today, a chart as a table', async (page) => {
      await page.getByText('Show as table').first().click();
      await expect(page.getByRole('table', { name: 'Open bills by age' })).toBeVisible();
    }),
  ],
  [
    screen('Today, failed', async (page) => {
      await mockReply(page, '**/api/work/alerts', { status: 500 });
      await openAs(page, accounts.PRUS, '/wcpp/work');
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    }),
    screen('Today, after all', async (page) => {
      await recover(page);
      await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible();
    }),
  ],
  [
    screen('Email settings of the office', async (page) => {
      await openAs(page, accounts.PRAD, '/wcpp/work/mails');
      await expect(page.getByRole('table', { name: 'Shared office mailboxes' })).toBeVisible();
    }),
    screen('Email settings, daily', async (page) => {
      await page.getByLabel('Bill updates').selectOption('Daily');
      await expect(page.getByLabel('Time', { exact: true })).toBeVisible();
    }),
    screen('Adding a mailbox', async (page) => {
      await page.getByRole('button', { name: 'Add mailbox' }).click();
      await expect(dialog(page).getByLabel('Email address')).toBeVisible();
    }),
    screen('Email settings, the dialog closed', async (page) => {
      await dismiss(page);
      await expect(dialog(page)).toHaveCount(0);
    }),
  ],
  screen('Today, the first time', async (page) => {
    await mockReply(page, '**/api/work/alerts', {
      json: { first: true, since: null, asOf: '', counts: [], window: 'x', asked: false, stopped: [] },
    });
    await mockReply(page, '**/api/work/alerts/seen', { status: 204, body: '' });
    await showToday(page);
    await expect(page.getByRole('button', { name: 'Mondays' })).toBeVisible();
  }),
  screen('Confirming a mailbox', async (page) => {
    await page.goto('/wcpp/confirmMailbox?token=x');
    await expect(page.getByRole('button', { name: 'Confirm office mailbox' })).toBeVisible();
  }),
];
