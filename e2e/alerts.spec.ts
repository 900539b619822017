import { randomUUID } from 'node:crypto';
import { findLink, readEmail } from './mail';
import { test } from './people';
import { accounts, expect, expectInWidth, mirror, openAs, openSession } from './portal';
import { behind, figure, showToday } from './screens/alerts';
import { openPage } from './screens/bills-page';
import { openFindMany, paste } from './screens/bulklookup';
import { dialog } from './screens/screen';

const watched = 'Following';

test('the first visit explains itself, asks about emails once, and starts counting', async ({
  page,
  office,
}) => {
  await showToday(page, office.admin.userNm);
  await expect(page.getByText('Work on all your bills here')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Since today/ })).toBeVisible();
  await page.getByRole('button', { name: 'Mondays' }).click();
  await expect(page.getByRole('region', { name: 'Welcome' })).toHaveCount(0);
  const history = page.waitForResponse(/alerts\?history/);
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await (await history).finished();
  await expect(page.getByRole('heading', { name: 'Last 30 days' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Welcome' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Email settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Email settings' })).toBeVisible();
  await expect(page.getByLabel('Bill updates')).toHaveValue('mondays');

  await page.getByLabel('Bill updates').selectOption('Daily');
  await page.getByLabel('Time', { exact: true }).selectOption('3:30 PM');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Email settings saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Time', { exact: true })).toHaveValue('15');
});

test('a line above Home links to the changes, a figure to its bills, and Back to the figure', async ({
  page,
}) => {
  await openAs(page, accounts.PRUS);
  const strip = page.getByRole('region', { name: 'Today' });
  await strip.getByRole('link', { name: /^[\d,]+ paid$/ }).click();
  await expect(behind(page, 'paid').first()).toBeVisible();
  await expect(figure(page, 'Paid').first()).toHaveAttribute('aria-pressed', 'true');
  const count = Number(/\d+(?= bills)/.exec(await figure(page, 'Paid').first().innerText())?.[0]);
  await expect(behind(page, 'paid')).toHaveCount(Math.min(count, 25));

  await expect.poll(() => page.evaluate(() => history.state.kept?.criteria.kind)).toBe('paid');
  await behind(page, 'paid').first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: /^Bill / })).toBeVisible();
  await page.goBack();
  await expect(behind(page, 'paid').first()).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});

test('a bill and its claim are followed from its page, and appear in Today until unfollowed', async ({
  page,
  specimens: { received },
}) => {
  await openPage(page, received);
  await page.getByRole('button', { name: 'Follow bill' }).click();
  await expect(page.getByRole('button', { name: 'Unfollow bill' })).toBeVisible();
  await showToday(page);
  const row = page
    .getByRole('table', { name: watched })
    .getByRole('row')
    .filter({ hasText: received.billControlNumber });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: /^Unfollow/ }).click();
  await expect(row).toHaveCount(0);
});

test('search results are followed together', async ({ page, specimens: { paid, received } }) => {
  await openFindMany(page, accounts.PRAD);
  await paste(page, `Bill #\n${paid.billControlNumber}\n${received.billControlNumber}`);
  await page.getByRole('button', { name: /^Look up [\d,]+ lines?$/ }).click();
  await page.getByRole('button', { name: 'Follow these' }).click();
  await expect(page.getByText("You're following 2 bills.")).toBeVisible();
  await showToday(page, accounts.PRAD);
  for (const { billControlNumber } of [paid, received])
    await expect(page.getByRole('table', { name: watched })).toContainText(billControlNumber);
});

test('a shared office mailbox is confirmed with the emailed link', async ({ page, office }) => {
  const address = `billing-${randomUUID().slice(0, 8)}@example.com`;
  await openAs(page, office.admin.userNm, '/wcpp/work/mails');
  const add = async (email: string) => {
    await page.getByRole('button', { name: 'Add mailbox' }).click();
    await dialog(page).getByLabel('Email address').fill(email);
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('clerk@harborline.example');
  await expect(dialog(page)).toContainText('This address belongs to the network.');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click();
  await add(address);
  const row = page
    .getByRole('table', { name: 'Shared office mailboxes' })
    .getByRole('row')
    .filter({ hasText: address });
  await expect(row).toContainText('Waiting for confirmation');

  const link = findLink(await readEmail(address, 'Harborline Network: confirm this mailbox'));
  await page.goto(link);
  await expect(page).toHaveURL(/confirmMailbox$/);
  await page.getByRole('button', { name: 'Confirm office mailbox' }).click();
  await expect(page.getByText("This mailbox now gets your office's bill updates.")).toBeVisible();
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm office mailbox' }).click();
  await expect(page.getByText('This link was already used')).toBeVisible();

  await openAs(page, office.admin.userNm, '/wcpp/work/mails');
  await expect(row).toContainText('Confirmed');
  await row.getByRole('button', { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
});

test("users who mirror see the other user's view, and mark nothing", async ({ page }) => {
  await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
  await page.goto('/wcpp/work');
  await expect(figure(page, 'Paid').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark all as seen' })).toHaveCount(0);
});

test('staff without a scope see so, and Today fits a narrow window', async ({ page }) => {
  await openAs(page, accounts.ISAD, '/wcpp/work');
  await expect(page.getByText("Updates are listed by a user's Tax IDs.")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await showToday(page);
  await figure(page, 'Paid').first().click();
  await expect(behind(page, 'paid').first()).toBeVisible();
  await expectInWidth(page.getByRole('table', { name: 'Bills: paid' }), 360);
});

test('what needs the office opens its list, and marking as seen is undone', async ({ page }) => {
  await showToday(page, accounts.PRAD);
  const before = await page.getByRole('heading', { name: /^Since / }).innerText();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect(page.getByText('No changes to your bills.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: before })).toBeVisible();
  await expect(figure(page, 'Paid').first()).toBeVisible();

  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await expect(page.getByRole('heading', { name: 'Last 30 days' })).toBeVisible();

  const need = page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: /^Payer overdue/ });
  const bills = Number(/\d+(?= bills)/.exec(await need.innerText())?.[0]);
  await need.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Open bills' })).toBeVisible();
  await expect(page.getByText(`${bills} found`)).toBeVisible();
});
