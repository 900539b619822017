import { accounts, expect, openAs, test } from './portal';
import { openPage } from './screens/bills-page';

test('an office asks about a bill, and says No and then Yes to the answers', async ({
  page,
  browser,
  specimens: { paid },
}) => {
  await openPage(page, paid);
  await page.getByRole('link', { name: 'Ask about this bill' }).click();
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
