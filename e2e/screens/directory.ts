import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { address, chooseTin, expand, known, openProvider, section, showProvider } from '../directory';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, dialog, dismiss, orthopedics, pain, recover, surgery, tryAgain, screen } from './screen';

const refuseDirectory = (page: Page, path: string) =>
  mockReply(page, path, { status: 400, json: { message: 'The directory is busy.' } });

/** Returns to Demographic Search and opens another provider. */
async function openProviderPage(page: Page, tin: string, name: string) {
  await page.goBack();
  await chooseTin(page, tin);
  await openProvider(page, name);
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Demographics', async (page) => {
      await openAs(page, accounts.PRUS, address);
      await expect(page.getByText('Select a Tax ID to Search for Providers...')).toBeVisible();
    }),
    screen('Demographics, providers failed', async (page) => {
      await refuseDirectory(page, '**/api/provider/page');
      await chooseTin(page, pain.tin);
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Demographics, providers of a Tax ID', async (page) => {
      await recover(page);
      await expect(page.getByRole('table', { name: 'Providers' })).toBeVisible();
    }),
    screen('Physician, location focus', async (page) => {
      await openProvider(page, pain.physician);
      await expand(page, 'Locations');
      await page.getByRole('button', { name: /^View Details/ }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Physician', async (page) => {
      await dismiss(page);
      await openProviderPage(page, orthopedics.tin, orthopedics.physician);
      await expect(section(page, 'Licenses')).toHaveText(/on file$/);
    }),
    screen('Physician, all sections', (page) => expand(page, 'Specialties', 'Locations', 'Licenses')),
    screen('Facility, all sections', async (page) => {
      await openProviderPage(page, pain.tin, pain.facility);
      await expand(page, 'Locations', 'Licenses');
    }),
    screen('Facility, location', async (page) => {
      await page.getByRole('button', { name: /^View Details/ }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Facility without more than its record', async (page) => {
      await dismiss(page);
      await openProviderPage(page, surgery.tin, surgery.facility);
      await expand(page, 'Locations');
    }),
    screen('Demographics, no providers', async (page) => {
      await page.goBack();
      await mockReply(page, '**/api/provider/page', { json: { rows: [], count: 0 } });
      await chooseTin(page, known.hands.tin);
      await expect(page.getByText('No Providers found for the selected Tax ID')).toBeVisible();
    }),
  ],
  screen('Demographics without Tax IDs', async (page) => {
    await openAs(page, accounts.ISAD, address);
    await expect(page.getByText(/Mirror a user/)).toBeVisible();
  }),
  screen('Physician under way', async (page) => {
    await mockReply(page, '**/api/provider/Phys/*', 'unanswered');
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Loading Physician...')).toBeVisible();
  }),
  screen('Physician, failed', async (page) => {
    await refuseDirectory(page, '**/api/provider/Phys/*');
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Error loading Physician data.')).toBeVisible();
  }),
  screen('Physician, parts failed', async (page) => {
    await refuseDirectory(page, '**/api/provider/Phys/Loc/*');
    await refuseDirectory(page, '**/api/provider/Phys/Lic/*');
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Error loading Physician licenses data.')).toBeVisible();
  }),
];
