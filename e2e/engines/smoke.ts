import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { accounts, findSpecimens, getPortalUrl, openSession, password } from '../portal';
import { csv, makeRows } from '../rosters';
import { dateIn, zone } from '../zone';
import { startClassic } from './classic';
import { type Driver, Visitor } from './driver';
import { startBrowser } from './puppeteer';

export type Engine = 'chromium' | 'firefox' | 'webkitgtk';

const start: Record<Engine, () => Promise<Driver>> = {
  chromium: () => startBrowser('chrome', '/usr/bin/chromium'),
  firefox: () => startBrowser('firefox', '/usr/bin/firefox-esr'),
  webkitgtk: async () => {
    const screen = await startScreen();
    const driver = await startClassic(
      'WebKitWebDriver',
      (port) => [`--port=${port}`, '--host=127.0.0.1'],
      { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] } },
      { DISPLAY: screen.name, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', GDK_BACKEND: 'x11' },
    );
    return {
      ...driver,
      close: async () => {
        await driver.close();
        screen.program.kill('SIGTERM');
      },
    };
  },
};

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** WebKitGTK needs a display. Xvfb selects a free number and prints it. */
async function startScreen(): Promise<{ name: string; program: ChildProcess }> {
  const program = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    program.stdio[3]?.once('data', (data) => resolve(String(data).trim()));
    program.once('error', reject);
    program.once('exit', () => reject(new Error('Xvfb ended')));
  });
  return { name: `:${number}`, program };
}

const test = base.extend<{ visitor: Visitor }, { engine: Engine }>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  visitor: async ({ engine }, use) => {
    const driver = await start[engine]();
    await use(new Visitor(driver));
    await driver.close();
  },
});

/** Signs in through the sign-in screen and the portal's own form. */
async function signIn(visitor: Visitor, userName: string): Promise<void> {
  await visitor.open(`${getPortalUrl()}/wcpp/login`);
  await visitor.click({ role: 'button', name: 'SIGN IN' });
  await visitor.at('/sso/sign-in');
  await visitor.fill('Username', userName);
  await visitor.fill('Password', password);
  await visitor.click({ role: 'button', name: 'Sign in' });
  await visitor.find({ role: 'link', name: 'Sign Out' });
}

test('signs in with the password form, and stays signed in after a reload', async ({ visitor }) => {
  await visitor.open(`${getPortalUrl()}/wcpp/login`);
  await visitor.fill('Username', accounts.PRUS);
  await visitor.fill('Password', password);
  await visitor.click({ role: 'button', name: 'Sign in with password' });
  await visitor.find({ role: 'link', name: 'Sign Out' });
  await visitor.open(`${getPortalUrl()}/wcpp/home`);
  await visitor.find({ role: 'link', name: 'Sign Out' });
});

test('signs in, finds a bill, opens its EOR and signs out', async ({ visitor, playwright }) => {
  const request = await playwright.request.newContext({ baseURL: getPortalUrl() });
  const { paid } = await findSpecimens(request);
  await request.dispose();
  await signIn(visitor, accounts.PRUS);
  await visitor.click({ role: 'link', name: 'Bill Search' });
  await visitor.fill('Select up to 5 TINS', paid.ftin);
  await visitor.click({ role: 'option', name: paid.ftin });
  await visitor.click({ role: 'button', name: 'Search by Bill ID' });
  await visitor.fill('Bill Control Number', paid.billControlNumber);
  await visitor.click({ role: 'button', name: 'Search' });
  await visitor.sees(`${paid.billControlNumber} / ${paid.documentId}`);
  const before = await visitor.windows();
  const allowance = (paid.recommendedAllowance ?? 0).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
  });
  await visitor.click({ role: 'button', name: allowance, within: 'tbody' });
  await expect.poll(() => visitor.windows()).toBe(before + 1);
  await visitor.click({ role: 'link', name: 'Sign Out' });
  await visitor.sees('You are logged out');
});

test('sends a roster', async ({ visitor }) => {
  const dir = mkdtempSync(join(tmpdir(), 'wcpp-roster-'));
  const { name, buffer } = csv(`engine-${Date.now()}.csv`, makeRows(3));
  writeFileSync(join(dir, name), buffer);
  await signIn(visitor, accounts.ROAD);
  await visitor.click({ role: 'link', name: 'Manage Rosters' });
  await visitor.click({ role: 'button', name: 'UPLOAD...' });
  await visitor.find({ role: 'heading', name: 'Upload Roster' });
  await visitor.select('Provider Group', 'University Heights Rehabilitation (G2013)');
  await visitor.choose(join(dir, name));
  await visitor.sees('No problems in 3 rows.');
  await visitor.click({ role: 'button', name: 'SUBMIT' });
  await visitor.sees('Roster file has been uploaded successfully.');
  rmSync(dir, { recursive: true });
});

test("opens the bell's notification", async ({ visitor, playwright }) => {
  const request = await playwright.request.newContext({ baseURL: getPortalUrl() });
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.ISAD)}` };
  const { id } = await (await request.get(`/api/users/userByName/${accounts.PRAD}`, { headers })).json();
  const name = `Office hours ${Date.now()}`;
  const response = await request.put('/api/notifications/create', {
    headers,
    data: {
      name,
      campaign: 'Engines',
      link: `${getPortalUrl()}/demo/page/office-hours`,
      userNotList: String(id),
      sendDt: dateIn(zone).slice(0, 10),
    },
  });
  expect(response.status(), await response.text()).toBe(200);
  await request.dispose();

  await signIn(visitor, accounts.PRAD);
  const before = await visitor.windows();
  await visitor.click({ role: 'button', name: 'Notifications, ' });
  await visitor.click({ role: 'link', name });
  await expect.poll(() => visitor.windows()).toBe(before + 1);
});

test('mirrors a user and reverts', async ({ visitor }) => {
  await signIn(visitor, accounts.ISAD);
  await visitor.click({ role: 'link', name: 'User Search' });
  await visitor.fill('Username', accounts.PRUS);
  await visitor.click({ role: 'button', name: 'SEARCH' });
  await visitor.click({ role: 'button', name: 'Actions for' });
  await visitor.click({ role: 'menuitem', name: 'Mirror' });
  await visitor.sees('Mirroring (');
  await visitor.find({ role: 'link', name: 'Bill Search' });
  await visitor.click({ role: 'button', name: 'Revert' });
  await visitor.click({ role: 'button', name: 'YES' });
  await visitor.find({ role: 'link', name: 'User Search' });
});
