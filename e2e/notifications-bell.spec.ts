import type { APIRequestContext, Page } from '@playwright/test';
import { accounts, test as base, expect, mirror, openAs, openSession } from './portal';
import { type Portal, startPortal } from './start';
import { dateIn, zone } from './zone';

const test = base.extend<{ isad: Administrator }, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const portal = await startPortal(['demo', '--bills', '10'], { WCPP_TIME_ZONE: zone });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  isad: async ({ playwright, portal }, use) => {
    const request = await playwright.request.newContext({ baseURL: portal.url });
    const headers = { Authorization: `Bearer ${await openSession(request, accounts.ISAD)}` };
    await use({ request, headers, link: `${portal.url}/demo/page/office-hours` });
    await request.dispose();
  },
});

// One portal, and an account per test.
test.describe.configure({ mode: 'default' });

interface Administrator {
  request: APIRequestContext;
  headers: { Authorization: string };
  link: string;
}

/** Sends a notification to an account immediately; returns its ID. */
async function send(
  { request, headers, link }: Administrator,
  name: string,
  userNm: string,
): Promise<number> {
  const person = await request.get(`/api/users/userByName/${userNm}`, { headers });
  const { id } = await person.json();
  const created = await request.put('/api/notifications/create', {
    headers,
    data: { name, campaign: 'Bell', link, userNotList: String(id), sendDt: dateIn(zone).slice(0, 10) },
  });
  expect(await created.text()).toContain('"status":"SCHEDULED"');
  return (await created.json()).wcp_notification_id;
}

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const listed = (page: Page) => page.getByRole('region', { name: 'Announcements' }).getByRole('listitem');
const named = (page: Page, name: string) => listed(page).filter({ hasText: name });

async function openBell(page: Page) {
  await bell(page).click();
  await expect(listed(page).first()).toBeVisible();
}

test('a sent or withdrawn notification shows in every tab without a reload, over one stream', async ({
  page,
  context,
  isad,
}) => {
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/notifications/events/')) streams.push(request.url());
  });
  await openAs(page, accounts.PRUS);
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2');
  const second = await context.newPage();
  await second.goto('/wcpp/home');
  await expect(bell(second)).toHaveAccessibleName('Notifications, 2');
  await expect.poll(() => streams.length).toBe(1);

  const id = await send(isad, 'While you look', accounts.PRUS);
  for (const tab of [page, second]) {
    await expect(bell(tab)).toHaveAccessibleName('Notifications, 3');
    await openBell(tab);
    await expect(named(tab, 'While you look')).toContainText('New');
  }
  expect(streams).toHaveLength(1);

  // The tab with the stream closes, and the other one takes over.
  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  await isad.request.delete(`/api/notifications/deleteUser/${id}`, { headers: isad.headers });
  await expect(named(second, 'While you look')).toHaveCount(0);
  await expect(bell(second)).toHaveAccessibleName('Notifications, 2');
});

test('an opened one is marked as viewed in the other tab too', async ({ page, context, isad }) => {
  await send(isad, 'To be opened', accounts.NNUS);
  await openAs(page, accounts.NNUS);
  await expect(bell(page)).toHaveAccessibleName('Notifications, 3');
  const second = await context.newPage();
  await second.goto('/wcpp/home');
  await openBell(second);
  await openBell(page);
  const link = named(page, 'To be opened').getByRole('link');
  const colour = () => link.evaluate((element) => getComputedStyle(element).color);
  const before = await colour();

  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await expect(opened.getByRole('heading', { name: 'Office hours' })).toBeVisible();
  expect(await opened.evaluate(() => window.opener)).toBeNull();
  for (const tab of [page, second]) await expect(named(tab, 'To be opened')).toContainText('Viewed');
  expect(await colour()).not.toBe(before);
  await expect(bell(page)).toHaveAccessibleName('Notifications, 3');
  await page.reload();
  await openBell(page);
  await expect(named(page, 'To be opened')).toContainText('Viewed');
});

test('a user who mirrors sees the state from the start and marks nothing', async ({
  page,
  browser,
  baseURL,
  isad,
}) => {
  const otherContext = await browser.newContext({ baseURL });
  const mirrored = await otherContext.newPage();
  await openAs(mirrored, accounts.PRAD);
  await expect(bell(mirrored)).toHaveAccessibleName('Notifications, 2');
  const token = await openSession(page.request, accounts.ISAD);
  await mirror(page.request, token, accounts.PRAD);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (/\/notifications\/(events|viewed)\//.test(request.url())) calls.push(request.url());
  });
  await page.goto('/wcpp/home');
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2');
  await openBell(page);
  const first = listed(page).first();
  await Promise.all([page.waitForEvent('popup'), first.getByRole('link').click()]);
  await send(isad, 'While mirroring', accounts.PRAD);
  await expect(bell(mirrored)).toHaveAccessibleName('Notifications, 3');
  await otherContext.close();
  await expect(first).toContainText('New');
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2');
  expect(calls).toEqual([]);
});

test('works by keyboard alone', async ({ page }) => {
  await openAs(page, accounts.ROAD);
  await bell(page).focus();
  await page.keyboard.press('Enter');
  const link = listed(page).first().getByRole('link');
  await expect(link).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  await page.bringToFront();
  await expect(listed(page).first()).toContainText('Viewed');
  await page.keyboard.press('Escape');
  await expect(bell(page)).toBeFocused();
  await expect(listed(page)).toHaveCount(0);
});
