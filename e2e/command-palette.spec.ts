import type { Page } from '@playwright/test';
import { accounts, expect, getMenu, openAs, test } from './portal';

const button = (page: Page) => page.getByRole('button', { name: 'Workspace' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Workspace' });
const field = (page: Page) =>
  page.getByRole('combobox', { name: 'Bill, claim, check or document number, or claimant' });

test('the Workspace finds a bill of either system by keyboard alone', async ({ page, specimens }) => {
  await openAs(page, accounts.PRUS);
  const contact = page.getByRole('button', { name: 'Contact Us' });
  await contact.focus();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(contact).toBeFocused();

  for (const number of [specimens.paid.documentId, specimens.second.billControlNumber]) {
    await page.keyboard.press('Control+K');
    await expect(field(page)).toBeFocused();
    await page.keyboard.type(` ${number.toLowerCase()} `);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/wcpp\/work\/bill\/[\w-]+$/);
    await expect(dialog(page)).toHaveCount(0);
    expect(page.url()).not.toContain(number);
    await page.goBack();
    await expect(page).toHaveURL(/\/wcpp\/home$/);
  }
});

test('the Workspace is in the menu on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, accounts.PRUS);
  await expect(button(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await getMenu(page).getByRole('button', { name: 'Workspace' }).click();
  await field(page).fill('no such bill 7');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('No results for your Tax IDs.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
});

test("no part of the Workspace shows where it's off", { tag: '@off' }, async ({ page }) => {
  await openAs(page, accounts.PRAD);
  await expect(page.getByRole('banner').getByText('Admin User', { exact: true })).toBeVisible();
  await expect(button(page)).toHaveCount(0);
  const taken = await page.evaluate(() =>
    [{ key: '/' }, { key: 'k', ctrlKey: true }].map(
      (keys) =>
        !document.body.dispatchEvent(
          new KeyboardEvent('keydown', { ...keys, cancelable: true, bubbles: true }),
        ),
    ),
  );
  expect(taken).toEqual([false, false]);
  for (const path of [
    'work/find-many',
    'work/call-sheet',
    'work/reasons',
    'desk/reasons',
    'desk/status',
    'work/bill/x',
  ]) {
    await page.goto(`/wcpp/${path}`);
    await expect(page).toHaveURL(/\/wcpp\/PageNotFound$/);
  }
});
