import type { CDPSession, Locator, Page } from '@playwright/test';

/** What a call of the page meets. */
export type Reply =
  /** An answer in the server's stead: 200 unless told otherwise, JSON unless it has a body of its own. */
  | { status?: number; json?: unknown; body?: string; contentType?: string }
  /** The server's own answer, with these headers besides. */
  | { added: Record<string, string> }
  /** The server, or a network that fails, or nothing ever. */
  | 'served'
  | 'lost'
  | 'unanswered';

/** A call that the page makes. */
export interface Call {
  url: string;
  method: string;
  /** By their names in the page's own spelling. */
  headers: Record<string, string>;
  /** What is sent, where it is text. */
  text: string;
}

/** Always the same, in this order (the last one stays), or by what is called. */
type Replies = Reply | readonly [Reply, ...Reply[]] | ((call: Call) => Reply | Promise<Reply>);

interface Interception {
  session: CDPSession;
  /** The newest first. */
  rules: { calls: string; matches: RegExp; reply: (call: Call) => Reply | Promise<Reply> }[];
}

const interceptions = new WeakMap<Page, Promise<Interception>>();

/**
 * Answers the calls of a page to an address, in which `**` is any text, `*` any without a slash and `{a,b}` either.
 * What is told last of an address holds. Playwright's own routes would do, but they turn off the browser's cache: each
 * screen loads twice as long.
 */
export async function answer(page: Page, calls: string, replies: Replies): Promise<void> {
  let known = interceptions.get(page);
  if (!known) {
    known = intercept(page);
    interceptions.set(page, known);
  }
  const interception = await known;
  interception.rules.unshift({ calls, matches: expression(calls), reply: replying(replies) });
  await enable(interception);
}

/** Leaves the calls to an address, or all calls, to the server again. */
export async function restore(page: Page, calls?: string): Promise<void> {
  const interception = await interceptions.get(page);
  if (!interception) return;
  interception.rules = interception.rules.filter((rule) => calls !== undefined && rule.calls !== calls);
  await enable(interception);
}

/** Holds back the calls to an address until it is let go. */
export async function hold(page: Page, calls: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<Reply>((resolve) => {
    release = () => resolve('served');
  });
  await answer(page, calls, () => released);
  return release;
}

/** Clicks twice before the calls of the first click are answered, however quick the server is. */
export async function clickTwice(target: Locator, calls: string): Promise<void> {
  const page = target.page();
  const release = await hold(page, calls);
  await target.dblclick();
  release();
  await restore(page, calls);
}

async function intercept(page: Page): Promise<Interception> {
  const session = await page.context().newCDPSession(page);
  const interception: Interception = { session, rules: [] };
  session.on('Fetch.requestPaused', async ({ requestId, request, responseStatusCode, responseHeaders }) => {
    // A page that has gone on meanwhile waits for no answer any more.
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

function replying(replies: Replies): (call: Call) => Reply | Promise<Reply> {
  if (typeof replies === 'function') return replies;
  if (!isList(replies)) return () => replies;
  const [...left] = replies;
  return () => (left.length > 1 ? left.shift() : left[0]) as Reply;
}
const isList = (replies: Replies): replies is readonly [Reply, ...Reply[]] => Array.isArray(replies);

/** The browser stops only at what has a rule. */
async function enable({ session, rules }: Interception): Promise<void> {
  const patterns = rules.map(({ calls }) => ({
    urlPattern: calls.replaceAll(/\*+|\{.*?\}/g, '*').replaceAll('?', '\\?'),
  }));
  await (patterns.length > 0 ? session.send('Fetch.enable', { patterns }) : session.send('Fetch.disable'));
}

const expression = (calls: string) =>
  new RegExp(
    `^${calls
      .replaceAll(/[.?+()|[\]\\^$]/g, '\\$&')
      .replaceAll(/\*\*?/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
      .replaceAll(/\{(.*?)\}/g, (_, either: string) => `(${either.replaceAll(',', '|')})`)}$`,
  );
