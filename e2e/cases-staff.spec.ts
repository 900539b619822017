import { accounts, expect, openAs, test } from './portal';

const clerk = 'clerk.demo';
const lead = 'lead.demo';

test('a lead assigns a question, and the clerk loses the role while writing', async ({ page, browser }) => {
  await openAs(page, accounts.PRUS, '/wcpp/work/cases/new');
  await page.getByLabel('Topic').selectOption({ label: 'Something else' });
  await page.getByRole('textbox', { name: 'Question' }).fill('Which documents do you need?');
  await page.getByRole('button', { name: 'Send question' }).click();
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
  const question = `/wcpp/desk/cases/${page.url().split('/').at(-1) ?? ''}`;

  await openAs(page, lead, question);
  await page.getByRole('button', { name: 'Assign to…' }).click();
  const people = page.getByLabel('Staff member');
  const name = (await people.locator('option', { hasText: clerk }).innerText()).replace(/ \(.*/, '');
  await expect(people.locator('option', { hasText: accounts.IRAD })).toHaveCount(0);
  await people.selectOption({ label: `${name} (${clerk})` });
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText(`Assigned to ${name}`)).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await openAs(other, clerk, question);
  await expect(other.getByRole('button', { name: 'Assign to…' })).toBeVisible();
  const answer = other.getByRole('textbox', { name: 'Answer' });
  await answer.fill('None.');

  // A new context signs in now, so that no proof is needed.
  const admin = await (await browser.newContext()).newPage();
  const setRole = async (role: string) => {
    await openAs(admin, accounts.ISAD, '/wcpp/desk/staff');
    await admin
      .getByRole('row', { name: new RegExp(clerk) })
      .getByRole('button')
      .click();
    await admin.getByLabel('Role', { exact: true }).selectOption({ label: role });
    await admin.getByRole('button', { name: 'Save role' }).click();
    await expect(admin.getByText('Role saved')).toBeVisible();
  };
  await setRole('Reads questions');
  await other.getByRole('button', { name: 'Send answer' }).click();
  await expect(other.getByText("Error: You don't have permission to do this.")).toBeVisible();
  await expect(answer).toHaveValue('None.');

  // With the role again, the same text goes out.
  await setRole('Answers questions');
  await other.reload();
  await answer.fill('None.');
  await other.getByRole('button', { name: 'Send answer' }).click();
  await expect(other.getByRole('region', { name: 'Answer', exact: true })).toContainText('None.');
  await other.context().close();
  await admin.context().close();
});
