import type { Page } from '@playwright/test';
import {
  accounts,
  changeSearch,
  expect,
  expectInWidth,
  getMenu,
  getPortalData,
  getSearchButton,
  getSearchLine,
  mirror,
  openAs,
  openSession,
  test,
} from './portal';
import { mockReply, restore } from './replies';
import { importFile } from './start';

const noClaims =
  'Error: There are no Claims available for the criteria entered, please revise your search criteria and try again';
const failed = 'Error: There was an error retrieving data. Please try again or contact Customer Service.';

const call = '**/api/globalclaim/searchByClaimant';
const problems = (page: Page) => page.getByRole('group', { name: 'Message' });
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const table = (page: Page) => page.getByRole('table', { name: 'Claims' });
const rows = (page: Page) => table(page).locator('tbody').getByRole('row');
const numbers = (page: Page) => rows(page).getByRole('cell').first();

/** One person with twelve claims from one accident, and one whose first name starts the same. */
const lastName = 'Quillfeather';
const claims = [
  'claim_number,payer_id,payer_name,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury,state_of_jurisdiction,claimant_gender',
  ...Array.from(
    { length: 12 },
    (_, n) =>
      `QF-${String(n + 1).padStart(3, '0')},60054,Harbor Mutual,Josephine,${lastName},1978-11-09,2026-02-17,${n % 2 ? 'PA' : 'OH'},F`,
  ),
  `QF-100,60054,Harbor Mutual,Joseph,${lastName},1978-11-09,2026-02-17,OH,M`,
].join('\n');

test.beforeAll(async () => {
  await importFile(getPortalData(), 'claims', claims);
});

async function openClaimSearch(page: Page, userName = accounts.PRUS) {
  await openAs(page, userName, '/wcpp/ClaimSearch');
  await expect(getSearchButton(page)).toBeVisible();
}

async function search(page: Page, firstName: string, born = '11/9/1978') {
  await field(page, 'Claimant First Name').fill(firstName);
  await field(page, 'Claimant Last Name').fill(lastName);
  await field(page, 'Claimant Date of Birth').fill(born);
  await field(page, 'Claimant Date of Injury').fill('2026-02-17');
  await getSearchButton(page).click();
}

test.describe('the form', () => {
  test('lists missing or invalid fields and links to them', async ({ page }) => {
    await openClaimSearch(page);
    await getSearchButton(page).click();
    await expect(problems(page)).toBeFocused();
    await expect(problems(page)).toContainText(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
    await expect(problems(page).getByRole('link')).toHaveText([
      'Error: Enter Claimant First Name',
      'Error: Enter Claimant Last Name',
      'Error: Enter Claimant Date of Birth',
      'Error: Enter Claimant Date of Injury',
    ]);
    await problems(page).getByRole('link', { name: 'Error: Enter Claimant Date of Birth' }).click();
    await expect(field(page, 'Claimant Date of Birth')).toBeFocused();

    await search(page, 'Josephine', '13/40/1978');
    await expect(problems(page).getByRole('link')).toHaveText([
      'Error: Enter a valid Claimant Date of Birth',
    ]);
    const soon = new Date(Date.now() + 2 * 86_400_000).toLocaleDateString('en-US');
    await field(page, 'Claimant Date of Birth').fill(soon);
    await field(page, 'Claimant Date of Injury').fill(soon);
    await getSearchButton(page).click();
    await expect(problems(page).getByRole('link')).toHaveText([
      'Error: Claimant Date of Birth cannot be a future date',
      'Error: Claimant Date of Injury cannot be a future date',
    ]);
  });
});

test.describe('the results', () => {
  test("are one person's claims, filtered, sorted and in pages", async ({ page }) => {
    await openClaimSearch(page);
    await search(page, '  josephine ');
    await expect(page.getByText('12 found')).toBeVisible();
    await expect(rows(page).first().getByRole('cell')).toHaveText([
      /^QF-001/,
      `Josephine ${lastName}`,
      '11/09/1978',
      '02/17/2026',
      'OH',
      'F',
    ]);
    await expect(rows(page)).toHaveCount(10);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(page.getByText('11-12 of 12', { exact: true })).toBeVisible();
    await page.getByLabel('Filter by State').fill('pa');
    await expect(rows(page)).toHaveCount(6);
    const byNumber = page.getByRole('columnheader', { name: 'Claim Number' }).getByRole('button');
    await byNumber.click();
    await byNumber.click();
    await expect(numbers(page)).toContainText('QF-012');
  });

  test('match a first name with a star, or one letter, as a prefix', async ({ page }) => {
    await openClaimSearch(page);
    for (const [firstName, count] of [
      ['Joseph*', '13 found'],
      ['J', '13 found'],
      ['Joseph', '1 found'],
    ] as const) {
      await search(page, firstName);
      await expect(page.getByText(count, { exact: true })).toBeVisible();
      await changeSearch(page);
    }
  });

  test('show why there are none, and why a request failed', async ({ page }) => {
    await openClaimSearch(page);
    await search(page, 'Nobody');
    await expect(page.getByRole('alert')).toHaveText(noClaims);
    await expect(table(page)).toHaveCount(0);

    await mockReply(page, call, { status: 500 });
    await search(page, 'Josephine');
    await expect(page.getByRole('alert')).toHaveText(failed);
    await restore(page, call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('12 found')).toBeVisible();
  });

  test('survive Reload and Back, and stay out of the address', async ({ page }) => {
    await openClaimSearch(page);
    await search(page, 'Josephine');
    await page.getByLabel('Filter by State').fill('oh');
    const expectKept = async () => {
      await expect(page.getByText('6 of 12', { exact: true })).toBeVisible();
      await expect(getSearchLine(page)).toContainText(`Josephine ${lastName}`);
      await expect(page).toHaveURL(/\/wcpp\/ClaimSearch$/);
    };
    await expectKept();
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain('"state":"oh"');
    await page.reload();
    await expectKept();
    await getMenu(page).getByRole('link', { name: 'Bill Search' }).click();
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    await page.goBack();
    await expectKept();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(table(page)).toHaveCount(0);
    await expect(field(page, 'Claimant Last Name')).toHaveValue('');
    await page.reload();
    await expect(field(page, 'Claimant Last Name')).toHaveValue('');
  });
});

test('a claim opens all its bills, by keyboard, and Back returns to the claims', async ({ page }) => {
  await openClaimSearch(page);
  await field(page, 'Claimant First Name').focus();
  for (const typed of ['Josephine', lastName, '11/9/1978', '2/17/2026']) {
    await page.keyboard.type(typed);
    await page.keyboard.press('Tab');
    // Skips the button that opens the calendar.
    if (typed.includes('/')) await page.keyboard.press('Tab');
  }
  await expect(getSearchButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  const claim = page.getByRole('link', { name: /^QF-002 ?, all its bills$/ });
  await expect(claim).toBeVisible();
  await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain(lastName);
  await claim.focus();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeFocused();
  const expectPrefilled = async () => {
    await expect(field(page, 'Claim Number')).toHaveValue('QF-002');
    await expect(field(page, 'Approximate Date of Service')).toHaveValue('');
    // The search ran immediately; this claim is without bills.
    await expect(page.getByText(/^There are no Bills available/)).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/billSearch$/);
  };
  await expectPrefilled();
  await page.reload();
  await expectPrefilled();
  await page.goBack();
  await expect(page.getByText('12 found')).toBeVisible();
});

test('fits a narrow window: each row is a card with all values', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 720 });
  await openClaimSearch(page);
  await search(page, 'Josephine');
  await expectInWidth(rows(page).first().getByRole('cell'), 320);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
});

for (const userName of [accounts.PRAD, accounts.IRAD, accounts.ISAD])
  test(`${userName} finds claims`, async ({ page }) => {
    await openClaimSearch(page, userName);
    await search(page, 'Joseph');
    await expect(page.getByText('1 found')).toBeVisible();
  });

test('a user who mirrors finds claims too', async ({ page }) => {
  await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
  await page.goto('/wcpp/ClaimSearch');
  await search(page, 'Joseph');
  await expect(page.getByText('1 found')).toBeVisible();
});
