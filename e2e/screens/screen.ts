import type { Page } from '@playwright/test';
import { restore } from '../replies';
import { address, known } from '../directory';
import { accounts, openAs, expect, type Specimens, getSearchButton } from '../portal';

export interface Screen {
  name: string;
  show: (page: Page, specimens: Specimens) => Promise<void>;
  /** It changes the page's clock or init script, which would affect the next screen. */
  ownBrowser?: boolean;
  /**
   * It shows content that other screens hide in a narrow window: its colors are checked at that
   * width.
   */
  narrow?: boolean;
}

/**
 * States of one page: the first loads it, and each following one continues from the previous
 * without a reload.
 */
export type ScreenGroup = Screen[];

export const billSearch = async (page: Page, userName = accounts.PRUS) => {
  await openAs(page, userName, '/wcpp/billSearch');
  await expect(getSearchButton(page)).toBeVisible();
};
export const dialog = (page: Page) => page.getByRole('dialog');

/** Closes the page's dialog or menu. */
export async function dismiss(page: Page) {
  await page.keyboard.press('Escape');
  await expect(dialog(page).or(page.getByRole('menu'))).toHaveCount(0);
}

/** Opens a screen as an application link does, without a reload. */
export const navigate = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState(null, '', to), `/wcpp/${path}`);

/** Leaves a screen for Home, so that it starts over next time. */
export async function leave(page: Page) {
  await navigate(page, 'home');
  await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
}

export const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });

/** Clicks the retry button after the server has recovered. */
export async function recover(page: Page) {
  await restore(page);
  await tryAgain(page).click();
}

/** A signed-out screen. */
export async function visit(page: Page, address: string) {
  await page.goto(`/wcpp/${address}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}
export const submit = (page: Page) => page.getByRole('button', { name: 'Submit' }).click();

export const users = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody');

export async function manageUsers(page: Page, userName = accounts.PRAD) {
  await openAs(page, userName, '/wcpp/ManageUsers');
  await expect(users(page).getByRole('row').first()).toBeVisible();
}

/** Clears a criterion, unless another one disables it. */
async function clearField(page: Page, criterion: string) {
  const field = page.getByLabel(criterion, { exact: true });
  if (await field.isEnabled()) await field.fill('');
}

/** Finds users by only one criterion, on User Search. */
export async function findUsers(page: Page, criterion: string, typed: string) {
  for (const other of ['Username', 'Group ID'])
    if (other !== criterion) await clearField(page, other);
  await page.getByLabel(criterion, { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'SEARCH' }).click();
}

/** Opens the menu of the row with this text. */
export const openMenu = (page: Page, text: string) =>
  users(page)
    .getByRole('row')
    .filter({ hasText: text })
    .getByRole('button', { name: /^Actions for/ })
    .click();
export const choose = (page: Page, action: string) =>
  page.getByRole('menuitem', { name: action, exact: true }).click();

export const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'OK' }).click();

export const tins = (page: Page) => page.getByRole('table', { name: /TINs$/ }).locator('tbody').getByRole('row');
export const claim = {
  claimNumber: 'WC26110000004',
  claimantFirstName: 'Josephine',
  claimantLastName: 'Quillfeather',
  claimantDOB: '1978-11-09',
  claimantDOI: '2026-02-17',
  stateOfJurisdiction: 'OH',
  claimantGender: 'F',
};

export const clients = (page: Page) => page.getByRole('table', { name: 'Clients' }).locator('tbody');

export const providers = ['Wolfe, Hannah L', 'Patel, Arjun', 'Lakeside Surgery Center of Northern Ohio'].map(
  (prvName, n) => ({
    prvTaxId: '341234567',
    prvId: `${20010 + n}`,
    prvName,
    prvProviderType: ['P', 'A', 'H'][n],
  }),
);
export async function addUser(page: Page, type: string) {
  await openAs(page, accounts.ISAD, '/wcpp/AddUser');
  await page.getByLabel('Account Type').selectOption(type);
  await expect(page.getByLabel('First Name')).toBeVisible();
}
export async function openBell(page: Page) {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('heading', { name: 'Fee Schedules' })).toBeVisible();
}

export const { orthopedics, pain, surgery } = known;
export async function searchGroups(page: Page, label: string, typed: string, userName = accounts.ISAD) {
  await openAs(page, userName, '/wcpp/ManageGroups');
  await page.getByRole('button', { name: 'More Options' }).click();
  await findGroups(page, label, typed);
}

/** Finds groups by only one criterion, on the full form of Manage Groups. */
export async function findGroups(page: Page, label: string, typed: string) {
  for (const other of ['Username', 'Email Address/Domain', 'Portal User Group ID'])
    if (other !== label) await clearField(page, other);
  await page.getByLabel(label, { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'SEARCH' }).click();
}
export const screen = (name: string, show: Screen['show'], options: Pick<Screen, 'ownBrowser' | 'narrow'> = {}): Screen => ({
  name,
  show,
  ...options,
});

