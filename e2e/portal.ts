import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  type Cookie,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { restore } from './replies';

export { expect };

/** For every demo account. */
export const password = 'Sunny-Day-2026';

/** One account of each type. */
export const accounts = {
  PRAD: 'prad.demo',
  PRUS: 'prus.demo',
  NNUS: 'nnus.demo',
  ROAD: 'road.demo',
  ROUS: 'rous.demo',
  IRAD: 'irad.demo',
  ISAD: 'isad.demo',
};

export interface Bill {
  ftin: string;
  patientFirstName: string;
  patientMiddleName: string;
  patientLastName: string;
  beginServiceDate: string;
  billControlNumber: string;
  documentId: string;
  claimNumber: string;
  billCharges: number;
  recommendedAllowance: number | null;
  billStatus: string;
  mitchBill: boolean;
  mcpsBill: boolean;
  eor: boolean;
  eorImageUrl: string;
  foreignBillIdURL: string;
  billingId: string;
}

/** Bills of prus.demo: one for each way of showing and opening bills. */
export interface Specimens {
  tins: string[];
  /** With an EOR and a payment. */
  paid: Bill;
  /** Neither repriced nor paid. Its amount opens nothing. */
  received: Bill;
  /** With a pricing sheet as PDF, and as lines of text. */
  sheet: Bill;
  textSheet: Bill;
  /** From the second bill system, with an EOR. */
  second: Bill;
}

export interface Settings {
  workspace: 'on' | 'off';
}

interface Shared extends Settings {
  specimens: Specimens;
  /** The tab's browser context, by the address of its portal. */
  tabs: Map<string, BrowserContext>;
}

export const test = base.extend<{ ownBrowser: boolean }, Shared>({
  workspace: ['on', { option: true, scope: 'worker' }],
  baseURL: async ({ workspace }, use) =>
    use(workspace === 'on' ? getPortalUrl() : readFromSetup('SPECIFIED_PORTAL_URL')),

  // For tests with irreversible changes: to the page's clock or its init script.
  ownBrowser: [false, { option: true }],

  // A worker's tests run one after another in one tab, which has cached the application's code:
  // an empty browser takes twice as long to show a screen.
  tabs: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const tabs = new Map<string, BrowserContext>();
      await use(tabs);
      for (const context of tabs.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ browser, baseURL, ownBrowser, tabs }, use) => {
    const address = baseURL ?? getPortalUrl();
    const existing = ownBrowser ? undefined : tabs.get(address);
    const context = existing ?? (await browser.newContext({ baseURL: address, reducedMotion: 'reduce' }));
    if (!ownBrowser) tab = context;
    await use(context);
    if (ownBrowser) return context.close();
    await clear(context);
    tabs.set(address, context);
  },
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),

  specimens: [
    async ({ playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: getPortalUrl() });
      await use(await findSpecimens(request));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
});

/** The worker's tests share this tab. */
let tab: BrowserContext | undefined;

/** The tab's sessions, by account. */
const sessions = new Map<string, Cookie>();

const events = ['console', 'dialog', 'download', 'framenavigated', 'pageerror', 'popup'] as const;
const requests = ['request', 'requestfailed', 'requestfinished', 'response'] as const;

/** Removes a test's traces from the tab before the next test. */
async function clear(context: BrowserContext): Promise<void> {
  const [page = await context.newPage(), ...others] = context.pages();
  for (const other of others) await other.close();
  for (const event of [...events, ...requests]) page.removeAllListeners(event);
  for (const event of ['page', ...requests] as const) context.removeAllListeners(event);
  await restore(page);
  // A route keeps Playwright from reporting requests that mockReply answers.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(false);
  // A page of the portal that runs no code. The tab stays with the portal and its cached code.
  await page.goto('/healthz');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({
    media: null,
    colorScheme: 'light',
    // Animations take a tenth of the time.
    reducedMotion: 'reduce',
    forcedColors: 'none',
  });
  await page.mouse.move(0, 0);
}

/** The address and the data directory of the demo that all specs share. */
export const getPortalUrl = () => readFromSetup('PORTAL_URL');
export const getPortalData = () => readFromSetup('PORTAL_DATA');

function readFromSetup(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is set by the global setup`);
  return value;
}

/**
 * Opens a session over HTTP. Everything that shares the request's cookies has it. Returns its
 * token.
 */
export async function openSession(request: APIRequestContext, userName: string): Promise<string> {
  const answer = await request.post('/api/authenticate', { data: { username: userName, password } });
  expect(answer.status(), `sign-in of ${userName}`).toBe(200);
  return (await answer.json()).token;
}

/**
 * Reuses the session of an earlier test in this tab, or opens one: most tests only need any
 * session, and checking a password is slow. Returns its token.
 */
async function reuseSession(page: Page, userName: string): Promise<string> {
  const context = page.context();
  if (context !== tab) return openSession(page.request, userName);
  const savedCookie = sessions.get(userName);
  if (savedCookie) {
    await context.addCookies([savedCookie]);
    const answer = await page.request.get('/api/session');
    const session = answer.ok() ? await answer.json() : {};
    if (session.username === userName && !session.mirroredUser) return savedCookie.value;
  }
  const token = await openSession(page.request, userName);
  const cookie = (await context.cookies()).find(({ value }) => value === token);
  if (cookie) sessions.set(userName, cookie);
  return token;
}

/** Signs in without the form, then opens a page. Returns the token. */
export async function openAs(page: Page, userName: string, path = '/wcpp/home'): Promise<string> {
  const token = await reuseSession(page, userName);
  await page.goto(path);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign Out' })).toBeVisible();
  return token;
}

/** Fills in the portal's own form on the current page. */
export async function fillForm(page: Page, userName: string, typed = password): Promise<void> {
  await page.getByLabel('Username').fill(userName);
  await page.getByLabel('Password').fill(typed);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in from the sign-in screen through the portal's own form. */
export async function signIn(page: Page, userName: string, typed = password): Promise<void> {
  await getSignInButton(page).click();
  await page.waitForURL('**/sso/sign-in');
  await fillForm(page, userName, typed);
}

export const getSignInButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'SIGN IN', exact: true });

export const getMenu = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

/** Mirrors a user with an internal account, as User Search does. */
export async function mirror(request: APIRequestContext, token: string, userNm: string): Promise<void> {
  const answer = await request.post('/api/session/mirror', {
    data: { userNm },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.status(), `mirroring ${userNm}`).toBe(200);
}

/** A reset token that expires in this many seconds, with an invalid signature. */
export function makeResetToken(seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + seconds;
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ jti: 'nobody', exp })}.c2lnbmF0dXJl`;
}

/** Selects Tax IDs on Bill Search. */
export async function chooseTins(page: Page, ...tins: string[]): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Select up to 5 TINS' });
  for (const tin of tins) {
    await box.fill(tin);
    await page.getByRole('option', { name: tin }).click();
  }
  await box.press('Escape');
}

export const getSearchButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Search', exact: true });

/** Checks that nothing overflows the window's width. */
export async function expectInWidth(what: Locator, width: number): Promise<void> {
  await expect(what.first()).toBeVisible();
  const rightEdges = await what.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
  expect(Math.max(...rightEdges)).toBeLessThanOrEqual(width);
}

/** The summary line that replaces the form. */
export const getSearchLine = (page: Page): Locator =>
  page.getByRole('paragraph').filter({ hasText: /^Your search/ });

/** Expands the search form, which collapsed for the results. */
export const changeSearch = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Change', exact: true }).click();

export async function openMode(page: Page, mode: 'Claim Number' | 'Claimant' | 'Bill ID'): Promise<void> {
  await page.getByRole('button', { name: `Search by ${mode}` }).click();
}

/** Finds one bill by its number. */
export async function searchByBill(
  page: Page,
  bill: Pick<Bill, 'ftin' | 'billControlNumber'>,
): Promise<void> {
  await chooseTins(page, bill.ftin);
  await openMode(page, 'Bill ID');
  await page.getByLabel('Bill Control Number', { exact: true }).fill(bill.billControlNumber);
  await getSearchButton(page).click();
}

// The demo's rule for bill numbers. The first ones belong to the group of prus.demo.
const formatBillNumber = (n: number) => `7${String(n * 7 + 1003).padStart(9, '0')}`;
const searched = 100;

export async function findSpecimens(request: APIRequestContext): Promise<Specimens> {
  const token = await openSession(request, accounts.PRUS);
  const headers = { Authorization: `Bearer ${token}` };
  const send = async <Answer>(path: string, data?: object): Promise<Answer> => {
    const answer = await (data ? request.post(path, { data, headers }) : request.get(path, { headers }));
    expect(answer.status(), path).toBe(200);
    return answer.json();
  };
  const owned = await send<{ ftin: string }[]>(`/api/ftin/userFtins/${accounts.PRUS}?activeFlag=true`);
  const tins = owned.map(({ ftin }) => ftin);

  const found: Partial<Specimens> = {};
  for (let n = 0; n < searched && !hasAll(found); n++) {
    const answers = await Promise.all(
      tins.map((ftin) =>
        send<Bill[]>('/api/billSearch/searchByAssorted', { ftin, billControlNumber: formatBillNumber(n) }),
      ),
    );
    for (const bill of answers.flat()) {
      if (bill.billStatus === '0' && bill.eor && bill.foreignBillIdURL) found.paid ??= bill;
      if (bill.billStatus === '1' && !bill.eor && !bill.mcpsBill) found.received ??= bill;
      if (bill.billStatus === '2' && bill.mcpsBill && !bill.billingId) found.sheet ??= bill;
      if (bill.billStatus === '2' && bill.mcpsBill && bill.billingId) found.textSheet ??= bill;
    }
  }
  const { paid, received, sheet, textSheet } = found;
  if (!paid || !received || !sheet || !textSheet) throw new Error('the demo lacks one kind of bill');
  const [second] = await send<Bill[]>('/api/billSearch/mitchBillSearch', {
    tins: [paid.ftin],
    billControlNumber: `M${paid.ftin.slice(4)}0000`,
  });
  if (!second?.eor) throw new Error('the second bill system lacks a bill with an EOR');
  return { tins, paid, received, sheet, textSheet, second };
}

const hasAll = (found: Partial<Specimens>) => found.paid && found.received && found.sheet && found.textSheet;
