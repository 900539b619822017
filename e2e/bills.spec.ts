import type { Page } from '@playwright/test';
import {
  accounts,
  type Bill,
  changeSearch,
  chooseTins,
  expect,
  expectInWidth,
  getMenu,
  getPortalData,
  getSearchButton,
  getSearchLine,
  mirror,
  openAs,
  openMode,
  openSession,
  searchByBill,
  test,
} from './portal';
import { delay, mockReply, restore } from './replies';
import { importFile } from './start';

const missing =
  'Please enter required information for search.  Refer to "Search Help" for valid search combinations.';
const noBills =
  'There are no Bills available for the criteria entered, please revise your search criteria and try again.';
const retrievalError =
  'Error: There was an error retrieving data. Please try again or contact Customer Service.';
const disclaimer =
  'The EOR and pricing sheet amounts are recommended reimbursements. They may differ from actual reimbursement because of compensability decisions or authorizations, and may differ in format from mailed documents.';

const imageNotDisplayed =
  "The image cannot be displayed. Contact Harborline Network's Provider Service for assistance.";
const noPayment = 'Payment Information is not available. Please contact Customer Service.';

const ownSystem = '**/api/billSearch/searchByAssorted';
const secondSystem = '**/api/billSearch/mitchBillSearch';

const problems = (page: Page) => page.getByRole('group', { name: 'Message' });
const table = (page: Page) => page.getByRole('table', { name: 'Bills' });
/** The rows of bills, without header and filters. */
const rows = (page: Page) => table(page).locator('tbody').getByRole('row');
const cell = (page: Page, column: string, row = 0) =>
  rows(page).nth(row).getByRole('cell').nth(columns.indexOf(column));
const columns = [
  'Tax ID (TIN)',
  'Claimant Name',
  'Begin Service Date',
  'End Service Date',
  'Bill Reference Number / DCN',
  'Provider Name',
  'Facility Name',
  'Billed Charges',
  'Recommended Allowance',
  'Claim Number',
  'Payment Information',
];
const message = (page: Page) => page.getByRole('dialog', { name: 'Bill Document' });
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

const formatUsDate = (date: string) => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');
const reference = (bill: Bill) => `${bill.billControlNumber} / ${bill.documentId}`;
const claimant = (bill: Bill) =>
  [bill.patientFirstName, bill.patientMiddleName, bill.patientLastName].filter(Boolean).join(' ');

async function openBillSearch(page: Page, userName: string = accounts.PRUS) {
  await openAs(page, userName, '/wcpp/billSearch');
  await expect(getSearchButton(page)).toBeVisible();
}

/** Opens Bill Search and finds one bill. */
async function find(page: Page, bill: Bill) {
  await openBillSearch(page);
  await searchByBill(page, bill);
  await expect(cell(page, 'Bill Reference Number / DCN')).toContainText(reference(bill));
}

/** Replies to each search for one Tax ID with this many bills, copied from a real one. */
async function answerWith(page: Page, bill: Bill, count: number) {
  await mockReply(page, secondSystem, { json: [] });
  await mockReply(page, ownSystem, {
    json: Array.from({ length: count }, (_, index) => ({
      ...bill,
      billControlNumber: `B${String(index + 1).padStart(3, '0')}`,
      patientFirstName: `Person ${String(count - index).padStart(3, '0')}`,
      patientMiddleName: '',
      patientLastName: index % 2 === 0 ? 'Even' : 'Odd',
      billCharges: (index + 1) * 100,
      beginServiceDate: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
    })),
  });
}

test.describe('the form', () => {
  test('shows the required fields of each mode, and clears the other modes', async ({ page, specimens }) => {
    await openBillSearch(page);
    const link = (text: string) => problems(page).getByRole('link', { name: text, exact: true });
    const expectProblems = async (...texts: string[]) => {
      await expect(problems(page)).toContainText(missing);
      await expect(problems(page).getByRole('link')).toHaveText(texts);
      await expect(problems(page)).toBeFocused();
    };

    await getSearchButton(page).click();
    await expectProblems(
      'Select up to 5 TINS',
      'Enter a claim number',
      'Enter an approximate date of service.',
    );
    await link('Enter a claim number').click();
    await expect(field(page, 'Claim Number')).toBeFocused();

    await chooseTins(page, specimens.tins[0]);
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toLocaleDateString('en-US');
    for (const [typed, text] of [
      ['31/12/2025', 'Enter a valid Approximate Date of Service'],
      [tomorrow, 'Approximate Date of Service cannot be a future date'],
    ] as const) {
      await field(page, 'Claim Number').fill('WC-1');
      await field(page, 'Approximate Date of Service').fill(typed);
      await getSearchButton(page).click();
      await expectProblems(text);
      await expect(field(page, 'Approximate Date of Service')).toHaveAccessibleDescription(new RegExp(text));
    }

    await openMode(page, 'Claimant');
    await expect(problems(page)).toHaveCount(0);
    await getSearchButton(page).click();
    await expectProblems(
      "Enter claimant's first name",
      "Enter claimant's last name",
      "Enter claimant's date of birth",
      'Enter an approximate date of service.',
    );
    await field(page, 'Claimant First Name').fill('Ada');
    await field(page, 'Claimant Last Name').fill('Lovelace');
    await field(page, 'Approximate Date of Service').fill('2026-01-09');
    for (const [typed, text] of [
      ['yesterday', 'Enter a valid Claimant Date of Birth'],
      [tomorrow, 'Claimant Date of Birth cannot be a future date'],
    ] as const) {
      await field(page, 'Claimant Date of Birth').fill(typed);
      await getSearchButton(page).click();
      await expectProblems(text);
    }

    await openMode(page, 'Bill ID');
    await expect(problems(page)).toHaveCount(0);
    await getSearchButton(page).click();
    await expectProblems('Enter Document ID or Bill Control Number');
    await field(page, 'Document ID').fill('D1');
    await expect(field(page, 'Bill Control Number')).toBeDisabled();
    await field(page, 'Document ID').fill('');
    await field(page, 'Bill Control Number').fill('B1');
    await expect(field(page, 'Document ID')).toBeDisabled();

    await openMode(page, 'Claimant');
    await expect(field(page, 'Claimant First Name')).toHaveValue('');
    // All modes use the Tax IDs.
    await expect(page.getByRole('combobox', { name: 'Select up to 5 TINS' })).toBeVisible();
    await getSearchButton(page).click();
    await expect(link('Select up to 5 TINS')).toHaveCount(0);
  });

  test('accepts five Tax IDs but not six', async ({ page, specimens }) => {
    expect(specimens.tins.length).toBeGreaterThan(5);
    await openBillSearch(page);
    await chooseTins(page, ...specimens.tins.slice(0, 5));
    const box = page.getByRole('combobox', { name: 'Select up to 5 TINS' });
    await box.fill(specimens.tins[5] ?? '');
    await expect(page.getByRole('option', { name: specimens.tins[5] })).toBeDisabled();
    await box.press('Enter');
    await box.press('Escape');
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/searchByAssorted')) requested.push(request.postDataJSON().ftin);
    });
    await openMode(page, 'Bill ID');
    await field(page, 'Document ID').fill('D1');
    await getSearchButton(page).click();
    await expect(page.getByText(noBills)).toBeVisible();
    expect(requested.sort()).toEqual(specimens.tins.slice(0, 5).sort());
  });

  test('accepts several date formats and displays one', async ({ page }) => {
    await openBillSearch(page);
    const date = field(page, 'Approximate Date of Service');
    for (const typed of ['1/9/2026', '1-9-2026', '1.9.2026', '1 9 2026', '2026-01-09']) {
      await date.fill(typed);
      await date.blur();
      await expect(date).toHaveValue('01/09/2026');
    }
  });

  test('explains the valid combinations, and Reset clears it', async ({ page, specimens }) => {
    await find(page, specimens.paid);
    await page.getByRole('button', { name: 'Search Help' }).click();
    const help = page.getByRole('dialog', { name: 'Search Help' });
    for (const way of ['By Claim Number', 'By Claimant', 'By Bill ID']) await expect(help).toContainText(way);
    await help.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(table(page)).toHaveCount(0);
    await expect(field(page, 'Bill Control Number')).toHaveValue('');
    await getSearchButton(page).click();
    await expect(problems(page).getByRole('link')).toHaveText(['Enter Document ID or Bill Control Number']);
  });
});

test.describe('a search', () => {
  test('finds a bill by its claim and by its document', async ({ page, specimens: { paid } }) => {
    await openBillSearch(page);
    await chooseTins(page, paid.ftin);
    await field(page, 'Claim Number').fill(` ${paid.claimNumber} `);
    await field(page, 'Approximate Date of Service').fill(formatUsDate(paid.beginServiceDate));
    await getSearchButton(page).click();
    const row = rows(page).filter({ hasText: reference(paid) });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(claimant(paid));
    await expect(page.getByText(disclaimer)).toBeVisible();
    await expect(table(page).getByRole('columnheader')).toHaveText(columns);

    await changeSearch(page);
    await openMode(page, 'Bill ID');
    await field(page, 'Document ID').fill(paid.documentId);
    await getSearchButton(page).click();
    await expect(row).toHaveCount(1);
  });

  test('finds an imported bill by its claimant', async ({ page, specimens: { tins } }) => {
    const ftin = tins[0] ?? '';
    // A bill from a table doesn't have the service lines that its image needs, and this one
    // doesn't have a payment.
    await importFile(
      getPortalData(),
      'bills',
      `tin,bill_control_number,claim_number,patient_first_name,patient_last_name,patient_birth_date,begin_service_date,charges,bill_status
${ftin},TABLE-1,WC-TABLE-1,Zoë,O'Neill,1980-02-29,2026-01-09,150.25,0`,
    );
    await openBillSearch(page);
    await chooseTins(page, ftin);
    await openMode(page, 'Claimant');
    const search = async (first: string, last: string, birth: string, service: string) => {
      await field(page, 'Claimant First Name').fill(first);
      await field(page, 'Claimant Last Name').fill(last);
      await field(page, 'Claimant Date of Birth').fill(birth);
      await field(page, 'Approximate Date of Service').fill(service);
      await getSearchButton(page).click();
    };
    await search(' zoë ', "o'neill", '2/29/1980', '1/16/2026');
    await expect(rows(page)).toHaveCount(1);
    await expect(cell(page, 'Claimant Name')).toHaveText("Zoë O'Neill");
    await expect(cell(page, 'Billed Charges')).toHaveText('$150.25');

    await cell(page, 'Bill Reference Number / DCN').getByRole('button').click();
    await expect(message(page)).toContainText(imageNotDisplayed);
    await message(page).getByRole('button', { name: 'OK' }).click();
    await cell(page, 'Payment Information').getByRole('button').click();
    await expect(page.getByRole('dialog')).toContainText(noPayment);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();

    await changeSearch(page);
    for (const [birth, service] of [
      ['3/1/1980', '1/9/2026'],
      ['2/29/1980', '1/17/2026'],
    ] as const) {
      await search('Zoë', "O'Neill", birth, service);
      await expect(page.getByText(noBills)).toBeVisible();
    }
    await expect(page).toHaveURL(/\/wcpp\/billSearch$/);
  });

  test('shows the number of outstanding responses and blocks a second search', async ({
    page,
    specimens,
  }) => {
    await openBillSearch(page);
    const release = await delay(page, secondSystem);
    await searchByBill(page, specimens.paid);
    await expect(
      page.getByText('Please wait while we retrieve data. 1 of 2 sources have responded.').first(),
    ).toBeVisible();
    await changeSearch(page);
    await expect(getSearchButton(page)).toBeDisabled();
    release();
    await expect(getSearchButton(page)).toBeEnabled();
    await expect(rows(page)).toHaveCount(1);
  });

  test('names the failed Tax ID and shows the other bills', async ({ page, specimens: { paid, tins } }) => {
    await openBillSearch(page);
    const other = tins.find((tin) => tin !== paid.ftin) ?? '';
    await mockReply(page, ownSystem, ({ text }) =>
      JSON.parse(text).ftin === other ? { status: 500 } : 'served',
    );
    await chooseTins(page, other);
    await searchByBill(page, paid);
    await expect(page.getByText(`No response from: Tax ID (TIN) ${other}.`)).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByText(noBills)).toHaveCount(0);
  });

  test('names the second bill system when it fails, and finally all failures', async ({
    page,
    specimens: { paid },
  }) => {
    await openBillSearch(page);
    await mockReply(page, secondSystem, 'lost');
    await searchByBill(page, paid);
    await expect(page.getByText('No response from: the second bill system.')).toBeVisible();
    await expect(rows(page)).toHaveCount(1);

    await mockReply(page, ownSystem, 'lost');
    await changeSearch(page);
    await getSearchButton(page).click();
    await expect(page.getByText(retrievalError)).toBeVisible();
    await expect(
      page.getByText(/No response from: Tax ID \(TIN\) \d{9}, the second bill system\./),
    ).toBeVisible();
    await expect(page.getByText(noBills)).toHaveCount(0);
  });
});

test.describe('the table', () => {
  const firstCells = (page: Page, column: string) =>
    rows(page).locator(`td:nth-child(${columns.indexOf(column) + 1})`);

  test('sorts by claimant at first, then by each column but the payment, in both directions', async ({
    page,
    specimens,
  }) => {
    await openBillSearch(page);
    await answerWith(page, specimens.paid, 3);
    await searchByBill(page, specimens.paid);
    await expect(firstCells(page, 'Claimant Name')).toHaveText([
      'Person 001 Even',
      'Person 002 Odd',
      'Person 003 Even',
    ]);
    const head = (name: string) => table(page).getByRole('columnheader', { name });
    await expect(head('Claimant Name')).toHaveAttribute('aria-sort', 'ascending');
    await head('Billed Charges').getByRole('button').click();
    await expect(firstCells(page, 'Billed Charges')).toHaveText(['$100.00', '$200.00', '$300.00']);
    await head('Billed Charges').getByRole('button').click();
    await expect(firstCells(page, 'Billed Charges')).toHaveText(['$300.00', '$200.00', '$100.00']);
    for (const name of columns.slice(0, -1)) await expect(head(name).getByRole('button')).toBeVisible();
    await expect(head('Payment Information').getByRole('button')).toHaveCount(0);
    await expect(table(page).getByRole('textbox')).toHaveCount(columns.length - 1);
  });

  test('filters case-insensitively and pages through the rest', async ({ page, specimens }) => {
    await openBillSearch(page);
    await answerWith(page, specimens.paid, 23);
    await searchByBill(page, specimens.paid);
    const range = (text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await range('1-10 of 23');
    await expect(button('First')).toBeDisabled();
    await button('Next').click();
    await range('11-20 of 23');
    await button('Last').click();
    await range('21-23 of 23');
    await expect(button('Next')).toBeDisabled();
    await button('Previous').click();
    await range('11-20 of 23');
    await page.getByLabel('Filter by Claimant Name').fill('eVEN');
    await range('1-10 of 12');
    await expect(rows(page)).toHaveCount(10);
    await button('Next').click();
    await range('11-12 of 12');
    const size = page.getByLabel('Rows per page');
    await expect(size.getByRole('option')).toHaveText(['5', '10', '25', '50', '100', '200']);
    await size.selectOption('5');
    await range('1-5 of 12');
    await page.getByLabel('Filter by Claimant Name').fill('nobody');
    await expect(rows(page)).toHaveCount(0);
    await button('Clear filters').click();
    await range('1-5 of 23');
    await expect(button('First')).toBeDisabled();
  });

  test('preserves search, order, filter and page on Reload and Back', async ({ page, specimens }) => {
    await openBillSearch(page);
    await answerWith(page, specimens.paid, 23);
    await searchByBill(page, specimens.paid);
    await table(page).getByRole('columnheader', { name: 'Billed Charges' }).getByRole('button').click();
    await page.getByLabel('Filter by Claimant Name').fill('even');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    const expectKept = async () => {
      await expect(page.getByText('11-12 of 12', { exact: true })).toBeVisible();
      await expect(firstCells(page, 'Billed Charges')).toHaveText(['$2,100.00', '$2,300.00']);
      await expect(getSearchLine(page)).toContainText(specimens.paid.billControlNumber);
    };
    await expectKept();
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain('"page":1');
    await page.reload();
    await expectKept();
    await getMenu(page).getByRole('link', { name: 'Claim Search' }).click();
    await expect(page.getByRole('heading', { name: 'Claim Search' })).toBeVisible();
    await page.goBack();
    await expectKept();
    await expect(page).toHaveURL(/\/wcpp\/billSearch$/);
  });

  test('shows all its columns on a small desktop screen', async ({ page, specimens }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await find(page, specimens.paid);
    await expect(page.getByRole('columnheader')).toHaveCount(11);
    await expect(page.getByRole('region', { name: /, scrollable$/ })).toHaveCount(0);
  });

  test('fits a narrow window: each row is a card with all values', async ({ page, specimens }) => {
    await page.setViewportSize({ width: 320, height: 720 });
    await find(page, specimens.paid);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    await expectInWidth(rows(page).first().getByRole('cell'), 320);

    // For screen readers it's still a table with headers.
    const devtools = await page.context().newCDPSession(page);
    const { nodes } = await devtools.send('Accessibility.getFullAXTree');
    const countByRole = (role: string) =>
      nodes.filter((node) => !node.ignored && node.role?.value === role).length;
    const found = await rows(page).count();
    expect(['table', 'row', 'columnheader', 'cell'].map(countByRole)).toEqual([
      1,
      found + 2,
      columns.length,
      (found + 1) * columns.length,
    ]);

    await cell(page, 'Payment Information').getByRole('button').click();
    await expect(page.getByRole('dialog', { name: 'Payment Information' })).toBeInViewport();
  });
});

test.describe("a bill's documents", () => {
  const allowance = (page: Page) => cell(page, 'Recommended Allowance').getByRole('button');
  const image = (page: Page) => cell(page, 'Bill Reference Number / DCN').getByRole('button');

  /** Returns the PDF in the window that a click opens. */
  async function documentOpenedBy(page: Page, click: () => Promise<void>) {
    const answer = page.context().waitForEvent('response', {
      predicate: (response) => response.headers()['content-type'] === 'application/pdf',
    });
    const popup = page.waitForEvent('popup');
    await click();
    const [opened, pdf] = [await popup, await answer];
    expect(pdf.status()).toBe(200);
    return { opened, url: pdf.url() };
  }

  test('the image opens in its own window', async ({ page, specimens: { paid } }) => {
    await find(page, paid);
    const { opened, url } = await documentOpenedBy(page, () => image(page).click());
    expect(new URL(url).pathname).toMatch(/^\/api\/billSearch\/billImage\//);
    expect((await (await page.request.get(url)).body()).subarray(0, 5).toString()).toBe('%PDF-');
    await expect(message(page)).toHaveCount(0);
    await opened.close();
  });

  test("an image that doesn't exist or can't be checked shows a message", async ({
    page,
    specimens: { paid },
  }) => {
    await find(page, paid);
    await mockReply(page, '**/api/billSearch/imageExist*', { json: false });
    let popup = page.waitForEvent('popup');
    await image(page).click();
    await expect(message(page)).toContainText(imageNotDisplayed);
    await expect.poll(async () => (await popup).isClosed()).toBe(true);
    await message(page).getByRole('button', { name: 'OK' }).click();

    await mockReply(page, '**/api/billSearch/imageExist*', 'lost');
    popup = page.waitForEvent('popup');
    await image(page).click();
    await expect(message(page)).toContainText('Error: The image selected is not available.');
    await expect(message(page)).toContainText('Please add this site to allow popups or click VIEW IMAGE.');
    await expect.poll(async () => (await popup).isClosed()).toBe(true);
    // VIEW IMAGE tries again.
    await restore(page, '**/api/billSearch/imageExist*');
    await documentOpenedBy(page, () => message(page).getByRole('button', { name: 'VIEW IMAGE' }).click());
    await expect(message(page)).toHaveCount(0);
  });

  test.describe(() => {
    test.use({ ownBrowser: true });

    test('VIEW IMAGE opens a window that the browser blocked', async ({ page, specimens: { paid } }) => {
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await find(page, paid);
      await image(page).click();
      await expect(message(page)).toContainText('Please add this site to allow popups or click VIEW IMAGE.');
      await expect(message(page).getByRole('button', { name: 'CLOSE', exact: true })).toBeVisible();
      await documentOpenedBy(page, () => message(page).getByRole('link', { name: 'VIEW IMAGE' }).click());
      await expect(message(page)).toHaveCount(0);
    });

    test("the EOR opens, or else the payer's page three seconds later", async ({
      page,
      specimens: { paid },
    }) => {
      await find(page, paid);
      const { opened } = await documentOpenedBy(page, () => allowance(page).click());
      await opened.close();

      await mockReply(page, '**/api/billSearch/precheckEor*', { status: 404 });
      await page.clock.install();
      const popup = page.waitForEvent('popup');
      await allowance(page).click();
      const waiting = await popup;
      await expect(waiting.locator('body')).toHaveText(
        "This EOR isn't available here. Opening the payer's site…",
      );
      await page.clock.fastForward(3_000);
      await expect(waiting).toHaveURL(paid.foreignBillIdURL);
      await expect(waiting.getByRole('heading')).toHaveText(`Bill ${paid.billControlNumber}`);
    });
  });

  test('a bill of the second system opens there', async ({ page, specimens }) => {
    await openBillSearch(page);
    await searchByBill(page, specimens.second);
    await expect(rows(page)).toHaveCount(1);
    for (const link of [image(page), allowance(page)]) {
      const { opened, url } = await documentOpenedBy(page, () => link.click());
      expect(new URL(url).host).not.toBe(new URL(page.url()).host);
      await opened.close();
    }
    await mockReply(page, '**/api/billSearch/billImage/**', 'lost');
    await image(page).click();
    await expect(message(page)).toContainText('Error: The image selected is not available.');
  });

  test('a pricing sheet opens as PDF', { tag: '@pdf' }, async ({ page, specimens: { sheet } }) => {
    await find(page, sheet);
    await expect(cell(page, 'Payment Information')).toHaveText('Not Applicable');
    const sheetSent = page.waitForResponse('**/api/billSearch/searchBillPriceSheet');
    const popup = page.waitForEvent('popup');
    await allowance(page).click();
    expect((await sheetSent).headers()['content-type']).toBe('application/pdf');
    await (await popup).waitForURL(/^blob:/);

    await mockReply(page, '**/api/billSearch/searchBillPriceSheet', 'lost');
    await allowance(page).click();
    await expect(message(page)).toContainText(retrievalError);
  });

  test('a pricing sheet of lines downloads as PDF', async ({ page, specimens: { textSheet } }) => {
    await find(page, textSheet);
    const download = page.waitForEvent('download');
    await allowance(page).click();
    const dialog = page.getByRole('dialog', { name: 'Pricing Sheet' });
    await expect(dialog).toBeVisible();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^Pricing_Sheet_.+\.pdf$/);
    const parts: Buffer[] = [];
    for await (const part of await file.createReadStream()) parts.push(part);
    const pdf = Buffer.concat(parts).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    // A4 in points.
    expect(pdf).toMatch(/\/MediaBox \[0 0 595\.2\d* 841\.8\d*\]/);
    expect(pdf).toContain('/BaseFont /Courier');
    await dialog.getByRole('button', { name: 'CLOSE', exact: true }).click();

    await mockReply(page, '**/api/billSearch/searchBillReference', 'lost');
    await allowance(page).click();
    await expect(message(page)).toContainText(retrievalError);
  });

  test('the payment, and why there is none', async ({ page, specimens: { paid, received } }) => {
    await find(page, paid);
    const payment = page.getByRole('dialog', { name: 'Payment Information' });
    const link = cell(page, 'Payment Information').getByRole('button', { name: /^Payment Info/ });
    await link.click();
    await expect(payment.getByRole('term')).toHaveText(['Paid Amount', 'Paid Date', 'Check Number']);
    await expect(payment.getByRole('definition').first()).toHaveText(/^\$[\d,]+\.\d\d$/);
    await expect(payment.getByRole('definition').nth(1)).toHaveText(/^\d\d\/\d\d\/\d{4}$/);
    await payment.getByRole('button', { name: 'OK' }).click();
    await expect(payment).toHaveCount(0);

    await mockReply(page, '**/api/billSearch/findPaymentInfo', {});
    await link.click();
    await expect(payment).toContainText(noPayment);
    await payment.getByRole('button', { name: 'OK' }).click();
    await mockReply(page, '**/api/billSearch/findPaymentInfo', 'lost');
    await link.click();
    await expect(payment).toContainText(retrievalError);
    await payment.getByRole('button', { name: 'OK' }).click();

    await page.getByRole('button', { name: 'Reset' }).click();
    if (received.ftin !== paid.ftin) await chooseTins(page, received.ftin);
    await field(page, 'Bill Control Number').fill(received.billControlNumber);
    await getSearchButton(page).click();
    await expect(cell(page, 'Payment Information')).toHaveText('Not Available');
    // Neither repriced nor rejected. There is nothing to open.
    await expect(allowance(page)).toHaveCount(0);
  });
});

test.describe('Tax IDs', () => {
  test('are those of the mirrored user', async ({ page }) => {
    const token = await openSession(page.request, accounts.ISAD);
    await mirror(page.request, token, accounts.NNUS);
    const headers = { Authorization: `Bearer ${token}` };
    const owned = await page.request.get(`/api/ftin/userFtins/${accounts.NNUS}?activeFlag=true`, { headers });
    const tins = (await owned.json()).map(({ ftin }: { ftin: string }) => ftin);
    expect(tins).toHaveLength(2);
    await page.goto('/wcpp/billSearch');
    await page.getByRole('combobox', { name: 'Select up to 5 TINS' }).click();
    await expect(page.getByRole('option')).toHaveText(tins);
  });

  test('that are missing show what to do', async ({ page }) => {
    // The last user in the group of prus.demo has none.
    await openAs(page, 'jperez', '/wcpp/billSearch');
    await expect(
      page.getByText(
        "No Tax IDs (TINs) are assigned to your account. Ask your group's administrator to assign them.",
      ),
    ).toBeVisible();
    await expect(getSearchButton(page)).toHaveCount(0);
  });

  test("that can't be loaded are requested again", async ({ page }) => {
    const list = '**/api/ftin/userFtins/**';
    await mockReply(page, list, { status: 400 });
    await openAs(page, accounts.PRUS, '/wcpp/billSearch');
    await expect(page.getByText(retrievalError)).toBeVisible();
    await restore(page, list);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(getSearchButton(page)).toBeVisible();
  });
});
