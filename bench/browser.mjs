// What the measurements in a browser share.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const installed = createRequire(new URL('../e2e/package.json', import.meta.url));
export const load = (name) => import(pathToFileURL(installed.resolve(name)).href);

/** Starts Debian's Chromium. */
export async function launch(...args) {
  const { default: puppeteer } = await load('puppeteer-core');
  return puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
  });
}

/** Signs in by the portal's own form, as far as Home. */
export async function signIn(page, url, user, password) {
  await page.goto(`${url}/sso/start`);
  await page.type('[name=username]', user);
  await page.type('[name=password]', password);
  await Promise.all([page.waitForNavigation(), page.click('form button')]);
  await page.waitForFunction(() => location.pathname === '/wcpp/home');
}
