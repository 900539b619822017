import type { Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { accounts, expect, getSignInButton, test } from './portal';
import { type OpenIdProvider, startProvider } from './provider';
import { findFreePort, type Portal, startPortal } from './start';

const unable = 'Error: Unable to login. Please contact your Account Administrator';
const notActive = 'Error: This account is not active. Access denied.';

// All tests share one provider and one portal.
test.describe.configure({ mode: 'default' });
test.use({ ownBrowser: true });

let provider: OpenIdProvider;
let portal: Portal;
let otherPort: number;

const startAt = (port: number, settings: Record<string, string>) =>
  startPortal(
    ['demo', '--bills', '10'],
    {
      WCPP_OIDC_ISSUER: provider.issuer,
      WCPP_OIDC_CLIENT_ID: provider.client.id,
      WCPP_OIDC_CLIENT_SECRET: provider.client.secret,
      ...settings,
    },
    port,
  );

test.beforeAll(async () => {
  const port = await findFreePort();
  otherPort = await findFreePort();
  provider = await startProvider(`http://localhost:${port}`, `http://localhost:${otherPort}`);
  portal = await startAt(port, { WCPP_OIDC_BIND: 'claim' });
});
test.afterAll(async () => {
  await portal.stop();
  await provider.stop();
});

const home = (page: Page) => page.getByRole('heading', { name: /^Welcome, / });
const loginField = (page: Page) => page.getByPlaceholder('Enter any login');

/** From the portal to the provider, which asks the user to identify themselves. */
async function confirmAtProvider(page: Page, login: string) {
  await getSignInButton(page).click();
  await loginField(page).fill(login);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

/** The first time, the provider also asks for consent. */
async function signInAtProvider(page: Page, login: string) {
  await confirmAtProvider(page, login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('sign-in sends state, nonce and PKCE, and opens a session that outlives a reload', async ({ page }) => {
  const authRequest = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
  await page.goto(`${portal.url}/wcpp/billSearch`);
  await signInAtProvider(page, accounts.PRUS);
  // Back at the requested page, without sign-in parameters in the address.
  await expect(page).toHaveURL(`${portal.url}/wcpp/billSearch`);
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();

  const query = new URL((await authRequest).url()).searchParams;
  expect(query.get('response_type')).toBe('code');
  expect(query.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(query.get(name), name).toMatch(/^[\w-]{43}$/);
});

test("sign-out also ends the provider's session", async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await signInAtProvider(page, accounts.PRAD);
  await expect(home(page)).toBeVisible();

  await page.getByRole('link', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(new RegExp(`^${portal.url}/wcpp/login`));
  await getSignInButton(page).click();
  await expect(loginField(page)).toBeVisible();
});

test("the end of the provider's session ends the portal's", async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await signInAtProvider(page, accounts.PRAD);
  await expect(home(page)).toBeVisible();

  const there = await page.context().newPage();
  await there.goto(`${provider.issuer}/session/end`);
  await there.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect.poll(async () => (await page.request.get(`${portal.url}/api/session`)).status()).toBe(401);
});

test('an untrusted provider links an account with an email to its owner', async ({ page }) => {
  const other = await startAt(otherPort, {});
  try {
    await page.goto(`${other.url}/wcpp/login`);
    await signInAtProvider(page, accounts.PRUS);
    await expect(page.getByText(/we emailed you a link/)).toBeVisible();
    const mail = await readEmail('prus.demo@example.com', 'Confirm your sign-in', { data: other.data });
    await page.goto(findLink(mail));
    await page.getByRole('button', { name: 'Yes, this was me' }).click();
    await expect(home(page)).toBeVisible();
  } finally {
    await other.stop();
  }
});

test('an action that needs re-authentication goes to the provider, and back to the input', async ({
  page,
}) => {
  await page.goto(`${portal.url}/wcpp/UserProfile`);
  await signInAtProvider(page, accounts.PRUS);
  await page.getByLabel('Email Address').fill('proven@example.com');
  await expect.poll(() => page.evaluate(() => Object.keys(history.state.typed ?? {}))).toHaveLength(1);
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByText('sign in again to make this change')).toBeVisible();
  await confirmAtProvider(page, accounts.PRUS);
  await expect(page.getByLabel('Email Address')).toHaveValue('proven@example.com');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(
    page.getByText('We sent a confirmation link to the new address. It takes effect after you confirm it.'),
  ).toBeVisible();
});

test('without sign-out the provider signs the user in again', async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await signInAtProvider(page, accounts.NNUS);
  await expect(home(page)).toBeVisible();
  const portalCookies = (await page.context().cookies(portal.url)).map(({ name }) => name);
  for (const name of portalCookies) await page.context().clearCookies({ name, domain: 'localhost' });
  await page.goto(`${portal.url}/wcpp/login`);
  await getSignInButton(page).click();
  await expect(home(page)).toBeVisible();
});

test('an idle timeout makes the provider ask again', async ({ page }) => {
  await page.clock.install();
  await page.goto(`${portal.url}/wcpp/login`);
  await signInAtProvider(page, accounts.ROAD);
  await expect(home(page)).toBeVisible();
  const response = page.waitForResponse('**/FE_APP_TIMEOUT');
  await page.clock.runFor(5_000);
  await (await response).finished();
  await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
  await page.clock.runFor(30 * 60_000 + 5_000);
  await expect(page.getByText(/^You are signed out due to 30 minutes of inactivity/)).toBeVisible();
  await getSignInButton(page).click();
  await expect(loginField(page)).toBeVisible();
});

for (const [who, login] of [
  ['a person without an account', 'somebody.else'],
  ['an account that is not registered yet', 'sgaines'],
  ['an account that is not complete', 'sunderwood'],
] as const) {
  test(`refuses ${who}`, async ({ page }) => {
    await page.goto(`${portal.url}/wcpp/login`);
    await signInAtProvider(page, login);
    await expect(page.getByRole('alert')).toHaveText(notActive);
    expect((await page.request.get(`${portal.url}/api/session`)).status()).toBe(401);
  });
}

test('shows when the user cancels at the provider', async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await getSignInButton(page).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText(unable);
  await expect(page).toHaveURL(/\/wcpp\/login$/);
});

test("shows when the provider doesn't respond", async ({ page }) => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  const alone = await startPortal(['demo', '--bills', '10'], {
    WCPP_OIDC_ISSUER: nobody,
    WCPP_OIDC_CLIENT_ID: 'portal',
  });
  try {
    await page.goto(`${alone.url}/wcpp/login`);
    await getSignInButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(unable);
    await expect(getSignInButton(page)).toBeEnabled();
  } finally {
    await alone.stop();
  }
});
