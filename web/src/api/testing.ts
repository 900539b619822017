import { onTestFinished, vi } from 'vitest';
import { type Config, loadConfig } from './config';
import type { components, paths } from './schema';
import type { Session, User } from './types';

export const userOf = (part: Partial<User> = {}): User => ({
  id: 1,
  userNm: 'prad.demo',
  userFirstName: 'Paula',
  userLastName: 'Reyes',
  userMidName: '',
  emailAddr: 'paula@example.com',
  phoneNum: '2125550100',
  typeCd: 'PRAD',
  typeDesc: 'Provider Admin',
  statusCd: 'ACTIV',
  statusDesc: 'Active',
  grpInfoId: 7,
  appVersion: '2.3.35',
  jobTitle: '',
  companyNm: '',
  companyUrl: '',
  affiliationCd: '',
  affiliationDesc: '',
  feeSchedRqstsCnt: 0,
  feeSchedRqsts: [],
  ...part,
});

export const sessionOf = (part: Partial<Session> = {}): Session => ({
  username: 'prad.demo',
  token: 'token-1',
  user: userOf(),
  routes: ['home'],
  menu: [],
  permissions: [],
  idleMinutes: 30,
  signsInAgain: false,
  ...part,
});

/** Every operation of the API: its name with any text for a path parameter, and the body of its success. */
type Operation = {
  [Path in keyof paths]: {
    [Method in 'get' | 'post' | 'put' | 'patch' | 'delete']: paths[Path][Method] extends {
      responses: infer Responses;
    }
      ? { name: `${Uppercase<Method>} ${WithAnyText<Path>}`; body: BodyOf<Responses> }
      : never;
  }[keyof paths[Path] & ('get' | 'post' | 'put' | 'patch' | 'delete')];
}[keyof paths];

type WithAnyText<Path extends string> = Path extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}${string}${WithAnyText<Rest>}`
  : Path;

/** `never` where a success has none, `unknown` where the document leaves it open: files and streams. */
type BodyOf<Responses> = Responses extends { 200: { content: { 'application/json': infer Body } } }
  ? Body
  : Responses extends { 200: unknown }
    ? unknown
    : never;

interface Success<Body> {
  status?: 200;
  /** Sent as JSON, unless it is a file or a stream. */
  body: Body | Blob | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** A refusal, or a success that has no body (204). */
interface Bare {
  status: number;
  body?: Partial<components['schemas']['Problem']>;
}

/** One answer of the server to an operation whose success has this body. */
export type Answer<Body = unknown> = Bare | Success<Body>;

/** How a call is answered: always the same, in this order (the last one stays), or by what was sent. */
export type Reply<Body = unknown> =
  | Answer<Body>
  | readonly Answer<Body>[]
  | ((body: unknown, request: Request) => Answer<Body> | Promise<Answer<Body>>);

/** Replies by name, as in `GET /ftin/userFtins/prad.demo`. A name or a body that the API lacks does not compile. */
export type Replies = {
  [Name in Operation['name']]?: Reply<Extract<Operation, { name: Name }>['body']>;
} & { 'GET /js/config.json'?: Reply<object> };

export interface Call {
  call: string;
  /** With its question mark; absent where there is none. */
  query?: string;
  body: unknown;
}

/** A reply to a call whose name comes from a table of cases, where the compiler cannot match name and body. */
export const replyTo = (call: string, reply: Reply) => ({ [call]: reply }) as Replies;

/** What was called, in its order. */
export const namesOf = (calls: Call[]) => calls.map(({ call }) => call);

/** A reply that never comes; who breaks the call off is answered as by a browser. */
export const hanging = () => new Promise<never>(() => {});

/** A reply to a call that does not reach the server. */
export const unreachable = () => Promise.reject<never>(new TypeError('Failed to fetch'));

/** The body of an event stream that says all this and ends. */
export const streamOf = (...texts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(stream) {
      for (const text of texts) stream.enqueue(new TextEncoder().encode(text));
      stream.close();
    },
  });

/**
 * Stands for the server until the test is over: answers each call by name, and writes down what was sent. A call
 * without a reply fails the test. Replies may be changed meanwhile.
 */
export function serve(replies: Replies): Call[] {
  const calls: Call[] = [];
  const unexpected = new Set<string>();
  vi.stubGlobal('fetch', async (address: Request | string, init?: RequestInit) => {
    const request = address instanceof Request ? address : new Request(new URL(address, location.href), init);
    const { pathname, search } = new URL(request.url);
    const call = `${request.method} ${pathname.replace(/^\/api/, '')}`;
    const text = await request.text();
    const json = request.headers.get('Content-Type')?.startsWith('application/json');
    const body = text === '' ? null : json ? JSON.parse(text) : text;
    // Asked for by any form that is changed for a moment: without a reply nothing is kept.
    if (call === 'PUT /session/form-key' && !(call in replies)) return unreachable();
    const before = calls.filter((earlier) => earlier.call === call).length;
    calls.push({ call, body, ...(search && { query: search }) });

    const reply = (replies as Record<string, Reply>)[call];
    if (!reply) {
      unexpected.add(call);
      return unreachable();
    }
    if (typeof reply === 'function') return responseOf(await unlessAborted(reply(body, request), request));
    return responseOf('length' in reply ? (reply[Math.min(before, reply.length - 1)] as Answer) : reply);
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    if (unexpected.size > 0) throw new Error(`No reply was given for ${[...unexpected].join(', ')}`);
  });
  return calls;
}

function unlessAborted<T>(answer: T | Promise<T>, { signal }: Request): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    Promise.resolve(answer).then(resolve, reject);
  });
}

function responseOf(answer: Answer): Response {
  const { status = 200, body, headers } = { headers: undefined, body: undefined, ...answer };
  if (status === 204) return new Response(null, { status });
  if (body instanceof Blob || body instanceof ReadableStream) return new Response(body, { status, headers });
  return Response.json(body ?? {}, { status, headers });
}

/** Starts the portal with these public settings, and the defaults for all others. */
export async function configure(settings: Partial<Config> = {}): Promise<void> {
  serve({ 'GET /js/config.json': { body: settings } });
  await loadConfig();
}
