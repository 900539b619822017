import type { Locator, Page } from '@playwright/test';
import { known, listProviders } from './directory';
import { randomName, requestAccount } from './people';
import { accounts, expect, getPortalData, getSignInButton, openAs, password, test } from './portal';
import { chooseFiles, openUpload, selectGroup } from './rosters';
import { unmatched } from './screens/unmatchedpayments';
import { importFile } from './start';
import { remittance } from './x12';

/** Presses Tab until the target has the focus, as users without a mouse do. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      // The focus must have a visible ring, around the element or its field.
      const ring = await target.evaluate((element) => {
        for (let each: Element | null = element; each; each = each.parentElement)
          if (getComputedStyle(each).outlineStyle !== 'none')
            return Number.parseFloat(getComputedStyle(each).outlineWidth);
        return 0;
      });
      expect(ring, `focus ring of ${target}`).toBeGreaterThanOrEqual(2);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

async function activate(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

test('all steps by keyboard: sign in, search, see the payment, sign out', async ({
  page,
  specimens: { paid },
}) => {
  await page.goto('/wcpp/login');
  await activate(page, getSignInButton(page));
  await page.waitForURL('**/sso/sign-in');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.type(accounts.PRUS);
  await type(page, page.getByLabel('Password'), password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();

  await activate(
    page,
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bill Search' }),
  );
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeFocused();

  const tins = page.getByRole('combobox', { name: 'Select up to 5 TINS' });
  await tabTo(page, tins);
  await page.keyboard.type(paid.ftin);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await activate(page, page.getByRole('button', { name: 'Search by Bill ID' }));
  const number = page.getByLabel('Bill Control Number', { exact: true });
  await tabTo(page, number);
  // An incomplete submit moves the focus to the problems.
  await page.keyboard.press('Enter');
  const problems = page.getByRole('group', { name: 'Message' });
  await expect(problems).toBeFocused();
  await activate(page, problems.getByRole('link'));
  await expect(number).toBeFocused();
  await page.keyboard.type(paid.billControlNumber);
  await page.keyboard.press('Enter');

  const payment = page.getByRole('button', { name: /^Payment Info/ });
  await expect(payment).toBeVisible();
  await activate(page, payment);
  const dialog = page.getByRole('dialog', { name: 'Payment Information' });
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeFocused();
  // The focus stays in the dialog until it closes, and then returns.
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(payment).toBeFocused();

  await activate(page, page.getByRole('button', { name: 'Reset' }));
  await expect(page.getByRole('table')).toHaveCount(0);
  await activate(page, page.getByRole('link', { name: 'Sign Out' }));
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeFocused();
});

test('the skip link jumps past the header', async ({ page }) => {
  await page.goto('/wcpp/login');
  await expect(getSignInButton(page)).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to main content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('Back focuses the link that was used', async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/remittances');
  const found = page.getByRole('table', { name: 'Search results' }).locator('tbody').getByRole('link');
  await expect(found.nth(5)).toBeVisible();
  const number = (await found.nth(5).textContent()) ?? '';
  const link = page.getByRole('main').getByRole('link', { name: number, exact: true });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Remittance ${number}` })).toBeFocused();
  await page.goBack();
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
});

test('Back focuses the menu that was used', async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/ManageUsers');
  const menu = page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('button').nth(1);
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeFocused();
  await page.goBack();
  await expect(menu).toBeFocused();
});

test('a view is renamed by keyboard without other changes', async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/bills');
  const named = (name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: new RegExp(`^${name}`) });
  await activate(page, page.getByRole('button', { name: 'Save view' }));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await expect(named('By hand')).toHaveAttribute('aria-current', 'page');
  const menu = page.getByRole('button', { name: 'View', exact: true });
  const open = async (action: string) => {
    await menu.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: /^Save changes/ })).toBeFocused();
    await expect(page.getByRole('menuitem', { name: /^Save changes/ })).toBeDisabled();
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press('ArrowDown');
      if (await page.getByRole('menuitem', { name: action }).evaluate((e) => e === document.activeElement))
        return page.keyboard.press('Enter');
    }
    throw new Error(`no arrow leads to ${action}`);
  };
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(menu).toBeFocused();
  await open('Rename or share');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(', still');
  await page.keyboard.press('Enter');
  await expect(named('By hand, still')).toBeVisible();
  await expect(menu).toBeFocused();
  await open('Delete view');
  await activate(page, dialog.getByRole('button', { name: 'Delete' }));
  await expect(named('By hand, still')).toHaveCount(0);
});

test('Back from a provider focuses its row', async ({ page }) => {
  await listProviders(page, known.orthopedics.tin);
  const row = page.getByRole('button', { name: known.orthopedics.physician, exact: true });
  const opened = page.getByRole('heading', { name: /^Physician - Olsen/ });
  await row.focus();
  await page.keyboard.press('Enter');
  await expect(opened).toBeFocused();
  await page.goBack();
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(opened).toBeFocused();
  await activate(page, page.getByRole('button', { name: 'Back to Demographic Search' }).last());
  await expect(row).toBeFocused();
});

test('a note is added by keyboard, and the focus stays in its dialog', async ({ page }) => {
  await openAs(page, accounts.PRUS, '/wcpp/work/bills');
  const bill = page.getByRole('table', { name: 'Bills' }).locator('tbody').getByRole('link').nth(2);
  await bill.focus();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: /^Notes on bill/ });
  await expect(dialog.getByLabel('New note')).toBeFocused();
  await page.keyboard.type('Called the payer');
  await activate(page, dialog.getByRole('button', { name: 'Add note' }));
  await expect(dialog.getByText('Called the payer')).toBeVisible();
  await expect(dialog.getByLabel('New note')).toBeFocused();
  await activate(page, dialog.getByRole('button', { name: 'Delete' }));
  await expect(dialog.getByText(/, deleted$/)).toBeVisible();
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  // Closing with unsaved text asks first.
  await type(page, dialog.getByLabel('New note'), 'Begun');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(bill).toBeFocused();
});

test("a file is selected by keyboard, and the focus isn't lost during or after the check", async ({
  page,
}) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/users/file');
  const browse = page.getByRole('button', { name: 'Browse…' });
  const chosen = page.waitForEvent('filechooser');
  await activate(page, browse);
  await (await chosen).setFiles({
    name: 'users.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('no column'),
  });
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expect(browse).toBeFocused();
});

/** Some element has the focus: it isn't lost when a control disappears. */
const expectFocusKept = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);

test('staff decide on a likely duplicate, and undo it, by keyboard', async ({ page }) => {
  const tin = `FI*${known.orthopedics.tin}`;
  await importFile(getPortalData(), 'x12', remittance('EFT88020', tin, ['KB-1'], '1512345678'));
  await importFile(getPortalData(), 'x12', remittance('EFT88020', tin, ['KB-1', 'KB-2']));
  await openAs(page, accounts.ISAD, unmatched);
  const waiting = page
    .getByRole('table', { name: 'Possible duplicate checks' })
    .getByRole('row', { name: /EFT88020/ });
  await activate(page, waiting.getByRole('button', { name: /^Same check/ }));
  await expect(waiting).toHaveCount(0);
  await expectFocusKept(page);
  const decided = page
    .getByRole('table', { name: 'Duplicate check decisions' })
    .getByRole('row', { name: /EFT88020/ });
  await decided.first().getByRole('button', { name: /^Undo/ }).focus();
  await page.keyboard.press('Enter');
  await expect(waiting).toHaveCount(1);
  await expectFocusKept(page);
});

test('staff match a payment by keyboard', async ({ page }) => {
  await openAs(page, accounts.ISAD, unmatched);
  const payment = page
    .getByRole('table', { name: 'Payments to match' })
    .getByRole('row', { name: /Hannah Ochoa/ })
    .first();
  await activate(page, payment.getByRole('button', { name: /^Match to/ }).first());
  await expect(page.getByText('Payment matched')).toBeVisible();
  await expectFocusKept(page);
  const undo = page.getByRole('table', { name: 'Match history' }).getByRole('button', { name: /^Undo/ });
  await undo.first().focus();
  await page.keyboard.press('Enter');
  await expect(payment).toBeVisible();
  await expectFocusKept(page);
});

test('an office marks a remittance as posted, and undoes it, by keyboard', async ({ page }) => {
  await importFile(
    getPortalData(),
    'x12',
    remittance('EFT88021', `FI*${known.orthopedics.tin}`, ['KB-3'], '1512345678'),
  );
  await openAs(page, accounts.PRUS, '/wcpp/work/remittances');
  await type(page, page.getByLabel('Check or EFT number', { exact: true }), 'EFT88021');
  await page.keyboard.press('Enter');
  const row = page.getByRole('table', { name: 'Search results' }).getByRole('row', { name: /EFT88021/ });
  const mark = row.getByRole('button', { name: /Mark as posted|✓ Posted/ });
  await activate(page, mark);
  await expect(mark).toHaveText(/^✓ Posted/);
  await expectFocusKept(page);
  await activate(page, mark);
  await expect(mark).toHaveText(/^Mark as posted/);
  await expectFocusKept(page);
});

test('the columns of a roster are selected by keyboard', async ({ page }) => {
  await openUpload(page);
  await selectGroup(page, 'University Heights Rehabilitation (G2013)');
  const name = 'own-headings.csv';
  await chooseFiles(page, {
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(`NPI,TIN,Surname,Given,Street,Town,ST,ZIP,Phone,Since\n`),
  });
  const check = page.getByRole('region', { name, exact: true });
  await expect(check).toContainText(/Missing columns: /);
  const use = check.getByLabel('Use Surname as');
  await tabTo(page, use);
  await page.keyboard.type('Last');
  await expect(use).toHaveValue('Last Name');
  await activate(page, check.getByRole('button', { name: /^Check again/ }));
  await expect(check).toContainText('Surname as Last Name');
  await expectFocusKept(page);
});

test('an office logs a payer call by keyboard', async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/call-sheet');
  const log = page.getByRole('button', { name: /^Log call to/ }).first();
  await expect(log).toBeVisible();
  await activate(page, log);
  const dialog = page.getByRole('dialog', { name: 'Log payer call' });
  await tabTo(page, dialog.getByRole('radio', { name: 'Payment promised' }));
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: 'Not on file' })).toBeChecked();
  await type(page, dialog.getByLabel('Spoke with'), 'Ms. Hale');
  await activate(page, dialog.getByRole('button', { name: 'Log call' }));
  await expect(dialog).toBeHidden();
  await expectFocusKept(page);
});

test('staff decline an account request by keyboard', async ({ page, request }) => {
  const last = randomName();
  const email = `ada${last}@example.com`.toLowerCase();
  await requestAccount(request, email, 'Ada', last, known.orthopedics.tin);
  await openAs(page, accounts.ISAD, '/wcpp/desk/requests');
  const decline = page.getByRole('button', { name: `Decline Ada ${last}`, exact: true });
  await expect(decline).toBeVisible();
  await activate(page, decline);
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('This office has an administrator.');
  await activate(page, page.getByRole('button', { name: 'Decline', exact: true }));
  await expect(decline).toHaveCount(0);
  await expectFocusKept(page);
});
