import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { test } from './people';
import { accounts, expect, fillForm, getSignInButton, openAs, password } from './portal';
import { startPortal } from './start';

const main = (page: Page) => page.getByRole('main');
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const home = (page: Page) => page.getByRole('heading', { name: /^Welcome, / });
const factors = (page: Page) =>
  page.getByRole('region', { name: 'Two-step verification' }).getByRole('listitem');
const sessions = (page: Page) => page.getByRole('region', { name: 'Active sessions' }).getByRole('listitem');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/**
 * The six digits that an app with this key shows, this many steps of 30 seconds from now (RFC
 * 6238).
 */
function getCode(key: string, ahead = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key.replaceAll(' ', '')].map((letter) =>
    letters.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const secret = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac('sha1', secret).update(step).digest();
  const at = hash.readUInt8(19) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Adds a virtual authenticator that stores passkeys and always verifies its user. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function toForm(page: Page) {
  await page.goto('/wcpp/login');
  await getSignInButton(page).click();
  await page.waitForURL('**/sso/sign-in');
}

async function signOut(page: Page) {
  await page.getByRole('link', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
}

test.describe('with its own browser', () => {
  test.use({ ownBrowser: true });

  test('a passkey, an app and a recovery code sign in, and each is removed', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await addAuthenticator(page);
    await openAs(page, user.userNm, '/wcpp/UserProfile');
    await page.getByRole('link', { name: 'Sign-in and security' }).click();
    await expect(sessions(page)).toHaveText([/Chrome on Linux.*This session/]);

    await button(page, 'Add a passkey').click();
    await page.getByLabel('Name').fill('Work laptop');
    await button(page, 'Continue').click();
    const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
    await expect(shown.getByRole('listitem')).toHaveCount(10);
    const codes = await shown.getByRole('listitem').allTextContents();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(/ recovery codes, [\d/]+$/)).toBeVisible();
    await expect(page.getByText('Sign-in and security')).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await button(page, "I've saved my codes").click();
    await expect(factors(page)).toHaveText([/Work laptop.*not used yet/, /10 codes left/]);
    await readEmail(user.emailAddr, 'A passkey was added to your account');

    // With the passkey alone.
    await signOut(page);
    await toForm(page);
    await button(page, 'Sign in with a passkey').click();
    await expect(home(page)).toBeVisible();

    await page.goto('/wcpp/SignInAndSecurity');
    await button(page, 'Add an authenticator app').click();
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await page.getByLabel('Code from your app').fill('12');
    await button(page, 'Add').click();
    await expect(page.getByRole('dialog')).toContainText('Error: Enter the 6-digit code from the app');
    await page.getByLabel('Code from your app').fill(getCode(key));
    await button(page, 'Add').click();
    await expect(factors(page)).toHaveText([/Work laptop.*last used/, /Authenticator app/, /10 codes left/]);

    // With the password and a code; then with the password and the passkey.
    await signOut(page);
    await toForm(page);
    await fillForm(page, user.userNm);
    await page.waitForURL('**/sso/factor');
    await page.getByLabel('Code').fill('000000');
    await button(page, 'Continue').click();
    await expect(page.getByRole('alert')).toHaveText(/^Error: The code was incorrect/);
    await page.getByLabel('Code').fill(getCode(key, 1));
    await button(page, 'Continue').click();
    await expect(home(page)).toBeVisible();
    await signOut(page);
    await toForm(page);
    await fillForm(page, user.userNm);
    await button(page, 'Use your passkey').click();
    await expect(home(page)).toBeVisible();

    // With a recovery code, which works once.
    await signOut(page);
    for (const code of [codes[0], codes[0], codes[1]]) {
      await toForm(page);
      await fillForm(page, user.userNm);
      await page.getByLabel('Code').fill(code?.toLowerCase() ?? '');
      await button(page, 'Continue').click();
      await page.waitForURL(/\/wcpp\/home|\/sso\/factor/);
      if (page.url().includes('/wcpp/')) await signOut(page);
      else await expect(page.getByRole('alert')).toHaveText(/already used/);
    }
    await readEmail(user.emailAddr, 'A recovery code was used');

    await toForm(page);
    await button(page, 'Sign in with a passkey').click();
    await expect(home(page)).toBeVisible();
    await page.goto('/wcpp/SignInAndSecurity');
    await expect(factors(page).last()).toContainText('8 codes left');
    await factors(page).nth(1).getByRole('button').click();
    await button(page, 'Remove').click();
    await expect(message(page)).toHaveText('Authenticator app removed');
    await expect(message(page)).toBeFocused();
    await factors(page).first().getByRole('button').click();
    await expect(page.getByRole('dialog')).toContainText("You'll sign in with just your password");
    await button(page, 'Remove').click();
    await expect(factors(page)).toHaveCount(0);
  });

  test("an administrator resets a user's two-step verification with a link", async ({
    page,
    browser,
    baseURL,
    office,
  }) => {
    const user = await office.add('PRUS');
    await addAuthenticator(page);
    await openAs(page, user.userNm, '/wcpp/SignInAndSecurity');
    await button(page, 'Add a passkey').click();
    await button(page, 'Continue').click();
    await button(page, "I've saved my codes").click();

    const admin = await browser.newContext({ baseURL });
    const desk = await admin.newPage();
    await openAs(desk, office.admin.userNm, '/wcpp/ManageUsers');
    await desk
      .getByRole('row')
      .filter({ hasText: user.userNm })
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await desk.getByRole('menuitem', { name: 'Reset Two-Step Verification' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await expect(desk.getByText('Link sent to the selected account.')).toBeVisible();

    const link = findLink(await readEmail(user.emailAddr, 'Reset your two-step verification'));
    await desk.goto(link);
    await expect(desk).toHaveURL(/\/wcpp\/confirmFactorReset$/);
    await page.reload();
    await expect(factors(page)).toHaveCount(2); // until the button is clicked
    await desk.getByRole('button', { name: 'Reset two-step verification' }).click();
    await expect(desk.getByText('Two-step verification is reset.')).toBeVisible();
    await desk.goto(link);
    await expect(main(desk).getByRole('alert')).toContainText('Error: This link was already used');
    await admin.close();

    await page.reload();
    await toForm(page);
    await fillForm(page, user.userNm);
    // At the page that the end of the session interrupted, with the password alone.
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
  });
});

test('other sessions are listed and ended', async ({ page, browser, baseURL, office }) => {
  const otherContext = await browser.newContext({ baseURL });
  for (let n = 0; n < 2; n++) await openAs(await otherContext.newPage(), office.admin.userNm);
  await openAs(page, office.admin.userNm, '/wcpp/SignInAndSecurity');
  await expect(sessions(page)).not.toHaveCount(0);
  const listed = await sessions(page).count();
  expect(listed).toBeGreaterThan(1);
  await sessions(page).last().getByRole('button').click();
  await expect(message(page)).toHaveText('Session ended');
  await expect(message(page)).toBeFocused();
  await expect(sessions(page)).toHaveCount(listed - 1);
  if (listed > 2) await button(page, 'Sign out everywhere else').click();
  await expect(sessions(page)).toHaveCount(1);
  const [otherPage] = otherContext.pages();
  await otherPage?.goto('/wcpp/UserProfile');
  await expect(otherPage?.getByRole('heading', { name: /^Sign in to/ }) ?? main(page)).toBeVisible();
  await otherContext.close();
});

test('required two-step verification is set up without scripts, before there is a session', async ({
  browser,
}) => {
  const portal = await startPortal(['demo'], { WCPP_SECOND_FACTOR: 'ISAD=required' });
  const context = await browser.newContext({ baseURL: portal.url, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto('/sso/start');
    await fillForm(page, accounts.ISAD, password);
    await expect(page.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible();
    await expect(page.getByRole('img', { name: 'Setup QR code' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveText(['Continue']);
    const key = (await page.locator('.key code').textContent()) ?? '';
    await page.getByLabel('Code from your app').fill(getCode(key));
    await button(page, 'Continue').click();
    await expect(page.getByRole('listitem')).toHaveCount(10);
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['__Host-wcpp-sso']);
    await button(page, "I've saved my codes").click();
    await expect(page).toHaveURL(/\/wcpp\/login\?code=/);
  } finally {
    await context.close();
    await portal.stop();
  }
});
