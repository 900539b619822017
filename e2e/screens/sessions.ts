import { mockReply } from '../replies';
import { accounts, openAs, expect, fillForm, mirror, openSession, password, getSignInButton } from '../portal';
import { type Screen, type ScreenGroup, billSearch, dialog, screen } from './screen';

export const screens: (Screen | ScreenGroup)[] = [
  screen('Sign-in', async (page) => {
    await page.goto('/wcpp/login');
    await expect(getSignInButton(page)).toBeVisible();
  }),
  screen('Sign-in under way', async (page) => {
    await mockReply(page, '**/sso/start', { status: 204 });
    await page.goto('/wcpp/login');
    await getSignInButton(page).click();
    await expect(getSignInButton(page)).toBeDisabled();
  }),
  screen('Sign-in, failed', async (page) => {
    await page.goto('/wcpp/login?fail=USER_ACCT_LOCKED:7');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('button', { name: 'Sign in with password' }).click();
    await expect(page.getByText('Error: Enter Username')).toBeVisible();
  }),
  screen('Sign-in after the end', async (page) => {
    await openAs(page, accounts.ROAD);
    await page.goto('/wcpp/billSearch');
    await expect(page.getByText(/^We signed you out because/)).toBeVisible();
  }),
  screen('Sign-in form', async (page) => {
    await page.goto('/sso/start');
    await expect(page.getByLabel('Password')).toBeVisible();
  }),
  screen('Sign-in form, wrong password', async (page) => {
    await page.goto('/sso/start');
    await fillForm(page, 'nobody', 'wrong');
    await expect(page.getByRole('alert')).toBeVisible();
  }),
  screen('Logged out', async (page) => {
    await openAs(page, accounts.PRUS);
    await page.getByRole('link', { name: 'Sign Out' }).click();
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
  }),
  screen('Server unreachable', async (page) => {
    await mockReply(page, '**/api/session', 'lost');
    await page.goto('/wcpp/home');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen(
    'Idle warning',
    async (page) => {
      await page.clock.install();
      await openAs(page, accounts.PRUS);
      const response = page.waitForResponse('**/FE_APP_TIMEOUT');
      await page.clock.runFor(5_000);
      await (await response).finished();
      await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
      await page.clock.runFor(28 * 60_000 + 10_000);
      await expect(dialog(page)).toBeVisible();
    },
    { ownBrowser: true },
  ),
  [
    screen('Mirroring', async (page) => {
      await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
      await page.goto('/wcpp/home');
      await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
    }),
    screen('Mirroring, Revert', async (page) => {
      await page.getByRole('button', { name: 'Revert' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
  ],
];
