import type { Page } from '@playwright/test';
import { accounts, expect, getMenu, mirror, openAs, openSession, test } from './portal';
import { mockReply, restore } from './replies';

const provider = [
  'Bill Search',
  'Claim Search',
  'Client List',
  'Manage Users',
  'Manage TINs',
  'Provider Demographics',
  'Provider Resources',
];
const menus = {
  PRAD: provider,
  PRUS: provider,
  NNUS: ['Bill Search'],
  ROAD: ['Manage Rosters'],
  ROUS: ['Manage Rosters'],
  IRAD: ['Claim Search', 'Provider Resources', 'User Search', 'Manage Groups'],
  ISAD: ['Claim Search', 'Provider Resources', 'User Search', 'Add User', 'Manage Groups', 'Notifications'],
};

const home = (page: Page) => page.getByRole('heading', { name: /^Welcome, / });
const banner = (page: Page) => page.getByRole('region', { name: 'Mirroring' });

/** Checks the menu's labels, without the additional ones of narrow windows. */
async function expectMenu(page: Page, labels: string[]) {
  await expect(getMenu(page).getByRole('listitem')).toHaveText(labels);
}

/** Screens with a heading that differs from their menu label. */
const headings: Record<string, string> = {
  'Manage TINs': 'Manage Tax ID Numbers',
  'Provider Demographics': 'Demographic Search',
  'Manage Groups': 'Manage Portal User Groups',
};

for (const type of Object.keys(menus) as (keyof typeof menus)[]) {
  test(`the menu of ${type} has its entries, and each opens its screen`, { tag: '@both' }, async ({
    page,
    context,
    baseURL,
  }) => {
    // The Client List's agreement, which would cover the menu, is already accepted.
    await context.addCookies([{ name: 'clientListAgreement', value: 'Y', url: baseURL, secure: true }]);
    await openAs(page, accounts[type]);
    await expectMenu(page, menus[type]);
    for (const label of menus[type]) {
      const entry = getMenu(page).getByRole('link', { name: label, exact: true });
      const target = await entry.getAttribute('href');
      await entry.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(headings[label] ?? label);
      await expect(page).toHaveURL(new RegExp(`${target}$`));
    }
    // The session survived all of them.
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
  });
}

for (const [type, path] of [
  ['PRAD', 'UserSearch'],
  ['PRUS', 'AddUser'],
  ['NNUS', 'ClaimSearch'],
  ['ROAD', 'billSearch'],
  ['ROUS', 'Demographics/DemographicSearch'],
  ['IRAD', 'Notifications'],
] as const) {
  test(`${path} ends the session of ${type}, who can't open it`, async ({ page }) => {
    await openAs(page, accounts[type]);
    await page.goto(`/wcpp/${path}`);
    await expect(page).toHaveURL(/\/wcpp\/login$/);
    await expect(
      page.getByText(/^We signed you out because your account can't open that page/),
    ).toBeVisible();
    await expect.poll(async () => (await page.request.get('/api/session')).status()).toBe(401);
  });
}

test('home has three addresses', { tag: '@both' }, async ({ page }) => {
  await openAs(page, accounts.PRUS);
  for (const path of ['/', '/wcpp/', '/wcpp/home']) {
    await page.goto(path);
    await expect(home(page)).toBeVisible();
  }
});

test('an unknown path is Page Not Found when signed in, and sign-in otherwise', {
  tag: '@both',
}, async ({ page }) => {
  for (const path of ['/wcpp/no/such/page', '/wcpp/home']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  }
  // Anyone can open this page.
  await page.goto('/wcpp/PageNotFound');
  const notFound = page.getByRole('heading', { name: "We're sorry, but we could not locate that page" });
  await expect(notFound).toBeVisible();

  await openAs(page, accounts.PRUS);
  for (const path of ['/wcpp/no/such/page', '/elsewhere']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/wcpp\/PageNotFound$/);
    await expect(notFound).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Call 800-555-0100 or email support@portal.example.');
  }
});

test('the public screens need no session', async ({ page }) => {
  for (const path of [
    'authenticate',
    'login',
    'requestAccount',
    'emailRegistration',
    'forgotusernm',
    'forgotpassword',
    'resetPassword',
    'confirmPasswordReset',
    'confirmAddUser',
    'confirmRegistration',
    'registration',
    'registrationComplete',
  ]) {
    await page.goto(`/wcpp/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/wcpp/${path}$`));
    await expect(getMenu(page)).toHaveCount(0);
  }
});

test('screens without a check open for every account type', async ({ page }) => {
  await openAs(page, accounts.ROUS);
  for (const path of [
    'ManageRecipients',
    'FeeSchedule',
    'ManageRosters',
    'ManageGroups',
    'AuditLog',
    'TinSharing',
    'ManageTINsforNNUS',
    'News',
  ]) {
    await page.goto(`/wcpp/${path}`);
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/wcpp/${path}$`));
  }
  // The screen is only a heading so far.
  await expect(page.getByRole('main')).toHaveText('News');
});

test('the portal says so when its server is unreachable, and retries', async ({ page }) => {
  await openSession(page.request, accounts.PRUS);
  await mockReply(page, '**/api/session', 'lost');
  await page.goto('/wcpp/home');
  await expect(page.getByText("Couldn't reach the portal.")).toBeVisible();
  await restore(page, '**/api/session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(home(page)).toBeVisible();
});

test.describe('the header', () => {
  test('names the account and opens Contact Us', { tag: '@both' }, async ({ page }) => {
    await openAs(page, accounts.PRAD);
    const { user } = await (await page.request.get('/api/session')).json();
    const header = page.getByRole('banner');
    await expect(header.getByText('Admin User', { exact: true })).toBeVisible();
    await header.getByRole('button', { name: 'Contact Us' }).click();
    const dialog = page.getByRole('dialog', { name: 'Contact Us' });
    for (const text of [
      'For Provider Portal support',
      '800-555-0100',
      'Monday to Friday, 8am to 8pm Eastern',
      'support@portal.example',
    ])
      await expect(dialog.getByText(text, { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
    await header.getByRole('link', { name: `${user.userFirstName} ${user.userLastName}'s Account` }).click();
    await expect(page).toHaveURL(/\/wcpp\/UserProfile$/);
  });

  test("shows a provider user's label, and collapses its menu in a narrow window", { tag: '@both' }, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openAs(page, accounts.PRUS);
    const bills = getMenu(page).getByRole('link', { name: 'Bill Search' });
    await expect(bills).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await getMenu(page).getByRole('button', { name: 'Dark mode' }).click();
    await getMenu(page).getByRole('button', { name: 'Light mode' }).click();
    await bills.click();
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    await expect(bills).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect(page.getByRole('banner').getByText('Sub User', { exact: true })).toBeVisible();
  });

  test('remembers the selected color scheme', async ({ page }) => {
    await openAs(page, accounts.PRUS);
    const canvas = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await canvas();
    await page.getByRole('button', { name: 'Dark mode' }).click();
    await expect.poll(canvas).not.toBe(light);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Light mode' })).toBeVisible();
    expect(await canvas()).not.toBe(light);
  });

  test('marks only the current entry in forced colors', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await openAs(page, accounts.PRUS, '/wcpp/ClaimSearch');
    const marked = await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link')
      .evaluateAll((links) =>
        links
          .filter(
            (link) =>
              getComputedStyle(link).borderBottomColor !== getComputedStyle(document.body).backgroundColor,
          )
          .map(({ textContent }) => textContent),
      );
    expect(marked).toEqual(['Claim Search']);
  });

  test('has the footer below every screen', async ({ page }) => {
    await openAs(page, accounts.PRUS, '/wcpp/News');
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText(
      `© ${new Date().getFullYear()} Harborline Network. All rights reserved.`,
    );
    await expect(footer).toContainText('2.3.35');
    for (const [label, title] of [
      ['Terms and Conditions', 'Terms and Conditions'],
      ['Privacy Policy', 'Privacy Policy'],
    ] as const) {
      const opened = page.waitForEvent('popup');
      await footer.getByRole('link', { name: label }).click();
      await expect(await opened).toHaveTitle(title);
    }
    await footer.getByRole('button', { name: 'Go to top' }).click();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  });
});

test.describe('mirroring', () => {
  test('shows the mirrored user and their menu until Revert', async ({ page }) => {
    const token = await openSession(page.request, accounts.ISAD);
    await mirror(page.request, token, accounts.PRUS);
    const { mirroredUser } = await (await page.request.get('/api/session')).json();
    await page.goto('/wcpp/billSearch');
    await expect(banner(page)).toContainText(
      `Mirroring (${mirroredUser.userFirstName} ${mirroredUser.userLastName}) `,
    );
    await expectMenu(page, menus.PRUS);
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.mouse.wheel(0, 1000);
    await expect(banner(page)).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 720 });

    const question = page.getByRole('dialog', { name: 'Are you sure you want to Revert?' });
    await banner(page).getByRole('button', { name: 'Revert' }).click();
    await question.getByRole('button', { name: 'CANCEL' }).click();
    await expect(question).toHaveCount(0);
    await expect(banner(page)).toBeVisible();

    await banner(page).getByRole('button', { name: 'Revert' }).click();
    await question.getByRole('button', { name: 'YES' }).click();
    await expect(home(page)).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/home$/);
    await expect(banner(page)).toHaveCount(0);
    await expectMenu(page, menus.ISAD);
  });

  test('continues mirroring and shows an error when Revert fails', async ({ page }) => {
    const token = await openSession(page.request, accounts.IRAD);
    await mirror(page.request, token, accounts.NNUS);
    await page.goto('/wcpp/home');
    await expectMenu(page, menus.NNUS);
    await mockReply(page, '**/api/session/mirror', 'lost');
    await banner(page).getByRole('button', { name: 'Revert' }).click();
    await page.getByRole('button', { name: 'YES' }).click();
    await expect(page.getByRole('dialog')).toContainText(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
    await restore(page, '**/api/session/mirror');
    await page.getByRole('button', { name: 'YES' }).click();
    await expect(banner(page)).toHaveCount(0);
  });

  test('covers the other tabs, and Back never signs out', async ({ page, context }) => {
    const token = await openAs(page, accounts.ISAD, '/wcpp/AddUser');
    await getMenu(page).getByRole('link', { name: 'User Search' }).click();
    await expect(page).toHaveURL(/\/wcpp\/UserSearch$/);

    // Another tab started it.
    await mirror(page.request, token, accounts.PRUS);
    const other = await context.newPage();
    await other.goto('/wcpp/home');
    await other.evaluate(() => new BroadcastChannel('wcpp').postMessage({ type: 'mirror' }));
    const cover = page.getByRole('heading', { name: /^You're mirroring .+ in another tab$/ });
    await expect(cover).toBeVisible();

    // Provider users can't open AddUser, so the tab stays covered, even after a reload.
    await page.goBack();
    await expect(page).toHaveURL(/\/wcpp\/AddUser$/);
    await expect(cover).toBeVisible();
    await page.reload();
    await expect(cover).toBeVisible();

    await page.getByRole('button', { name: 'Revert' }).click();
    await expect(cover).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'Add User' })).toBeVisible();
    await expect(banner(other)).toHaveCount(0);
    await expectMenu(other, menus.ISAD);
  });

  test("rejects screens that the mirrored user can't open", async ({ page }) => {
    const token = await openSession(page.request, accounts.ISAD);
    await mirror(page.request, token, accounts.NNUS);
    await page.goto('/wcpp/home');
    await expect(banner(page)).toBeVisible();
    await page.goto('/wcpp/UserSearch');
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });
});
