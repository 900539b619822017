import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, recover, screen, tryAgain } from './screen';

/** Provider Resources with this list, or none. */
async function providerResources(page: Page, list: object[] | null) {
  await mockReply(page, '**/api/resources/provider-resources.json', list ? { json: list } : { status: 404 });
  await openAs(page, accounts.PRUS, '/wcpp/providerResources');
}

export const screens: (Screen | ScreenGroup)[] = [
  screen('Home, document, failed', async (page) => {
    await mockReply(page, '**/api/resources/**', { status: 503 });
    await openAs(page, accounts.PRUS);
    const manual = { name: 'Read the provider manual' };
    await page.frameLocator('iframe[title="Home"]').getByRole('button', manual).click();
    await expect(tryAgain(page)).toBeVisible();
  }),
  [
    screen('Provider Resources, failed', async (page) => {
      await providerResources(page, null);
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Provider Resources', async (page) => {
      await recover(page);
      await expect(page.getByRole('table', { name: 'Documents' })).toBeVisible();
    }),
    screen('Provider Resources, nothing found', async (page) => {
      await page.getByRole('textbox', { name: 'Filter by Name' }).fill('nothing is called so');
      await expect(page.getByText('No documents match this category and name.')).toBeVisible();
    }),
  ],
  screen('Provider Resources, some left out', async (page) => {
    const properties = { name: 'Network Provider Manual', category: 'Provider Manuals', walkmeId: '' };
    await providerResources(page, [{ properties, links: [{ href: '/a.pdf' }] }, {}]);
    await expect(page.getByText(/^1 document can't be shown/)).toBeVisible();
  }),
  screen('Provider Resources without documents', async (page) => {
    await providerResources(page, []);
    await expect(page.getByText('No documents yet.')).toBeVisible();
  }),
];
