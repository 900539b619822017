import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect, getSearchButton, changeSearch } from '../portal';
import { type Screen, type ScreenGroup, dialog, clients, recover, tryAgain, screen } from './screen';

async function accept(page: Page) {
  await page.getByRole('button', { name: 'ACCEPT AND CONTINUE' }).click();
  await expect(dialog(page)).toHaveCount(0);
}

/** Selects a provider who participates in everything, or another one by the demo's names. */
async function pickProvider(page: Page, tin = '961204117', provider = 'Lakeside Orthopedic') {
  await page.getByRole('combobox', { name: 'Tax ID' }).fill(tin);
  await page.getByRole('option', { name: tin }).click();
  await page.getByRole('combobox', { name: 'Provider' }).fill(provider);
  await page.getByRole('option', { name: provider }).click();
}
async function searchClients(page: Page, product: string) {
  await page.getByRole('combobox', { name: 'State' }).selectOption('OH');
  await page.getByRole('combobox', { name: 'Product' }).selectOption(product);
  await getSearchButton(page).click();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Client List, agreement', async (page) => {
      await openAs(page, accounts.PRUS, '/wcpp/ClientList');
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Client List, agreement not recorded', async (page) => {
      await mockReply(page, '**/api/clients/agreement', 'lost');
      await page.getByRole('button', { name: 'ACCEPT AND CONTINUE' }).click();
      await expect(dialog(page).getByRole('alert')).toBeVisible();
    }),
    screen('Client List', async (page) => {
      await restore(page, '**/api/clients/agreement');
      await accept(page);
    }),
    screen('Client List with errors', async (page) => {
      await getSearchButton(page).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Client List, providers failed', async (page) => {
      await mockReply(page, '**/api/provider/page', { status: 400 });
      await page.getByRole('combobox', { name: 'Tax ID' }).fill('961204117');
      await page.getByRole('option', { name: '961204117' }).click();
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Client List, providers', async (page) => {
      await recover(page);
      await page.getByRole('combobox', { name: 'Tax ID' }).fill('961358561');
      await page.getByRole('option', { name: '961358561' }).click();
      await page.getByRole('combobox', { name: 'Provider' }).click();
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
    }),
    screen('Client List, no states', async (page) => {
      await page.keyboard.press('Escape');
      await pickProvider(page, '961242728', 'Delgado');
      await expect(page.getByRole('alert')).toBeVisible();
    }),
    screen('Client List, failed', async (page) => {
      await mockReply(page, '**/api/clients/getClientsByLOB/**', 'lost');
      await pickProvider(page);
      await searchClients(page, 'Primary PPO');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Client List with results', async (page) => {
      await restore(page, '**/api/clients/getClientsByLOB/**');
      await getSearchButton(page).click();
      await expect(clients(page).getByRole('row')).toHaveCount(10);
    }),
    screen('Client List without results', async (page) => {
      await changeSearch(page);
      await searchClients(page, 'Outcomes Network');
      await expect(page.getByText(/^There are no Clients/)).toBeVisible();
    }),
  ],
  screen('Client List of Auto', async (page) => {
    await mockReply(page, '**/api/clients/getClientsByLOB/**', { added: { 'X-Limited-To': '5000' } });
    await openAs(page, accounts.PRUS, '/wcpp/ClientList');
    await accept(page);
    await page.getByRole('radio', { name: 'Auto' }).check();
    await pickProvider(page);
    await searchClients(page, 'Auto PPO');
    await expect(page.getByText(/^Showing only the first/)).toBeVisible();
  }),
  screen('Client List of internal staff', async (page) => {
    await openAs(page, accounts.ISAD, '/wcpp/ClientList');
    await accept(page);
    await expect(page.getByText(/Mirror a user/)).toBeVisible();
  }),
];
