import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { accounts, expect, getSignInButton, openAs, password, test } from './portal';
import { mockReply, restore } from './replies';
import { type Portal, startPortal } from './start';

const getFrame = (page: Page) => page.locator('iframe[title="Home"]');
const inside = (page: Page) => page.frameLocator('iframe[title="Home"]');
const getHeight = (page: Page) => getFrame(page).evaluate((frame) => frame.getBoundingClientRect().height);
const failed = 'Error: There was an error retrieving data. Please try again or contact Customer Service.';

test.describe('home', () => {
  test('is as high as its page reports, as it grows and shrinks', { tag: '@both' }, async ({ page }) => {
    await openAs(page, accounts.PRUS);
    const more = inside(page).getByRole('button', { name: 'Show earlier news' });
    const fits = async () => {
      const content = await inside(page)
        .locator('body')
        .evaluate((body) => body.getBoundingClientRect().height);
      await expect.poll(() => getHeight(page)).toBe(Math.ceil(content) + 17);
      return content;
    };
    const before = await fits();
    await more.click();
    await expect(inside(page).getByText('Two payers join the network')).toBeVisible();
    expect(await fits()).toBeGreaterThan(before);
    await inside(page).getByRole('button', { name: 'Show less' }).click();
    expect(await fits()).toBe(before);
  });

  test('opens a PDF in a new tab', { tag: '@pdf' }, async ({ page }) => {
    await openAs(page, accounts.PRUS);
    const opening = page.waitForEvent('popup');
    const call = page.waitForRequest('**/api/resources/documents/**');
    await inside(page).getByRole('button', { name: 'Read the provider manual' }).click();
    expect((await call).headers().authorization).toMatch(/^Bearer ./);
    const opened = await opening;
    const named = /\/api\/resources\/documents\/provider-manuals\/network-provider-manual\.pdf$/;
    await expect.poll(() => opened.url()).toMatch(named);
    // A reload works.
    const again = await page.context().request.get(opened.url());
    expect(again.headers()['content-type']).toBe('application/pdf');
    expect(await opened.evaluate(() => window.opener)).toBeNull();
  });

  test('opens a video in a player window that can seek', async ({ page, context }) => {
    const parts: string[] = [];
    context.on('request', async (request) => {
      if (!request.url().endsWith('/portal-tour.webm')) return;
      const { range, authorization } = await request.allHeaders();
      if (range && !authorization) parts.push(range);
    });
    await openAs(page, accounts.PRUS);
    const opening = page.waitForEvent('popup');
    await inside(page).getByRole('button', { name: 'Watch the portal tour' }).click();
    const player = await opening;
    await expect
      .poll(() => player.url())
      .toMatch(/\/api\/resources\/documents\/training\/portal-tour\.webm$/);
    const film = player.locator('video');
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => Math.round(video.duration))).toBe(36);
    const at = await film.evaluate(
      (video: HTMLVideoElement) =>
        new Promise<number>((seeked) => {
          video.pause();
          video.onseeked = () => seeked(video.currentTime);
          video.currentTime = 30;
        }),
    );
    expect(Math.round(at)).toBe(30);
    expect(player.url()).not.toContain('token');
    // The browser's own requests, which only the cookie authorizes.
    expect(parts.every((range) => /^bytes=\d+-/.test(range))).toBe(true);
  });

  test('serves a range of a video with the cookie, and nothing without it', async ({
    page,
    playwright,
    baseURL,
  }) => {
    await openAs(page, accounts.PRUS);
    const part = await page.request.get('/api/resources/documents/training/portal-tour.webm', {
      headers: { Range: 'bytes=1000-1099' },
    });
    expect(part.status()).toBe(206);
    expect(part.headers()['content-range']).toMatch(/^bytes 1000-1099\/\d+$/);
    expect((await part.body()).length).toBe(100);
    const stranger = await playwright.request.newContext({ baseURL });
    expect((await stranger.get('/api/resources/documents/training/portal-tour.webm')).status()).toBe(401);
    await stranger.dispose();
  });

  test('shows what failed, and opens it on the next try', async ({ page }) => {
    await openAs(page, accounts.PRUS);
    await mockReply(page, '**/api/resources/**', { status: 503, json: { message: 'no' } });
    await inside(page).getByRole('button', { name: 'Read the provider manual' }).click();
    await expect(page.getByText(failed)).toBeVisible();
    await expect.poll(() => page.context().pages().length).toBe(1);
    await restore(page, '**/api/resources/**');
    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Try again' }).click();
    await opening;
    await expect(page.getByText(failed)).toBeHidden();
  });

  test('ignores other types', async ({ page }) => {
    await openAs(page, accounts.PRUS);
    await mockReply(page, '**/api/resources/**', {
      contentType: 'application/octet-stream',
      body: '<script>alert(1)</script>',
    });
    const opening = page.waitForEvent('popup');
    await inside(page).getByRole('button', { name: 'Read the provider manual' }).click();
    const opened = await opening;
    await expect.poll(() => opened.isClosed()).toBe(true);
  });
});

test.describe('the sign-in screen', () => {
  test('shows its page', async ({ page }) => {
    await page.goto('/wcpp/login');
    await expect(
      page
        .frameLocator('iframe[title="News for providers"]')
        .getByRole('heading', { name: 'One place for your bills' }),
    ).toBeVisible();
  });

  test("hides a page that's unreachable", async ({ page }) => {
    let isRequested = false;
    await mockReply(page, 'http://127.0.0.1:*/login', () => {
      isRequested = true;
      return 'lost';
    });
    await page.goto('/wcpp/login');
    await expect(getSignInButton(page)).toBeVisible();
    await expect.poll(() => isRequested).toBe(true);
    await expect(page.locator('iframe')).toHaveCount(0);
  });
});

test.describe('a simple content host', () => {
  test.use({ ownBrowser: true });
  let host: Server;
  let portal: Portal;
  let answerHome: (() => void) | undefined;

  test.beforeAll(async () => {
    host = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      if (request.url !== '/') {
        response.statusCode = 503;
        return response.end('<h1>Out of order</h1>');
      }
      // The portal only requests the status.
      const { 'sec-fetch-dest': dest } = request.headers;
      if (dest !== 'iframe') return response.end();
      answerHome = () => response.end('<h1>Plain news</h1>');
    });
    await new Promise<void>((ready) => host.listen(0, '127.0.0.1', ready));
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    portal = await startPortal(['demo', '--bills', '10'], {
      WCPP_HOME_PAGE_URL: `${address}/`,
      WCPP_LOGIN_PAGE_URL: `${address}/broken`,
    });
  });
  test.afterAll(async () => {
    await portal.stop();
    host.closeAllConnections();
    host.close();
  });

  test('Home shows a page that loads late and never reports its height', async ({ page }) => {
    const data = { username: accounts.PRUS, password };
    expect((await page.request.post(`${portal.url}/api/authenticate`, { data })).status()).toBe(200);
    await page.goto(`${portal.url}/wcpp/home`);
    await expect(page.getByText('Where would you like to start?')).toBeVisible();
    answerHome?.();
    await expect(inside(page).getByRole('heading', { name: 'Plain news' })).toBeVisible();
    await expect(page.getByText('Where would you like to start?')).toHaveCount(0);
    expect(await getHeight(page)).toBeGreaterThan(400);
  });

  test('the sign-in screen hides an error page', async ({ page }) => {
    const response = page.waitForResponse('**/js/content/login.json');
    await page.goto(`${portal.url}/wcpp/login`);
    expect(await (await response).json()).toEqual({ failed: true });
    await expect(getSignInButton(page)).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
  });
});

test.describe('a hostile home page', () => {
  let host: Server;
  let other: Server;
  let portal: Portal;
  /** The requests to the hosts of the hostile pages, with headers. */
  const requested: string[] = [];

  const listen = async (answer: (path: string) => string) => {
    const server = createServer((request, response) => {
      requested.push(`${request.url} ${JSON.stringify(request.headers)}`);
      response.setHeader('Content-Type', 'text/html');
      response.end(answer(request.url ?? ''));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return server;
  };
  const getPort = (server: Server) => (server.address() as AddressInfo).port;

  const foreign = (port: number) => [
    'https://evil.example/a.pdf',
    `http://127.0.0.1:${port}/steal.pdf`,
    `//127.0.0.1:${port}/steal.pdf`,
    '../session',
    '/../../api/session',
    '/%2e%2e/session',
    '/..%2f..%2fsession',
    '\\..\\session',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:x',
  ];

  test.beforeAll(async () => {
    other = await listen(
      () => `<script>
        for (const page of [parent, top]) {
          page.postMessage({ type: 'height', height: 4321 }, '*');
          page.postMessage({ type: 'secureResource', url: '/documents/provider-manuals/network-provider-manual.pdf' }, '*');
        }
      </script>`,
    );
    host = await listen(
      () => `<h1>Hostile</h1><iframe src="http://localhost:${getPort(other)}/nested"></iframe><button id="go">Go</button><script>
        const tell = (message) => parent.postMessage(message, '*');
        for (const wrong of [null, 5, 'height', [], {}, { type: 'height' }, { type: 'height', height: '900' }, { type: 'height', height: 1e12 },
          { type: 'height', height: -5 }, { type: 'height', height: NaN }, { type: 'secureResource' }, { type: 'secureResource', url: { toString: () => 1 } + '' },
          { type: 'secureResource', url: ['/a.pdf'] }, { type: 'navigate', url: '/' }, { __proto__: { type: 'height' } }]) tell(wrong);
        try { top.location = 'http://127.0.0.1:${getPort(other)}/phish'; } catch {}
        document.getElementById('go').onclick = () => {
          for (const url of ${JSON.stringify(foreign(getPort(other)))}) tell({ type: 'secureResource', url });
          for (let n = 0; n < 200; n++) tell({ type: 'secureResource', url: '/flood/' + n + '.pdf' });
          document.title = 'told';
        };
      </script>`,
    );
    portal = await startPortal(['demo', '--bills', '50'], {
      WCPP_HOME_PAGE_URL: `http://127.0.0.1:${getPort(host)}/`,
    });
  });
  test.afterAll(async () => {
    await portal.stop();
    host.close();
    other.close();
  });

  test('opens nothing from other hosts, gets no token, and moves nothing', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: portal.url });
    const page = await context.newPage();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { authorization } = request.headers();
      if (authorization) calls.push(request.url());
    });
    const opened: Page[] = [];
    context.on('page', (another) => opened.push(another));
    const token = await openAs(page, accounts.PRUS);
    await expect(inside(page).getByRole('heading', { name: 'Hostile' })).toBeVisible();
    await expect.poll(() => requested.some((line) => line.startsWith('/nested'))).toBe(true);
    const before = await getHeight(page);
    expect(before).not.toBe(4321 + 17);

    await inside(page).getByRole('button', { name: 'Go' }).click();
    // One click opens at most one window, only below the resource address. If it would be empty,
    // a message says so.
    await expect(
      page.getByText(/There was an error retrieving data|Your browser blocked the document/),
    ).toBeVisible();
    await expect
      .poll(() =>
        inside(page)
          .locator('body')
          .evaluate(() => document.title),
      )
      .toBe('told');
    expect(calls.filter((url) => !url.startsWith(`${portal.url}/api/`))).toEqual([]);
    expect(calls.filter((url) => url.includes('manual'))).toEqual([]);
    const resources = calls.filter((url) => url.startsWith(`${portal.url}/api/resources/`));
    expect(resources.length).toBeLessThanOrEqual(2);
    await expect.poll(() => opened.every((another) => another.isClosed())).toBe(true);
    expect(opened.length).toBeLessThanOrEqual(2);
    expect(page.url()).toBe(`${portal.url}/wcpp/home`);
    expect(await getHeight(page)).toBe(before);
    for (const line of requested) {
      expect(line).not.toContain(token);
      expect(line).not.toContain('phish');
      expect(line).not.toContain('steal');
    }
    await context.close();
  });
});
