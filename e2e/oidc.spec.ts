import type { Page } from '@playwright/test';
import { accounts, expect, signInButton, test } from './portal';
import { type OpenIdProvider, startProvider } from './provider';
import { freePort, type Portal, startPortal } from './start';

const unable = 'Error: Unable to login. Please contact your Account Administrator';
const notActive = 'Error: This account is not active. Access denied.';

// One provider and one portal serve them all.
test.describe.configure({ mode: 'default' });
test.use({ ownBrowser: true });

let provider: OpenIdProvider;
let portal: Portal;

test.beforeAll(async () => {
  const port = await freePort();
  provider = await startProvider(`http://localhost:${port}`);
  portal = await startPortal(
    ['demo', '--bills', '10'],
    {
      WCPP_OIDC_ISSUER: provider.issuer,
      WCPP_OIDC_CLIENT_ID: provider.client.id,
      WCPP_OIDC_CLIENT_SECRET: provider.client.secret,
    },
    port,
  );
});
test.afterAll(async () => {
  await portal.stop();
  await provider.stop();
});

const home = (page: Page) => page.getByRole('heading', { name: /^Welcome, / });
const loginField = (page: Page) => page.getByPlaceholder('Enter any login');

/** From the portal to the provider, and there through its two pages. */
async function signInThere(page: Page, login: string) {
  await signInButton(page).click();
  await loginField(page).fill(login);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('sign-in asks with state, nonce and PKCE, and opens a session that outlives a reload', async ({
  page,
}) => {
  const asked = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
  await page.goto(`${portal.url}/wcpp/billSearch`);
  await signInThere(page, accounts.PRUS);
  // Back at the page first asked for, and without a trace of the sign-in in the address.
  await expect(page).toHaveURL(`${portal.url}/wcpp/billSearch`);
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();

  const query = new URL((await asked).url()).searchParams;
  expect(query.get('response_type')).toBe('code');
  expect(query.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(query.get(name), name).toMatch(/^[\w-]{43}$/);
});

test('sign-out ends the session of the provider too', async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await signInThere(page, accounts.PRAD);
  await expect(home(page)).toBeVisible();

  await page.getByRole('link', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(new RegExp(`^${portal.url}/wcpp/login`));
  await signInButton(page).click();
  await expect(loginField(page)).toBeVisible();
});

test('without sign-out the provider lets the person in again', async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await signInThere(page, accounts.NNUS);
  await expect(home(page)).toBeVisible();
  const portalCookies = (await page.context().cookies(portal.url)).map(({ name }) => name);
  for (const name of portalCookies) await page.context().clearCookies({ name, domain: 'localhost' });
  await page.goto(`${portal.url}/wcpp/login`);
  await signInButton(page).click();
  await expect(home(page)).toBeVisible();
});

test('an idle end makes the provider ask again', async ({ page }) => {
  await page.clock.install();
  await page.goto(`${portal.url}/wcpp/login`);
  await signInThere(page, accounts.ROAD);
  await expect(home(page)).toBeVisible();
  const told = page.waitForResponse('**/FE_APP_TIMEOUT');
  await page.clock.runFor(5_000);
  await (await told).finished();
  await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
  await page.clock.runFor(30 * 60_000 + 5_000);
  await expect(page.getByText(/^You are signed out due to 30 minutes of inactivity/)).toBeVisible();
  await signInButton(page).click();
  await expect(loginField(page)).toBeVisible();
});

for (const [who, login] of [
  ['a person without an account', 'somebody.else'],
  ['an account that is not registered yet', 'sgaines'],
  ['an account that is not complete', 'sunderwood'],
] as const) {
  test(`refuses ${who}`, async ({ page }) => {
    await page.goto(`${portal.url}/wcpp/login`);
    await signInThere(page, login);
    await expect(page.getByRole('alert')).toHaveText(notActive);
    expect((await page.request.get(`${portal.url}/api/session`)).status()).toBe(401);
  });
}

test('tells when the person turns back at the provider', async ({ page }) => {
  await page.goto(`${portal.url}/wcpp/login`);
  await signInButton(page).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText(unable);
  await expect(page).toHaveURL(/\/wcpp\/login\?fail=[A-Z_]+$/);
});

test('tells when the provider does not answer', async ({ page }) => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const alone = await startPortal(['demo', '--bills', '10'], {
    WCPP_OIDC_ISSUER: nobody,
    WCPP_OIDC_CLIENT_ID: 'portal',
  });
  try {
    await page.goto(`${alone.url}/wcpp/login`);
    await signInButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(unable);
    await expect(signInButton(page)).toBeEnabled();
  } finally {
    await alone.stop();
  }
});
