import type { CDPSession, Locator, Page } from '@playwright/test';

/** The reply to a page's request. */
export type Reply =
  /** A response in place of the server's: 200 by default, and JSON unless it has another body. */
  | { status?: number; json?: unknown; body?: string; contentType?: string }
  /** The server's own response with these additional headers. */
  | { added: Record<string, string> }
  /** The server itself, a network error, or no response ever. */
  | 'served'
  | 'lost'
  | 'unanswered';

/** A request of the page. */
export interface Call {
  url: string;
  method: string;
  /** With the page's spelling of their names. */
  headers: Record<string, string>;
  /** The body, if it's text. */
  text: string;
}

/** Always the same, in this order (the last one repeats), or computed from the request. */
type Replies = Reply | readonly [Reply, ...Reply[]] | ((call: Call) => Reply | Promise<Reply>);

interface Interception {
  session: CDPSession;
  /** Newest first. */
  rules: { calls: string; matches: RegExp; reply: (call: Call) => Reply | Promise<Reply> }[];
}

const interceptions = new WeakMap<Page, Promise<Interception>>();

/**
 * Sets the reply to a page's requests with matching addresses: `**` matches any text, `*` any
 * text without a slash, and `{a,b}` either one. The latest rule wins. Playwright's own routes
 * would work too, but they disable the browser's cache, so each screen would take twice as long
 * to load.
 */
export async function mockReply(page: Page, calls: string, replies: Replies): Promise<void> {
  let known = interceptions.get(page);
  if (!known) {
    known = intercept(page);
    interceptions.set(page, known);
  }
  const interception = await known;
  interception.rules.unshift({ calls, matches: toPattern(calls), reply: makeReplier(replies) });
  await enable(interception);
}

/** Lets the server respond again to an address, or to all. */
export async function restore(page: Page, calls?: string): Promise<void> {
  const interception = await interceptions.get(page);
  if (!interception) return;
  interception.rules = interception.rules.filter((rule) => calls !== undefined && rule.calls !== calls);
  await enable(interception);
}

/** Delays the requests to an address until the returned function is called. */
export async function delay(page: Page, calls: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<Reply>((resolve) => {
    release = () => resolve('served');
  });
  await mockReply(page, calls, () => released);
  return release;
}

/** Clicks twice before the first click gets a response, however fast the server is. */
export async function clickTwice(target: Locator, calls: string): Promise<void> {
  const page = target.page();
  const release = await delay(page, calls);
  await target.dblclick();
  release();
  await restore(page, calls);
}

async function intercept(page: Page): Promise<Interception> {
  const session = await page.context().newCDPSession(page);
  const interception: Interception = { session, rules: [] };
  session.on('Fetch.requestPaused', async ({ requestId, request, responseStatusCode, responseHeaders }) => {
    // A page that has navigated away no longer waits for a response.
    const send = (...command: Parameters<CDPSession['send']>) => session.send(...command).catch(() => {});
    const { url, method, headers, postData: text = '' } = request;
    const rule = interception.rules.find(({ matches }) => matches.test(url));
    const reply = (await rule?.reply({ url, method, headers, text })) ?? 'served';
    if (reply === 'unanswered') return;
    if (reply === 'lost') return send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    if (reply === 'served') return send('Fetch.continueRequest', { requestId });
    if ('added' in reply) {
      if (responseStatusCode === undefined)
        return send('Fetch.continueRequest', { requestId, interceptResponse: true });
      const more = Object.entries(reply.added).map(([name, value]) => ({ name, value }));
      return send('Fetch.continueResponse', {
        requestId,
        responseCode: responseStatusCode,
        responseHeaders: [...(responseHeaders ?? []), ...more],
      });
    }
    const {
      status = 200,
      json = {},
      contentType = reply.body === undefined ? 'application/json' : 'text/plain',
    } = reply;
    const body = status === 204 ? '' : (reply.body ?? JSON.stringify(json));
    await send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: [{ name: 'Content-Type', value: contentType }],
      body: Buffer.from(body).toString('base64'),
    });
  });
  return interception;
}

function makeReplier(replies: Replies): (call: Call) => Reply | Promise<Reply> {
  if (typeof replies === 'function') return replies;
  if (!isList(replies)) return () => replies;
  const [...left] = replies;
  return () => (left.length > 1 ? left.shift() : left[0]) as Reply;
}
const isList = (replies: Replies): replies is readonly [Reply, ...Reply[]] => Array.isArray(replies);

/** The browser only intercepts addresses with a rule. */
async function enable({ session, rules }: Interception): Promise<void> {
  const patterns = rules.map(({ calls }) => ({
    urlPattern: calls.replaceAll(/\*+|\{.*?\}/g, '*').replaceAll('?', '\\?'),
  }));
  await (patterns.length > 0 ? session.send('Fetch.enable', { patterns }) : session.send('Fetch.disable'));
}

const toPattern = (calls: string) =>
  new RegExp(
    `^${calls
      .replaceAll(/[.?+()|[\]\\^$]/g, '\\$&')
      .replaceAll(/\*\*?/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
      .replaceAll(/\{(.*?)\}/g, (_, either: string) => `(${either.replaceAll(',', '|')})`)}$`,
  );
