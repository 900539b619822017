import type { Page } from '@playwright/test';
import { accounts, expect, getMenu, mirror, openAs, openSession, test } from './portal';
import { mockReply, restore } from './replies';

const list = '**/api/resources/provider-resources.json';
const rows = (page: Page) => page.getByRole('table', { name: 'Documents' }).locator('tbody').getByRole('row');
const category = (page: Page) => page.getByRole('combobox', { name: 'Category' });
const failed = 'Error: There was an error retrieving data. Please try again or contact Customer Service.';

const open = async (page: Page, userName = accounts.PRUS) => {
  await openAs(page, userName);
  await getMenu(page).getByRole('link', { name: 'Provider Resources' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Provider Resources' })).toBeFocused();
};

test('lists all documents, filters them by category and name, sorts and pages', async ({ page }) => {
  await open(page);
  await expect(page.getByText('26 found')).toBeVisible();
  await expect(rows(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(rows(page)).toHaveCount(6);
  await category(page).selectOption('Release Notes');
  await expect(rows(page)).toHaveCount(5);
  await page.getByRole('button', { name: /^Name/ }).click();
  await expect(rows(page).first()).toContainText('Portal Release 2.3.35');
  await page.getByRole('textbox', { name: 'Filter by Name' }).fill('2.3.33');
  await expect(rows(page)).toHaveCount(1);
  await category(page).selectOption('Training');
  await expect(page.getByText('No documents match this category and name.')).toBeVisible();
});

test('opens a document in a new window with the cookie, at the content path', {
  tag: '@pdf',
}, async ({ page }) => {
  await open(page);
  const link = page.getByRole('link', { name: 'Accreditation Renewed' });
  await expect(link).toHaveAttribute('data-walkme-id', 'provider-resource-accreditation-renewed');
  await expect(link).toHaveAttribute(
    'href',
    /\/api\/resources\/documents\/press-releases\/accreditation-renewed\.pdf$/,
  );
  const opening = page.waitForEvent('popup');
  await link.click();
  const opened = await opening;
  await expect.poll(() => opened.url()).toMatch(/accreditation-renewed\.pdf$/);
  const answer = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toBe('application/pdf');
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

test("links to the network's website without a referrer", async ({ page }) => {
  await open(page);
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: /^Visit our website/ }).click();
  const opened = await opening;
  await opened.waitForLoadState();
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
});

test('skips and counts hostile entries', async ({ page }) => {
  await mockReply(page, list, {
    json: [
      {
        properties: { name: '<img src=x onerror=alert(1)>', category: 'Training' },
        links: [{ href: '/a.pdf' }],
      },
      { properties: { name: 'Script', category: 'Training' }, links: [{ href: 'javascript:alert(1)' }] },
      { properties: { name: 'Out', category: 'Training' }, links: [{ href: '/../../session' }] },
      null,
    ],
  });
  await open(page);
  await expect(page.getByText(/^3 documents can't be shown/)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('link', { name: '<img src=x onerror=alert(1)>' })).toBeVisible();
});

test('shows an error and retries', async ({ page }) => {
  await mockReply(page, list, { status: 404, json: { message: 'no' } });
  await open(page);
  await expect(page.getByText(failed)).toBeVisible();
  await restore(page, list);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows(page)).toHaveCount(10);
});

test('shows that the list is empty', async ({ page }) => {
  await mockReply(page, list, { json: [] });
  await open(page);
  await expect(page.getByText('No documents yet.')).toBeVisible();
});

test('is available to internal staff, also while they mirror', async ({ page }) => {
  await open(page, accounts.IRAD);
  await expect(rows(page)).toHaveCount(10);
  const token = await openSession(page.request, accounts.ISAD);
  await mirror(page.request, token, accounts.PRUS);
  await page.goto('/wcpp/providerResources');
  await expect(rows(page)).toHaveCount(10);
});

for (const type of ['NNUS', 'ROAD', 'ROUS'] as const)
  test(`isn't for ${type}, whose session ends`, async ({ page }) => {
    await openSession(page.request, accounts[type]);
    await page.goto('/wcpp/providerResources');
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });
