import type { Page } from '@playwright/test';
import {
  accounts,
  expect,
  fillForm,
  getMenu,
  getSignInButton,
  openAs,
  openSession,
  password,
  signIn,
  test,
} from './portal';
import { delay, mockReply, restore } from './replies';
import { type Portal, startPortal } from './start';

const texts = {
  deactivated:
    'Error: The account has been deactivated. Please use the Reset Password link below to reset your Password.',
  inactive:
    'Error: Please access the link in the Temporary Password Email or use the Reset Password link below to reset your Password.',
  locked: (minutes: number) =>
    `Error: Your account has been temporarily locked for ${minutes} minutes. Please use the Reset Password link below or contact your Account Administrator to reset your password.`,
  terminated: 'Error: The account has been Terminated. Please contact your Account Administrator.',
  incorrect: 'Error: The Username or Password is incorrect.',
  notActive: 'Error: This account is not active. Access denied.',
  noEmployee: 'Error: Your account is not associated with an Employee ID. Contact System Administrator.',
  other: 'Error: Unable to login. Please contact your Account Administrator',
};

const home = (page: Page) => page.getByRole('heading', { name: /^Welcome, / });

/** The bell's own requests would notice the end of a session before the user does. */
const muteBell = (page: Page) => mockReply(page, '**/api/notifications/**', 'lost');

/** Signs in with the form but blocks the use of the code. Returns the address with the code. */
async function unusedCode(page: Page): Promise<string> {
  await mockReply(page, '**/api/authenticate', 'lost');
  const returned = page.waitForRequest((request) => request.url().includes('/wcpp/login?code='));
  await page.goto('/wcpp/login');
  await signIn(page, accounts.PRUS);
  await expect(page.getByRole('alert')).toHaveText(texts.other);
  await restore(page, '**/api/authenticate');
  return (await returned).url();
}

test.describe("single sign-on with the portal's form", () => {
  test('goes home; SIGN IN ignores a second click while it runs', async ({ page }) => {
    await page.goto('/wcpp/login');
    // A response without content doesn't navigate.
    await mockReply(page, '**/sso/start', { status: 204 });
    await getSignInButton(page).click();
    await expect(getSignInButton(page)).toBeDisabled();
    await restore(page, '**/sso/start');

    await page.reload();
    await getSignInButton(page).click();
    await page.waitForURL('**/sso/sign-in');
    const complete = await delay(page, '**/api/authenticate');
    await fillForm(page, accounts.PRUS);
    await expect(getSignInButton(page)).toBeDisabled();
    // The browser has the code now, and it isn't visible anywhere.
    await expect(page).toHaveURL(/\/wcpp\/login$/);
    complete();
    await expect(home(page)).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/home$/);
  });

  test("can't be reached with Back when signed in, even after a typo", async ({ page }) => {
    await page.goto('/wcpp/login');
    await signIn(page, accounts.PRUS, 'not the password');
    await expect(page.getByRole('alert')).toHaveText(texts.incorrect);
    await page.reload();
    await fillForm(page, accounts.PRUS);
    await expect(home(page)).toBeVisible();
    await page.goBack();
    await expect(home(page)).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/home$/);
  });

  test('shows a wrong password on the form, where it can be corrected', async ({ page }) => {
    await page.goto('/wcpp/login');
    await signIn(page, accounts.NNUS, 'not the password');
    await expect(page).toHaveURL(/\/sso\/sign-in$/);
    await expect(page.getByRole('alert')).toHaveText(texts.incorrect);
    await expect(page.getByLabel('Username')).toHaveValue(accounts.NNUS);
    await fillForm(page, accounts.NNUS);
    await expect(home(page)).toBeVisible();
  });

  // Unlisted accounts of the demo.
  for (const [status, userName, text] of [
    ['inactive', 'vibrahim', texts.inactive],
    ['locked', 'rporter', texts.locked(30)],
    ['deactivated', 'amontgomery', texts.deactivated],
    ['terminated', 'sosborne', texts.terminated],
  ] as const) {
    test(`rejects a ${status} account with its reason`, async ({ page }) => {
      await page.goto('/wcpp/login');
      await signIn(page, userName);
      await expect(page.getByRole('alert')).toHaveText(text);
      await expect(page).toHaveURL(/\/wcpp\/login$/);
      await expect(getSignInButton(page)).toBeEnabled();
    });
  }

  test("rejects passwords of an account that isn't registered yet", async ({ page }) => {
    await page.goto('/wcpp/login');
    await getSignInButton(page).click();
    for (const userName of ['sgaines', 'sunderwood']) {
      await fillForm(page, userName);
      await expect(page.getByLabel('Username')).toHaveValue(userName);
      await expect(page.getByRole('alert')).toHaveText(texts.incorrect);
    }
  });

  test('locks a name after five wrong passwords and shows for how long', async ({ page }) => {
    // An unknown username. A lockout doesn't reveal which users exist.
    const name = `nobody${Date.now()}`;
    await page.goto('/wcpp/login');
    await signIn(page, name, 'wrong 1');
    for (const typed of ['wrong 2', 'wrong 3', 'wrong 4']) {
      await expect(page.getByRole('alert')).toHaveText(texts.incorrect);
      await fillForm(page, name, typed);
    }
    await expect(page.getByRole('alert')).toHaveText(texts.incorrect);
    await fillForm(page, name, 'wrong 5');
    await expect(page).toHaveURL(/\/wcpp\/login/);
    await expect(page.getByRole('alert')).toHaveText(texts.locked(30));
  });

  test('accepts a code once', async ({ page }) => {
    const returned = page.waitForRequest((request) => request.url().includes('/wcpp/login?code='));
    await page.goto('/wcpp/login');
    await signIn(page, accounts.PRUS);
    await expect(home(page)).toBeVisible();
    const used = (await returned).url();
    await page.getByRole('link', { name: 'Sign Out' }).click();
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    await page.goto(used);
    await expect(page.getByRole('alert')).toHaveText(texts.other);
    expect(page.url()).not.toContain('code=');
  });

  test('rejects a code that another browser requested', async ({ page, browser, baseURL }) => {
    const stolen = await unusedCode(page);
    const other = await (await browser.newContext({ baseURL })).newPage();
    await other.goto('/wcpp/login');
    await getSignInButton(other).click();
    await other.waitForURL('**/sso/sign-in');
    await other.goto(stolen);
    await expect(other.getByRole('alert')).toHaveText(texts.other);
    expect(other.url()).not.toContain('code=');
    expect((await other.request.get('/api/session')).status()).toBe(401);
    await other.context().close();
  });

  test("also completes at the screen's other address", async ({ page }) => {
    const returned = await unusedCode(page);
    await page.goto(returned.replace('/wcpp/login', '/wcpp/authenticate'));
    await expect(home(page)).toBeVisible();
  });
});

test.describe('the sign-in screen', () => {
  test('explains each error code of a failed sign-in', async ({ page }) => {
    for (const [code, text] of [
      ['USER_ACCT_DEACTIVATED', texts.deactivated],
      ['USER_ACCT_INACTIVE', texts.inactive],
      ['USER_ACCT_LOCKED', texts.locked(30)],
      ['USER_ACCT_LOCKED:7', texts.locked(7)],
      ['USER_ACCT_TERMINATED', texts.terminated],
      ['INVALID_CREDENTIALS', texts.incorrect],
      ['USER_ACCT_UNKNOWN_STATUS', texts.incorrect],
      ['INACTIVE_CREDENTIALS', texts.notActive],
      ['MISSING_EMPLOYEE_ID', texts.noEmployee],
      ['ANYTHING_ELSE', texts.other],
    ] as const) {
      await page.goto(`/wcpp/login?fail=${code}`);
      await expect(page.getByRole('alert'), code).toHaveText(text);
      await expect(getSignInButton(page)).toBeEnabled();
    }
  });

  test('links to the account screens', async ({ page }) => {
    for (const [label, path] of [
      ['Forgot Username?', '/wcpp/forgotusernm'],
      ['Reset Password', '/wcpp/resetPassword'],
      ['Request an Account', '/wcpp/requestAccount'],
    ] as const) {
      await page.goto('/wcpp/login');
      await page.getByRole('link', { name: label }).click();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
    }
  });

  test("isn't available when signed in", async ({ page }) => {
    await openAs(page, accounts.PRUS);
    await page.goto('/wcpp/login');
    await expect(home(page)).toBeVisible();
  });
});

test.describe('username and password on the sign-in screen', () => {
  const submit = (page: Page) => page.getByRole('button', { name: 'Sign in with password' });

  test('asks for missing fields', async ({ page }) => {
    await page.goto('/wcpp/login');
    await submit(page).click();
    await expect(page.getByText('Error: Enter Username', { exact: true })).toBeVisible();
    await expect(page.getByText('Error: Enter Password', { exact: true })).toBeVisible();
    await page.getByLabel('Username').fill(accounts.PRUS);
    await submit(page).click();
    await expect(page.getByText('Error: Enter Username', { exact: true })).toHaveCount(0);
    await expect(page.getByText('Error: Enter Password', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  });

  test('rejects, then signs in', async ({ page }) => {
    await page.goto('/wcpp/login');
    await page.getByLabel('Username').fill('nobody at all');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    const answer = await delay(page, '**/api/authenticate');
    await submit(page).click();
    await expect(getSignInButton(page)).toBeDisabled();
    answer();
    await expect(page.getByRole('alert')).toHaveText(texts.incorrect);
    await expect(getSignInButton(page)).toBeEnabled();
    await page.getByLabel('Username').fill(accounts.ROUS);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await submit(page).click();
    await expect(home(page)).toBeVisible();
  });

  test('shows when the portal itself fails', async ({ page }) => {
    await page.goto('/wcpp/login');
    await mockReply(page, '**/api/authenticate', 'lost');
    await page.getByLabel('Username').fill(accounts.PRUS);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText(texts.other);
  });
});

/**
 * Opens a screen from the menu. The page may have noticed the end of its session, so that the
 * menu is gone. A scripted click on the link navigates even then, and reloads the page.
 */
const openFromMenu = (page: Page): Promise<void> =>
  getMenu(page).evaluateAll((menus) => {
    for (const link of menus.flatMap((menu) => [...menu.querySelectorAll('a')])) {
      if (link.textContent === 'Bill Search' && link.isConnected) link.click();
    }
  });

test.describe('the session', () => {
  test('outlives a reload and ends with Sign Out, here, in other tabs and on the server', async ({
    page,
    context,
  }) => {
    const token = await openAs(page, accounts.PRUS);
    await page.reload();
    await expect(home(page)).toBeVisible();
    const other = await context.newPage();
    await other.goto('/wcpp/billSearch');
    await expect(other.getByRole('heading', { name: 'Bill Search' })).toBeVisible();

    await page.getByRole('link', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/wcpp\/logout$/);
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    await expect(page.getByText('Thank you for using Harborline Network.')).toBeVisible();
    await expect(getMenu(page)).toHaveCount(0);
    await expect(other.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    await expect
      .poll(async () => {
        const answer = await page.request.get('/api/session', {
          headers: { Authorization: `Bearer ${token}` },
        });
        return answer.status();
      })
      .toBe(401);
    await page.reload();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });

  test('ends on the page when the server has ended it', async ({ page }) => {
    await muteBell(page);
    const token = await openAs(page, accounts.PRUS);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await page.request.post('/api/logout', { headers })).ok()).toBe(true);
    await openFromMenu(page);
    await expect(page.getByText('Your session ended. Sign in again.')).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });

  test('ends when a sign-in in another tab replaces it, which a reload finds', async ({ page }) => {
    await muteBell(page);
    await openAs(page, accounts.PRUS);
    await openSession(page.request, accounts.ISAD);
    await openFromMenu(page);
    await expect(page.getByText('Your session ended. Sign in again.')).toBeVisible();
    await page.reload();
    await expect(getMenu(page).getByRole('link', { name: 'User Search' })).toBeVisible();
  });

  test('starts at the requested page, once', async ({ page }) => {
    await page.goto('/wcpp/billSearch?from=mail');
    await expect(page).toHaveURL(/\/wcpp\/login$/);
    await signIn(page, accounts.PRUS);
    await expect(page).toHaveURL(/\/wcpp\/billSearch\?from=mail$/);
    await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
    await page.getByRole('link', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await signIn(page, accounts.PRUS);
    await expect(home(page)).toBeVisible();
  });

  test("starts at home when the account can't open the requested page", async ({ page }) => {
    await page.goto('/wcpp/UserSearch');
    await expect(page).toHaveURL(/\/wcpp\/login$/);
    await signIn(page, accounts.PRUS);
    await expect(page).toHaveURL(/\/wcpp\/home$/);
    await expect(home(page)).toBeVisible();
  });
});

test.describe('without activity', () => {
  test.use({ ownBrowser: true });
  const minute = 60_000;
  const warning = (page: Page) => page.getByRole('dialog', { name: 'Are you still there?' });
  const ofTimeout = (url: { url(): string }) => url.url().endsWith('/appProperties/property/FE_APP_TIMEOUT');
  let portal: Portal;

  test.beforeAll(async () => {
    portal = await startPortal(['demo', '--bills', '10'], { WCPP_IDLE_MINUTES: '3' });
  });
  test.afterAll(() => portal.stop());

  /** Home, with a clock that the test advances. */
  async function enterStopped(page: Page) {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    const data = { username: accounts.PRUS, password };
    expect((await page.request.post(`${portal.url}/api/authenticate`, { data })).status()).toBe(200);
    await page.goto(`${portal.url}/wcpp/home`);
    // Rendering takes a little time too.
    await expect(async () => {
      await page.clock.runFor(50);
      await expect(home(page)).toBeVisible({ timeout: 50 });
    }).toPass({ intervals: [10] });
  }

  /** Waits until the page has its timeout. */
  async function passFiveSeconds(page: Page) {
    const ended = Promise.race([
      page.waitForEvent('requestfinished', ofTimeout),
      page.waitForEvent('requestfailed', ofTimeout),
    ]);
    await page.clock.runFor(5_000);
    await ended;
    await roundTrip(page);
  }

  /** The page has processed all earlier responses by then. */
  const roundTrip = (page: Page) => page.evaluate(() => fetch('/healthz').then(({ status }) => status));

  test('warns two minutes before the end, and continues on request', async ({ page }) => {
    await enterStopped(page);
    await passFiveSeconds(page);
    await page.clock.runFor(minute - 10_000);
    await expect(warning(page)).toHaveCount(0);
    await page.clock.runFor(15_000);
    await expect(warning(page)).toBeVisible();
    const touched = page.waitForRequest('**/api/session/touch');
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    // The dialog closes in steps that each wait for the clock.
    await expect(async () => {
      await page.clock.runFor(100);
      await expect(warning(page)).toHaveCount(0, { timeout: 100 });
    }).toPass({ intervals: [10] });
    await touched;
  });

  test('ends after the configured minutes, with a message', async ({ page }) => {
    await enterStopped(page);
    await passFiveSeconds(page);
    await page.clock.runFor(3 * minute + 2_000);
    await expect(
      page.getByText('You are signed out due to 3 minutes of inactivity. Please sign in again.'),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
    await expect.poll(async () => (await page.request.get(`${portal.url}/api/session`)).status()).toBe(401);
  });

  test('a sign-in in one tab restores the others, with their input', async ({ page, context }) => {
    await enterStopped(page);
    const other = await context.newPage();
    await other.goto(`${portal.url}/wcpp/UserProfile`);
    const title = other.getByLabel('Job Title');
    await expect(async () => {
      await page.clock.runFor(50);
      await expect(title).toBeVisible({ timeout: 50 });
    }).toPass({ intervals: [10] });
    await title.fill('Typed before lunch');
    await expect(async () => {
      await page.clock.runFor(100);
      expect(await other.evaluate(() => Object.keys(history.state.typed ?? {}).length)).toBe(1);
    }).toPass({ intervals: [10] });
    await passFiveSeconds(page);
    const third = await context.newPage();
    await page.clock.runFor(3 * minute + 2_000);
    for (const tab of [page, other])
      await expect(tab.getByText(/due to 3 minutes of inactivity/)).toBeVisible();
    await expect.poll(async () => (await page.request.get(`${portal.url}/api/session`)).status()).toBe(401);

    // A third tab waits at the form itself.
    await third.goto(`${portal.url}/sso/start?prompt=login`);
    await expect(third).toHaveURL(/\/sso\/sign-in$/);
    await page.clock.resume();
    await signIn(page, accounts.PRUS);
    await expect(home(page)).toBeVisible();
    await expect(title).toHaveValue('Typed before lunch');
    await expect(other).toHaveURL(/\/wcpp\/UserProfile$/);
    await expect(home(third)).toBeVisible();

    // A sign-in that replaces the session doesn't affect the tabs either.
    const { token } = await (await page.request.get(`${portal.url}/api/session`)).json();
    await third.goto(`${portal.url}/sso/start?prompt=login`);
    await fillForm(third, accounts.PRUS);
    await expect(home(third)).toBeVisible();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await page.request.get(`${portal.url}/api/session`, { headers })).status()).toBe(401);
    const saved = other.waitForResponse('**/users/updateUser');
    await other.getByRole('button', { name: 'SAVE' }).click();
    expect((await saved).status()).toBe(200);
    await expect(other.getByText(/ended/)).toHaveCount(0);
    await expect(title).toHaveValue('Typed before lunch');
  });

  test('restarts with each user activity', async ({ page }) => {
    await enterStopped(page);
    await passFiveSeconds(page);
    const acts = [
      () => page.mouse.move(100, 100),
      () => page.mouse.down(),
      () => page.mouse.up(),
      () => page.keyboard.press('a'),
      () => page.evaluate(() => window.dispatchEvent(new Event('scroll'))),
    ];
    for (const act of acts) {
      await page.clock.runFor(50_000);
      await act();
    }
    await page.clock.runFor(50_000);
    await expect(warning(page)).toHaveCount(0);
    await expect(home(page)).toBeVisible();
  });

  test("takes 30 minutes when the timeout can't be loaded", async ({ page }) => {
    await mockReply(page, '**/FE_APP_TIMEOUT', 'lost');
    await enterStopped(page);
    await passFiveSeconds(page);
    await page.clock.runFor(27 * minute);
    await expect(warning(page)).toHaveCount(0);
    await page.clock.runFor(3 * minute + 2_000);
    await expect(
      page.getByText('You are signed out due to 30 minutes of inactivity. Please sign in again.'),
    ).toBeVisible();
  });

  test('requests the timeout five seconds after sign-in', async ({ page }) => {
    let requestCount = 0;
    page.on('request', (request) => {
      if (ofTimeout(request)) requestCount++;
    });
    await enterStopped(page);
    await page.clock.runFor(4_000);
    await roundTrip(page);
    expect(requestCount).toBe(0);
    const sent = page.waitForRequest(ofTimeout);
    await page.clock.runFor(1_000);
    await sent;
  });
});

test('after an idle timeout, sign-in restores the page and the input; a changed form asks before leaving', async ({
  page,
}) => {
  // An account that no other test signs out, because that deletes the stored input.
  await openAs(page, accounts.NNUS);
  await page.goto('/wcpp/UserProfile');
  const title = page.getByLabel('Job Title');
  await title.fill('Typed before lunch');
  await getMenu(page).getByRole('link', { name: 'Bill Search' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(title).toHaveValue('Typed before lunch');
  await expect.poll(() => page.evaluate(() => Object.keys(history.state.typed ?? {}).length)).toBe(1);
  await page.reload();
  await expect(title).toHaveValue('Typed before lunch');

  // The server has ended the session, and the next request notices.
  const { token } = await (await page.request.get('/api/session')).json();
  const headers = { Authorization: `Bearer ${token}` };
  expect((await page.request.post('/api/logout?idle=true', { headers })).status()).toBe(200);
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByText('Your session ended. Sign in again.')).toBeVisible();
  await signIn(page, accounts.NNUS);
  await expect(title).toHaveValue('Typed before lunch');
  await expect(page).toHaveURL(/\/wcpp\/UserProfile$/);
});

test('Back right after typing asks, and goes to the right page', async ({ page }) => {
  await openAs(page, accounts.NNUS, '/wcpp/billSearch');
  await page.getByRole('link', { name: /Account$/ }).click();
  const title = page.getByLabel('Job Title');
  await expect(title).toBeVisible();
  // Before the input is stored, which happens shortly after it.
  await title.evaluate((field: HTMLInputElement) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    write?.call(field, 'Typed at once');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    setTimeout(() => history.back(), 50);
  });
  const leave = page.getByRole('button', { name: 'Leave' });
  await expect(leave).toBeVisible();
  await page.waitForTimeout(600);
  await expect(page).toHaveURL(/\/wcpp\/billSearch$/);
  await leave.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bill Search' })).toBeVisible();
  await expect(page).toHaveURL(/\/wcpp\/billSearch$/);
});

test.describe('without a connection', () => {
  // The screen must not be cached.
  test.use({ ownBrowser: true });

  test('header and menu stay, and the screen loads by itself', async ({ page, context }) => {
    await openAs(page, accounts.PRUS);
    await mockReply(page, '**/BillSearchPage*', 'lost');
    await context.setOffline(true);
    await expect(page.getByText(/^You're offline/)).toBeVisible();
    await getMenu(page).getByRole('link', { name: 'Bill Search' }).click();
    await expect(page.getByText(/^Couldn't reach the portal/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
    await restore(page, '**/BillSearchPage*');
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Bill Search' })).toBeVisible();
  });
});
