import type { Page } from '@playwright/test';
import { enterReason, find } from './desk';
import { readEmail } from './mail';
import { randomName, requestAccount, test } from './people';
import { accounts, expect, openAs } from './portal';

test('from a request to a response: a reason, a number, the bill as its office sees it', async ({
  page,
  browser,
}) => {
  const office = await browser.newPage();
  await openAs(office, accounts.PRUS, '/wcpp/work/bills');
  const link = office.getByRole('link', { name: /^70\d+$/ }).first();
  const number = await link.innerText();

  await enterReason(page, accounts.ISAD);
  // The only hit opens by itself.
  await find(page, number);
  await expect(page.getByRole('heading', { name: `Bill ${number}`, level: 1 })).toBeVisible();
  await expect(page.getByText(/^(Not opened by the office yet|First opened by)/)).toBeVisible();
  // Opening the image here doesn't count as the office's opening.
  const image = page.waitForResponse('**/api/desk/bills/document');
  await page.getByRole('button', { name: 'Bill image' }).click();
  expect((await image).headers()['content-type']).toBe('application/pdf');

  await link.click();
  await expect(office.getByRole('heading', { name: `Bill ${number}`, level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^First opened by/)).toBeVisible();
  await office.close();
});

test('from a user to their office, and to mirroring them for the given reason', async ({ page, office }) => {
  const { admin, tin } = office;
  await enterReason(page, accounts.IRAD);
  await find(page, admin.userNm);
  await page.getByRole('button', { name: admin.userNm, exact: true }).click();
  await expect(page.getByText(/^Can sign in/)).toBeVisible();
  await page.getByRole('button', { name: 'Their office' }).click();
  await expect(page.getByText(`1 Tax ID: ${tin}`)).toBeVisible();
  const people = page.getByRole('table', { name: 'Users in this office' });
  await expect(people.getByRole('button', { name: admin.userNm, exact: true })).toBeVisible();

  await page.getByRole('button', { name: `Act as ${admin.userNm}` }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
  await page.getByRole('button', { name: 'Revert' }).click();
  await page.getByRole('button', { name: 'YES' }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toHaveCount(0);
});

const queue = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Work queue' }).getByRole('link', { name, exact: true });

test("a queue's day: a request is declined by email, a draft is deleted, and the queue is empty", async ({
  page,
  isad,
  office,
}) => {
  const last = randomName();
  const email = `${last.toLowerCase()}@example.com`;
  await requestAccount(isad.request, email, 'Rita', last, office.tin);
  const saved = await isad.request.put('/api/users/saveDraftUser', {
    headers: isad.headers,
    data: {
      userFirstName: 'Dora',
      userLastName: last,
      emailAddr: `dora.${email}`,
      phoneNum: '2165550100',
      affiliationCd: 'OFC_STAFF',
      jobTitle: 'Biller',
      companyNm: 'Lakeside',
      typeCd: 'PRAD',
      isSaveAsDraftOperation: true,
    },
  });
  expect(saved.status()).toBe(200);

  // Approving opens a prefilled Add User; going back leaves the request open.
  await openAs(page, accounts.ISAD, '/wcpp/desk/queues');
  await queue(page, 'Account requests').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account requests' })).toBeVisible();
  await page.getByRole('button', { name: `Approve Rita ${last}` }).click();
  await expect(page.getByText(`Account request of Rita ${last}`)).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: `Decline Rita ${last}` }).click();
  await page.getByLabel('Reason').fill('This office has an administrator.');
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Decline Rita ${last}` })).toHaveCount(0);
  await readEmail(email, 'Your account request was declined', {
    words: 'This office has an administrator.',
  });

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Queues' }).click();
  await queue(page, 'Draft accounts').click();
  await page.getByRole('button', { name: `Continue Dora ${last}` }).click();
  await expect(page.getByText(`Draft of Dora ${last}`)).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: `Delete Dora ${last}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Draft deleted')).toBeVisible();
  await expect(page.getByRole('button', { name: `Continue Dora ${last}` })).toHaveCount(0);
});
