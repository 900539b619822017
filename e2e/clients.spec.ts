import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { test } from './people';
import {
  accounts,
  changeSearch,
  expect,
  expectInWidth,
  getMenu,
  getSearchButton,
  getSearchLine,
  mirror,
  openAs,
  openSession,
} from './portal';
import { mockReply, restore } from './replies';

const agreement =
  "This tool tells you which clients consider you to be part of their network. Clients may exclude providers. Workers' compensation and auto payers do not issue ID cards.";
const general = 'Error: An error has occurred. Please contact Customer Service.';
/** With the network's name, as configured in the demo. */
const noProviders = 'Error: There are no active providers that are participating in Harborline Network.';
const noClients =
  'There are no Clients for the selected criteria, please revise your search criteria and try again';
const steerage =
  'Clients listed for Auto may steer their members to network providers where the law allows it.';

/** Demo data: the TIN of a provider in two states with every product, and of others with fewer. */
const demo = {
  tin: '961204117',
  provider: 'Lakeside Orthopedic Associates (200100)',
  withoutAuto: 'Olsen, Rosa J (500100)',
  otherTin: '961242728',
  withoutStates: 'Delgado, Jasmine F (500153)',
};

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Client List' });
const problems = (page: Page) => page.getByRole('group', { name: 'Message' });
const picker = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true });
const rows = (page: Page) => page.getByRole('table', { name: 'Clients' }).locator('tbody').getByRole('row');
const download = (page: Page) => page.getByRole('button', { name: 'DOWNLOAD' });
const cookie = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'clientListAgreement');

const accept = (page: Page) => dialog(page).getByRole('button', { name: 'ACCEPT AND CONTINUE' }).click();

async function openClientList(page: Page, userName = accounts.PRUS) {
  await openAs(page, userName, '/wcpp/ClientList');
  await accept(page);
  await expect(getSearchButton(page)).toBeVisible();
}

async function pickTyped(page: Page, label: 'Tax ID' | 'Provider', option: string) {
  await picker(page, label).fill(option);
  await page.getByRole('option', { name: option }).click();
}

/** Selects the given values, starting with the first picker. */
async function pick(page: Page, tin: string, provider?: string, state?: string, product?: string) {
  await pickTyped(page, 'Tax ID', tin);
  if (provider) await pickTyped(page, 'Provider', provider);
  if (state) await picker(page, 'State').selectOption(state);
  if (product) await picker(page, 'Product').selectOption(product);
}

async function find(page: Page, product = 'Primary PPO') {
  await pick(page, demo.tin, demo.provider, 'OH', product);
  await getSearchButton(page).click();
}

test.describe('the agreement', () => {
  test('appears before the screen from the menu, and Decline goes back', async ({ page }) => {
    await openAs(page, accounts.PRUS, '/wcpp/billSearch');
    const menu = getMenu(page).getByRole('link', { name: 'Client List' });
    await menu.click();
    await expect(dialog(page)).toContainText(agreement);
    await expect(dialog(page).getByRole('button', { name: 'DECLINE' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    expect(await cookie(page)).toBeUndefined();

    await menu.click();
    const recorded = page.waitForResponse('**/api/clients/agreement');
    await accept(page);
    expect((await recorded).ok()).toBe(true);
    await expect(getSearchButton(page)).toBeVisible();
    expect(await cookie(page)).toMatchObject({ value: 'Y', path: '/', secure: true, expires: -1 });
    await page.reload();
    await expect(getSearchButton(page)).toBeVisible();
    await expect(dialog(page)).toHaveCount(0);
  });

  test('appears before the screen from its address too, and Decline goes home', async ({ page }) => {
    await openAs(page, accounts.PRUS, '/wcpp/ClientList');
    await expect(dialog(page)).toBeVisible();
    await expect(getSearchButton(page)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'DECLINE' }).click();
    await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
  });

  test("counts only once it's recorded", async ({ page }) => {
    await mockReply(page, '**/api/clients/agreement', 'lost');
    await openAs(page, accounts.PRUS, '/wcpp/ClientList');
    await accept(page);
    await expect(dialog(page)).toContainText(general);
    expect(await cookie(page)).toBeUndefined();
    await restore(page, '**/api/clients/agreement');
    await accept(page);
    await expect(getSearchButton(page)).toBeVisible();
  });

  test("isn't recorded for a mirrored user, but that user's Tax IDs appear", async ({ page }) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/ClientList');
    let recorded = false;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/clients/agreement')) recorded = true;
    });
    await accept(page);
    await find(page);
    await expect(rows(page)).toHaveCount(10);
    expect(recorded).toBe(false);
  });
});

test.describe('the pickers', () => {
  test('follow one another, by keyboard, and changing one resets the following ones', async ({ page }) => {
    await openClientList(page);
    for (const label of ['Provider', 'State', 'Product']) await expect(picker(page, label)).toBeDisabled();
    await expect(page.getByRole('radio', { name: "Workers' Comp" })).toBeChecked();

    await picker(page, 'Tax ID').focus();
    await page.keyboard.type(demo.tin);
    await expect(page.getByRole('option', { name: demo.tin })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(picker(page, 'Provider')).toBeFocused();
    await page.keyboard.type('Lakeside Orth');
    await expect(page.getByRole('option', { name: demo.provider })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(picker(page, 'State')).toBeFocused();
    await expect(picker(page, 'State').getByRole('option')).toHaveText(['Select', 'OH', 'PA']);
    await page.keyboard.type('OH');
    await page.keyboard.press('Tab');
    await expect(picker(page, 'Product')).toBeFocused();
    await expect(picker(page, 'Product').getByRole('option')).toHaveText([
      'Select',
      'Medical Provider Network',
      'Outcomes Network',
      'Primary PPO',
    ]);
    await page.keyboard.type('Pri');
    await expect(picker(page, 'Product')).toHaveValue('PPO');

    // The line of business only affects the products.
    await page.getByRole('radio', { name: 'Auto' }).check();
    await expect(picker(page, 'State')).toHaveValue('OH');
    await expect(picker(page, 'Product')).toHaveValue('');
    await expect(picker(page, 'Product').getByRole('option')).toHaveText([
      'Select',
      'Auto Outcomes',
      'Auto PPO',
    ]);

    await pickTyped(page, 'Tax ID', demo.otherTin);
    await expect(picker(page, 'Provider')).toHaveValue('');
    await expect(picker(page, 'State')).toBeDisabled();
    await expect(picker(page, 'State')).toHaveValue('');
    await expect(picker(page, 'Product')).toBeDisabled();

    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(picker(page, 'Tax ID')).toHaveValue('');
    await expect(picker(page, 'Provider')).toBeDisabled();
    await expect(page.getByRole('radio', { name: "Workers' Comp" })).toBeChecked();
  });

  test('are all required', async ({ page }) => {
    await openClientList(page);
    await getSearchButton(page).click();
    await expect(problems(page)).toBeFocused();
    await expect(problems(page)).toContainText(
      'An error has occurred. Please address all fields marked with "Error".',
    );
    await expect(problems(page).getByRole('link')).toHaveText([
      'Error: Select Tax ID',
      'Error: Select Provider',
      'Error: Select State',
      'Error: Select Product',
    ]);
    await pick(page, demo.tin, demo.provider, 'OH');
    await getSearchButton(page).click();
    await expect(problems(page).getByRole('link')).toHaveText(['Error: Select Product']);
  });

  test('show when there is nothing to select', async ({ page }) => {
    await openClientList(page);
    const alert = page.getByRole('alert');
    await pick(page, demo.otherTin, demo.withoutStates);
    await expect(alert).toHaveText('Error: States not found');

    await page.getByRole('radio', { name: 'Auto' }).check();
    await pick(page, demo.tin, demo.withoutAuto, 'OH');
    await expect(alert).toHaveText('Error: Product not found');
    await page.getByRole('radio', { name: "Workers' Comp" }).check();
    await expect(alert).toHaveCount(0);
  });

  test('show that a TIN has no providers', async ({ page, office }) => {
    await openClientList(page, office.admin.userNm);
    await expect(page.getByRole('alert')).toHaveText(noProviders);
    // A user's only Tax ID is preselected.
    await expect(picker(page, 'Tax ID')).toHaveValue(office.tin);
  });

  for (const [call, text] of [
    ['provider/page', general],
    ['clients/states', 'Error: States not found'],
    ['clients/getProductsByProv', 'Error: Product not found'],
  ] as const)
    test(`recover from a failed ${call}`, async ({ page }) => {
      const calls = `**/api/${call}**`;
      await mockReply(page, calls, { status: 400 });
      await openClientList(page);
      await pick(page, demo.tin);
      if (call !== 'provider/page') await pickTyped(page, 'Provider', demo.provider);
      if (call === 'clients/getProductsByProv') await picker(page, 'State').selectOption('OH');
      await expect(page.getByRole('alert')).toContainText(text);
      await restore(page, calls);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('alert')).toHaveCount(0);
      if (call === 'provider/page') await pickTyped(page, 'Provider', demo.provider);
      else
        await expect(
          picker(page, call === 'clients/states' ? 'State' : 'Product').getByRole('option'),
        ).not.toHaveCount(1);
    });
});

test.describe('the clients', () => {
  test('are listed and downloaded, and disappear when the selection changes', async ({ page }) => {
    await openClientList(page);
    const answer = page.waitForResponse('**/api/clients/getClientsByLOB/**');
    await find(page);
    const clients: { aeName: string }[] = await (await answer).json();
    await expect(page.getByText(`${clients.length} found`, { exact: true })).toBeVisible();
    await expect(page.getByRole('columnheader')).toHaveText([
      'Client',
      'Affiliated Payor',
      'Electronic Claims',
      'Billing Attention',
      'Billing Address',
      'Electronic Claims Phone',
      'Billing Phone',
      'Payor ID',
    ]);
    await expect(page.getByText(steerage)).toHaveCount(0);
    await expect(rows(page).first().getByRole('cell').nth(5)).toHaveText(/^\d{3}-\d{3}-\d{4}$/);

    const saved = page.waitForEvent('download');
    await download(page).click();
    expect((await saved).suggestedFilename()).toBe('Client_List.xlsx');
    await expect(download(page)).not.toHaveAttribute('aria-disabled');

    await changeSearch(page);
    await picker(page, 'Product').selectOption('Medical Provider Network');
    await expect(rows(page)).toHaveCount(0);
    await expect(download(page)).toHaveCount(0);
  });

  test('can be downloaded in any number', async ({ page }) => {
    await openClientList(page);
    const calls = '**/api/clients/getClientsByLOB/**';
    const answered = page.waitForResponse(calls);
    await find(page);
    const clients: object[] = await (await answered).json();
    // Makes a file of the workbook larger than the writer's limit for a worker from a blob.
    await mockReply(page, calls, {
      json: Array.from({ length: 3_000 }, (_, n) => clients[n % clients.length]),
    });
    await changeSearch(page);
    await getSearchButton(page).click();
    await expect(page.getByText('3,000 found', { exact: true })).toBeVisible();
    const saved = page.waitForEvent('download');
    await download(page).click();
    const file = await (await saved).path();
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
    await expect(download(page)).not.toHaveAttribute('aria-disabled');
  });

  test('of Auto come with a notice of steerage', async ({ page }) => {
    await openClientList(page);
    await page.getByRole('radio', { name: 'Auto' }).check();
    await find(page, 'Auto PPO');
    await expect(rows(page).first()).toBeVisible();
    await expect(page.getByText(steerage)).toBeVisible();
  });

  test('can be none, and then there is no download', async ({ page }) => {
    await openClientList(page);
    await find(page, 'Outcomes Network');
    await expect(page.getByText(noClients, { exact: true })).toBeVisible();
    await expect(download(page)).toBeDisabled();
  });

  test("show when they're incomplete or couldn't load", async ({ page }) => {
    const calls = '**/api/clients/getClientsByLOB/**';
    await openClientList(page);
    await mockReply(page, calls, { status: 500 });
    await find(page);
    await expect(page.getByRole('alert')).toHaveText(general);
    await restore(page, calls);
    await mockReply(page, calls, { added: { 'X-Limited-To': '5000' } });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Showing only the first 5,000 clients.')).toBeVisible();
  });

  test('survive Reload and Back', async ({ page }) => {
    await openClientList(page);
    await find(page);
    await page.getByLabel('Filter by Client', { exact: true }).fill('mutual');
    const expectKept = async () => {
      await expect(page.getByLabel('Filter by Client', { exact: true })).toHaveValue('mutual');
      await expect(rows(page).first()).toContainText('Mutual');
      await expect(getSearchLine(page).locator('span')).toHaveText([
        'Your search',
        "Workers' Comp",
        `Tax ID ${demo.tin}`,
        'Lakeside Orthopedic Associates',
        'OH',
        'Primary PPO',
      ]);
      await expect(page).toHaveURL(/\/wcpp\/ClientList$/);
    };
    await expectKept();
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain('mutual');
    await page.reload();
    await expectKept();
    await getMenu(page).getByRole('link', { name: 'Bill Search' }).click();
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    await page.goBack();
    await expectKept();
  });

  test('fit a narrow window: each row is a card with all values', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 720 });
    await openClientList(page);
    await find(page);
    await expectInWidth(rows(page).first().getByRole('cell'), 320);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  });
});

for (const userName of [accounts.IRAD, accounts.ISAD])
  test(`${userName} is asked to mirror a user`, async ({ page }) => {
    await openAs(page, userName, '/wcpp/ClientList');
    await accept(page);
    await expect(page.getByText(/Mirror a user from User Search\.$/)).toBeVisible();
  });
