import { enterReason, find } from './desk';
import { accounts, expect, openAs, test } from './portal';
import { openPage } from './screens/bills-page';

test('an office asks about a bill, and says No and then Yes to the answers', async ({
  page,
  browser,
  specimens: { paid },
}) => {
  await openPage(page, paid);
  await page.getByRole('link', { name: 'Ask the network' }).click();
  await page.getByLabel('Topic').selectOption({ label: "Network's price" });
  const question = page.getByRole('textbox', { name: 'Question' });
  await question.fill('Why this price?');
  await question.press('Control+Enter');
  await expect(page.getByText(/You'll have an answer by/).first()).toBeVisible();
  const number = page.url().split('/').at(-1) ?? '';
  expect(number).toMatch(/^C-\w{4}-\w{4}$/);

  const staff = await (await browser.newContext()).newPage();
  const answer = async (text: string) => {
    await openAs(staff, accounts.ISAD, `/wcpp/desk/cases/${number}`);
    await staff.getByRole('textbox', { name: 'Answer' }).fill(text);
    await staff.getByRole('button', { name: 'Send answer' }).click();
    await expect(staff.getByRole('region', { name: 'Answer', exact: true })).toContainText(text);
  };
  await answer('By contract.');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('By contract.');
  await page.getByLabel('No, I still need to know').fill('Which one?');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await expect(page.getByText('Reply sent')).toBeVisible();
  await answer('The one of 2024.');
  await page.reload();
  await page.getByRole('button', { name: 'Yes, it answered my question' }).click();
  await expect(page.getByText('You confirmed that the answer helped.')).toBeVisible();
  await staff.context().close();

  // Read-only staff read it, and another office doesn't find it.
  await openAs(page, accounts.IRAD, `/wcpp/desk/cases/${number}`);
  await expect(page.getByText('The one of 2024.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send answer' })).toHaveCount(0);
  await openAs(page, accounts.NNUS, `/wcpp/work/cases/${number}`);
  await expect(page.getByText("This doesn't exist, or you don't have permission to see it.")).toBeVisible();
});

test('staff log a call in one press, add a note that the office does not see, and merge questions', async ({
  page,
  browser,
  specimens: { received },
}) => {
  await openPage(page, received);
  const ask = async (text: string) => {
    await page.getByRole('link', { name: 'Ask the network' }).click();
    await page.getByLabel('Topic').selectOption({ label: 'Payment' });
    await page.getByRole('textbox', { name: 'Question' }).fill(text);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'scan.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
    await page.getByRole('button', { name: 'Send question' }).click();
    await expect(page).toHaveURL(/\/cases\/C-\w{4}-\w{4}$/);
    const number = page.url().split('/').at(-1) ?? '';
    await page.goBack();
    return number;
  };
  const first = await ask('When was it paid?');
  const second = await ask('How was it paid?');

  const staff = await (await browser.newContext()).newPage();
  await openAs(staff, accounts.ISAD, `/wcpp/desk/cases/${second}`);
  await staff.getByRole('textbox', { name: 'Answer' }).fill('Ask accounting.');
  await staff.getByRole('button', { name: 'Add internal note' }).click();
  await expect(staff.getByText('Staff only')).toBeVisible();
  await staff.getByRole('button', { name: 'Merge' }).click();
  const dialog = staff.getByRole('dialog');
  await dialog.getByRole('textbox').fill(first);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(staff).toHaveURL(new RegExp(first));
  await expect(staff.getByText('Ask accounting.')).toBeVisible();
  const [file] = await Promise.all([
    staff.waitForEvent('download'),
    staff.getByRole('link', { name: 'scan.png' }).first().click(),
  ]);
  expect(file.suggestedFilename()).toBe('scan.png');

  // The office sees everything but the note, under the number of either question.
  await page.goto(`/wcpp/work/cases/${second}`);
  await expect(page).toHaveURL(new RegExp(first));
  await expect(page.getByText('How was it paid?')).toBeVisible();
  await expect(page.getByText('Ask accounting.')).toHaveCount(0);

  // The office calls about the same bill. The call is added to its open question.
  await enterReason(staff, accounts.ISAD);
  await find(staff, received.billControlNumber);
  await staff.getByRole('button', { name: 'Log call', exact: true }).click();
  const offices = staff.getByRole('dialog');
  await expect(offices.or(staff.getByText(/^Call logged:/).first())).toBeVisible();
  if (await offices.isVisible()) {
    await offices.getByLabel('Office').selectOption({ index: 1 });
    await offices.getByRole('button', { name: 'Log call' }).click();
  }
  await expect(staff.getByText(/^Call logged:/).first()).toBeVisible();
  await staff.getByRole('button', { name: 'Undo' }).click();
  await expect(staff.getByRole('button', { name: 'Log call', exact: true })).toBeVisible();
  await staff.context().close();
});

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
