import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { accounts, expect, openAs, test } from './portal';
import { draftAgain, desk as rules } from './screens/deadlines';

test('an office complains, and staff resolve it with a letter and export the log', async ({
  page,
  browser,
}) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/cases/new');
  await page.getByLabel('This is a complaint').check();
  await page.getByLabel('Bill payment').check();
  await page.getByLabel('State', { exact: true }).fill('tx');
  await page.getByRole('textbox', { name: 'Complaint' }).fill('Nobody called back.');
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(
    page.getByText(/^We received your complaint on .* and will send a written resolution/).first(),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/C-\w{4}-\w{4}$/);
  const number = page.url().split('/').at(-1) ?? '';

  const staff = await (await browser.newContext()).newPage();
  await openAs(staff, 'lead.demo', `/wcpp/desk/cases/${number}`);
  await expect(staff.getByRole('region', { name: 'Complaint' })).toContainText('Acknowledged');
  await staff.getByRole('textbox', { name: 'Resolution' }).fill('Paid now. Reason: line 2.');
  await staff.getByRole('button', { name: 'Send resolution' }).click();
  await expect(staff.getByText('Error: Select an outcome')).toBeVisible();
  await staff.getByLabel('Outcome').selectOption({ label: 'Upheld' });
  await staff.getByRole('button', { name: 'Send resolution' }).click();
  await expect(staff.getByText('Resolution sent')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('Paid now.');
  for (const letter of ['Acknowledgment', 'Resolution']) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `${letter} (PDF)` }).click();
    expect((await download).suggestedFilename()).toBe(`${letter} ${number}.pdf`);
  }

  // A complaint by phone of someone without an account is only for staff.
  await staff.goto('/wcpp/desk/cases');
  await staff.getByRole('link', { name: 'Record complaint' }).click();
  await staff.getByLabel('Channel').selectOption({ label: 'Phone' });
  await staff.getByLabel('Name without an account').fill('Ann Lee');
  await staff.getByLabel('Miscellaneous').check();
  await staff.getByRole('textbox', { name: 'Complaint' }).fill('The directory is wrong.');
  await staff.getByRole('button', { name: 'Record complaint' }).click();
  await staff.getByRole('button', { name: 'Mark as mailed' }).click();
  await expect(staff.getByText('Letter marked as mailed')).toBeVisible();
  const phoned = staff.url().split('/').at(-1) ?? '';
  await page.goto(`/wcpp/work/cases/${phoned}`);
  await expect(page.getByText("This doesn't exist, or you don't have permission to see it.")).toBeVisible();

  await staff.goto('/wcpp/desk/cases');
  await staff.getByRole('button', { name: 'Complaint log' }).click();
  const log = staff.waitForEvent('download');
  await staff.getByRole('button', { name: 'Export' }).click();
  expect((await log).suggestedFilename()).toMatch(/^Complaints .*\.xlsx$/);
  await staff.context().close();
});

// An active rule only adds a date to complaints with the law of Texas, and the other test accepts both texts.
test('with the active rules of Texas, a complaint has legal days on screens, in letters and in the log', async ({
  page,
  browser,
}) => {
  const texas = ['TX-WC-COMPLAINT-ACK', 'TX-WC-COMPLAINT-RESOLVE'];
  for (const rule of texas) await draftAgain(page, rule); // after an earlier attempt
  const staff = await (await browser.newContext()).newPage();
  await openAs(staff, accounts.ISAD, rules);
  for (const name of ['acknowledgment', 'resolution']) {
    await staff
      .getByRole('button', { name: `Activate TX, Workers' compensation, Complaint ${name} due` })
      .click();
    await staff.getByLabel('Reviewed by').fill('Nobody, in a test');
    await staff.getByRole('button', { name: 'Activate rule' }).click();
    await expect(staff.getByRole('dialog')).toHaveCount(0);
  }

  await openAs(page, accounts.PRAD, '/wcpp/work/cases/new');
  await page.getByLabel('This is a complaint').check();
  for (const category of ['Fee disputes', 'Bill payment']) await page.getByLabel(category).check();
  await page.getByLabel('State', { exact: true }).fill('TX');
  await page.getByRole('textbox', { name: 'Complaint' }).fill('Our fee dispute got no answer.');
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(page).toHaveURL(/\/C-\w{4}-\w{4}$/);
  const number = page.url().split('/').at(-1) ?? '';
  const promise = page.getByText(/^We received your complaint on .*/).last();
  const received = /\d\d\/\d\d\/\d{4}/.exec(await promise.innerText())?.[0] ?? '';
  const [acknowledgeBy, resolveBy] = [addDays(received, 7), addDays(received, 30)];
  const receipt = `We received your complaint on ${received} and will send a written resolution by ${resolveBy} (28 TAC 10.121).`;
  await expect(promise).toHaveText(receipt);

  // The office's opening was the acknowledgment. The resolution is still due.
  await staff.goto('/wcpp/desk/cases');
  await staff.getByRole('button', { name: 'Legal deadlines' }).click();
  const row = staff.getByRole('row', { name: number });
  await expect(row.getByRole('cell', { name: resolveBy })).toBeVisible();
  await row.getByRole('link', { name: number }).click();
  const complaint = staff.getByRole('region', { name: 'Complaint' });
  await expect(complaint).toContainText(`Acknowledge by${acknowledgeBy}`);
  await expect(complaint).toContainText(`Resolve by${resolveBy}`);
  await staff.getByLabel('Outcome').selectOption({ label: 'Partly upheld' });
  await staff.getByRole('textbox', { name: 'Resolution' }).fill('The fee was corrected.');
  await staff.getByRole('button', { name: 'Send resolution' }).click();
  await expect(staff.getByText('Resolution sent')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('region', { name: 'Complaint' })).toContainText(`Resolved${received}`);
  const acknowledgment = readText(await saveFile(page, 'Acknowledgment (PDF)'));
  expect(acknowledgment).toContain(receipt);
  expect(acknowledgment).toContain('within 7 calendar days');
  const resolution = readText(await saveFile(page, 'Resolution (PDF)'));
  expect(resolution).toContain(`We received your complaint on ${received}. This is our written resolution.`);
  expect(resolution).toContain('The fee was corrected.');
  expect(resolution).toContain('Texas Department of Insurance (28 TAC 10.122)');

  await staff.goto('/wcpp/desk/cases');
  await staff.getByRole('button', { name: 'Complaint log' }).click();
  await staff.getByLabel('Format').selectOption({ label: 'CSV' });
  const lines = (await saveFile(staff, 'Export')).toString().split('\n');
  const line = lines.find((each) => each.startsWith(number)) ?? '';
  expect(line).toContain('Bill payment; Fee disputes,TX,');
  expect(line).toContain(
    `,Answered,Partly upheld,${acknowledgeBy},${received},0,No,${resolveBy},${received},0,No`,
  );
  expect(line).toMatch(new RegExp(`^${number},${received},Portal,`));

  for (const rule of texas) await draftAgain(page, rule);
  await staff.context().close();
});

function addDays(day: string, days: number): string {
  const [month = 0, date = 0, year = 0] = day.split('/').map(Number);
  const options = { timeZone: 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Date(Date.UTC(year, month - 1, date + days)).toLocaleDateString('en-US', options);
}

/** Clicks a button that saves a file, and returns the file. */
async function saveFile(page: Page, button: string): Promise<Buffer> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await saved).path());
}

/** The text of a PDF that the portal made. */
function readText(pdf: Buffer): string {
  const streams = pdf.toString('latin1').split('\nstream\n').slice(1);
  const pages = streams.map((stream) => {
    const [content = ''] = stream.split('\nendstream');
    return content.startsWith('\x78') ? inflateSync(Buffer.from(content, 'latin1')).toString('latin1') : '';
  });
  const pieces = pages.join('\n').matchAll(/\(((?:[^()\\]|\\.)*)\) ?Tj/gs);
  return [...pieces].map(([, piece = '']) => piece.trim().replace(/\\(.)/gs, '$1')).join(' ');
}
