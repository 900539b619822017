import type { Page } from '@playwright/test';
import { mockReply, type Reply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, choose, dialog, dismiss, navigate, leave, openBell, screen, tryAgain } from './screen';

/** Notifications in each status. */
const notifications = (
  [
    ['New fee schedules for Ohio from July on', 'SENT', '2026-03-02', 'Network Development'],
    ['Holiday hours of Customer Service', 'SCHEDULED', '2030-12-20', 'Customer Service'],
    ['Keep your directory entry current: what changes for offices with several locations', 'READY', null, ''],
    ['Provider Portal Notification', 'DRAFT', null, 'Marketing'],
  ] as const
).map(([name, status, sendDt, requestedBy], n) => ({
  wcp_notification_id: 4 - n,
  name,
  sendDt,
  status,
  sendEmail: 'NO',
  campaign: status === 'DRAFT' ? '' : 'Provider news 2026',
  requestedBy,
  createDt: '2026-02-20T15:00:00.000000Z',
  lastUpdate: `2026-03-0${4 - n}T15:00:00.000000Z`,
  lastUpdateBy: status === 'SENT' ? 'system' : accounts.ISAD,
  userNotList: '1,2,987654321',
  link: status === 'DRAFT' ? '' : 'https://news.example.com/offices/what-is-new-for-the-network',
}));

async function showNotifications(page: Page, rows: object[] = notifications) {
  await mockReply(page, '**/api/notifications/list', { json: rows });
  await openAs(page, accounts.ISAD, '/wcpp/Notifications');
  await expect(page.getByRole('heading', { name: 'All Notifications' })).toBeVisible();
}
async function actOn(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await choose(page, action);
}
async function manageRecipients(page: Page, action?: string) {
  if (action) await actOn(page, action, 'EDIT');
  await page.getByRole('button', { name: 'MANAGE RECIPIENTS' }).click();
  await expect(page.getByRole('heading', { name: 'Selected Recipients' })).toBeVisible();
}
const searchRecipients = (page: Page) => page.getByRole('button', { name: 'SEARCH RECIPIENTS' }).click();

/** Sets the response to the search for recipients. */
const answerRecipients = (page: Page, reply: Reply) => mockReply(page, '**/api/admin/userList', reply);
/** Opens the page of all notifications from another page. */
async function openNotifications(page: Page) {
  await leave(page);
  await navigate(page, 'Notifications');
  await expect(page.getByRole('heading', { name: 'All Notifications' })).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  screen('Bell, notifications not loaded', async (page) => {
    await mockReply(page, '**/api/notifications/user/**', { status: 400 });
    await openAs(page, accounts.PRUS);
    await openBell(page);
    await expect(page.getByText("Couldn't load notifications.")).toBeVisible();
  }),
  [
    screen('Notifications', (page) => showNotifications(page)),
    screen('Notifications, menu of a row', async (page) => {
      await page.getByRole('button', { name: 'Actions for Holiday hours of Customer Service' }).click();
      await expect(page.getByRole('menuitem')).toHaveCount(2);
    }),
    screen('Notifications, not saved', async (page) => {
      await dismiss(page);
      await mockReply(page, '**/api/notifications/create', 'lost');
      await page.getByLabel('Campaign', { exact: true }).fill('Provider news');
      await page.getByRole('button', { name: 'CREATE NOTIFICATION' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Notifications, empty form', async (page) => {
      await page.getByRole('button', { name: 'RESET' }).click();
      await page.getByRole('button', { name: 'CREATE NOTIFICATION' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Notifications with errors', async (page) => {
      await dismiss(page);
      await page.getByLabel('Notification Link').fill('news.example.com');
      await page.getByLabel('Notification Send Date').fill('01/02/2026');
      await page.getByRole('button', { name: 'CREATE NOTIFICATION' }).click();
      await expect(page.getByText('Error: Enter Notification name')).toBeVisible();
    }),
    screen('Notifications, a sent one', async (page) => {
      await openNotifications(page);
      await actOn(page, 'New fee schedules for Ohio from July on', 'EDIT');
      await expect(page.getByRole('button', { name: 'UPDATE NOTIFICATION' })).toBeDisabled();
    }),
    screen('Notifications, one edited', async (page) => {
      await openNotifications(page);
      await actOn(page, 'Holiday hours of Customer Service', 'EDIT');
      await expect(page.getByText('3 recipients selected')).toBeVisible();
    }),
    screen('Notifications, saved', async (page) => {
      await mockReply(page, '**/api/notifications/update', { json: notifications[1] });
      await page.getByRole('button', { name: 'UPDATE NOTIFICATION' }).click();
      await expect(page.getByText('Notification updated.')).toBeVisible();
    }),
    screen('Notifications, un-publish', async (page) => {
      await actOn(page, 'New fee schedules for Ohio from July on', 'UN-PUBLISH');
      await expect(dialog(page)).toBeVisible();
    }),
  ],
  screen('Notifications without any', async (page) => {
    await showNotifications(page, []);
    await expect(page.getByText(/^No notifications yet/)).toBeVisible();
  }),
  screen('Notifications, failed', async (page) => {
    await mockReply(page, '**/api/notifications/list', { status: 400 });
    await openAs(page, accounts.ISAD, '/wcpp/Notifications');
    await expect(tryAgain(page)).toBeVisible();
  }),
  [
    screen('Notification recipients, failed', async (page) => {
      await showNotifications(page);
      await mockReply(page, '**/api/admin/userList', { status: 400 });
      await manageRecipients(page, 'Holiday hours of Customer Service');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Notification recipients', async (page) => {
      await restore(page, '**/api/admin/userList');
      await tryAgain(page).click();
      await expect(page.getByText(/^1 recipient no longer found/)).toBeVisible();
    }),
    screen('Notification recipients of a sent one', async (page) => {
      await openNotifications(page);
      await manageRecipients(page, 'New fee schedules for Ohio from July on');
      await expect(page.getByText(/^This notification was sent/)).toBeVisible();
    }),
    screen('Notification recipients, none', async (page) => {
      await openNotifications(page);
      await manageRecipients(page);
      await expect(page.getByText(/^No recipients yet/)).toBeVisible();
    }),
    screen('Recipient search, one criterion', async (page) => {
      await searchRecipients(page);
      await page.getByLabel('Group ID', { exact: true }).fill('1001');
      await expect(page.getByLabel('Email Address')).toBeDisabled();
    }),
    screen('Recipient search with errors', async (page) => {
      await page.getByLabel('Group ID', { exact: true }).fill('');
      await searchRecipients(page);
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Recipient search without results', async (page) => {
      await answerRecipients(page, { json: [] });
      await page.getByLabel('Email Address', { exact: true }).fill('nobody');
      await searchRecipients(page);
      await expect(page.getByText(/^There are no users available/)).toBeVisible();
    }),
    screen('Recipient search', async (page) => {
      await mockReply(page, '**/api/admin/userList', { added: { 'X-Limited-To': '1000' } });
      await page.getByLabel('Email Address', { exact: true }).fill('*example');
      await searchRecipients(page);
      const found = page.getByRole('table', { name: 'Users Found' }).locator('tbody');
      await found.getByRole('checkbox').nth(1).check();
      await found.getByRole('checkbox').nth(3).check();
      await page.getByRole('button', { name: 'ADD SELECTED' }).click();
      await expect(page.getByText('2 recipients added.')).toBeVisible();
    }),
    screen('Recipient search, failed', async (page) => {
      await answerRecipients(page, 'lost');
      await page.getByLabel('Email Address', { exact: true }).fill('*fails');
      await searchRecipients(page);
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Recipient search under way', async (page) => {
      await answerRecipients(page, 'unanswered');
      await page.getByLabel('Email Address', { exact: true }).fill('*never');
      await searchRecipients(page);
      await expect(page.getByText('Please wait while we retrieve data.')).toBeVisible();
    }),
  ],
  [
    screen('Everyone who matches', async (page) => {
      await mockReply(page, '**/api/notifications/audience', { json: { count: 200_000, excluded: 1 } });
      await showNotifications(page);
      await manageRecipients(page);
      await page.getByRole('radio', { name: 'Everyone who matches' }).check();
      await page.getByLabel('States').fill('OH, KY');
      await page.getByRole('button', { name: 'COUNT' }).click();
      await expect(page.getByText(/^200,000 users match now/)).toBeVisible();
    }),
    screen('Everyone who matches, errors', async (page) => {
      await page.getByLabel('Group IDs').fill('north');
      await page.getByRole('button', { name: 'COUNT' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Everyone who matches, on the form', async (page) => {
      await page.getByLabel('Group IDs').fill('');
      await page.getByRole('button', { name: 'CLOSE' }).click();
      await expect(page.getByText(/^Everyone who matches: everyone with state KY or OH/)).toBeVisible();
    }),
  ],
  screen('Notification recipients, not permitted', async (page) => {
    await openAs(page, accounts.PRAD, '/wcpp/ManageRecipients');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }),
];
