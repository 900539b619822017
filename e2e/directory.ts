import { expect, type Locator, type Page } from '@playwright/test';
import { accounts, openAs } from './portal';

/** The demo's directory data for the Tax IDs of prad.demo and prus.demo. */
export const known = {
  /**
   * A physician with several locations, one of them with details, and a clinic with services of
   * each kind.
   */
  orthopedics: { tin: '961204117', physician: 'Olsen, Rosa J', facility: 'Lakeside Orthopedic Associates' },
  /**
   * A clinic without licenses, with many services, and a physician with more services than fit
   * on a page.
   */
  pain: { tin: '961281339', physician: 'Stanton, Zoe S', facility: 'Lakeside Pain Management' },
  /** Providers with only a basic record. */
  surgery: { tin: '961319950', facility: 'Lakeside Surgery Center' },
  hands: { tin: '961397172', physician: 'Walsh, Nathan L' },
};

export const address = '/wcpp/Demographics/DemographicSearch';

export const picker = (page: Page): Locator => page.getByRole('combobox', { name: 'Select Tax ID' });
export const providers = (page: Page): Locator =>
  page.getByRole('table', { name: 'Providers' }).locator('tbody').getByRole('row');
export const getRows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody').getByRole('row');

/** Selects a Tax ID on Demographic Search. */
export async function chooseTin(page: Page, tin: string): Promise<void> {
  await picker(page).fill(tin);
  await page.getByRole('option', { name: tin }).click();
}

/** Signs in and lists a Tax ID's providers. */
export async function listProviders(page: Page, tin: string, userName = accounts.PRUS): Promise<void> {
  await openAs(page, userName, address);
  await chooseTin(page, tin);
}

export const openProvider = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Signs in and shows a provider's page. */
export async function showProvider(page: Page, tin: string, name: string): Promise<void> {
  await listProviders(page, tin);
  await openProvider(page, name);
}

/** A section's button, which shows the number of entries. */
export const section = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${name}( .*on file)?$`) });

export async function expand(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await section(page, name).click();
    await expect(section(page, name)).toHaveAttribute('aria-expanded', 'true');
  }
}
