import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { type Config, loadConfig } from './config';
import type { components, paths } from './schema';
import type { Session, User } from './types';

export const makeUser = (part: Partial<User> = {}): User => ({
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

export const makeSession = (part: Partial<Session> = {}): Session => ({
  username: 'prad.demo',
  token: 'token-1',
  user: makeUser(),
  routes: ['home'],
  menu: [],
  permissions: [],
  idleMinutes: 30,
  signsInAgain: false,
  ...part,
});

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

type Schemas = components['schemas'];
let schemas: Record<string, Schema> | undefined;

/** A value of the API with these fields. Its other required fields are null, empty, 0 or false. */
export function makeValue<Name extends keyof Schemas & string>(
  name: Name,
  part: Partial<Schemas[Name]> = {},
): Schemas[Name] {
  schemas ??= JSON.parse(readFileSync(join(import.meta.dirname, 'openapi.json'), 'utf8')).components
    .schemas as Record<string, Schema>;
  return { ...(makeEmpty({ $ref: name }, schemas) as Schemas[Name]), ...part };
}

function makeEmpty(schema: Schema, all: Record<string, Schema>): unknown {
  const { type, properties = {}, required = [] } = schema.$ref ? (all[getName(schema.$ref)] ?? {}) : schema;
  if (type?.includes('null')) return null;
  if (schema.enum) return schema.enum[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, makeEmpty(properties[name] ?? {}, all)]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return 0;
  }
}

const getName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** Each operation of the API: its name with any text for a path parameter, and its success body. */
type Operation = {
  [Path in keyof paths]: {
    [Method in 'get' | 'post' | 'put' | 'patch' | 'delete']: paths[Path][Method] extends {
      responses: infer Responses;
    }
      ? { name: `${Uppercase<Method>} ${WithAnyText<Path>}`; body: SuccessBody<Responses> }
      : never;
  }[keyof paths[Path] & ('get' | 'post' | 'put' | 'patch' | 'delete')];
}[keyof paths];

type WithAnyText<Path extends string> = Path extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}${string}${WithAnyText<Rest>}`
  : Path;

/**
 * `never` if a success has no body, `unknown` if the document doesn't specify it: files and
 * streams.
 */
type SuccessBody<Responses> = Responses extends { 200: { content: { 'application/json': infer Body } } }
  ? Body
  : Responses extends { 200: unknown }
    ? unknown
    : never;

interface Success<Body> {
  status?: 200;
  /** Sent as JSON, unless it's a file or a stream. */
  body: Body | Blob | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** An error, or a success without a body (204). */
interface Bare {
  status: number;
  body?: Partial<components['schemas']['Problem']>;
}

/** One response of an operation with this success body. */
export type Answer<Body = unknown> = Bare | Success<Body>;

/**
 * Responses to a request: always the same, in this order (the last one repeats), or computed
 * from the request.
 */
export type Reply<Body = unknown> =
  | Answer<Body>
  | readonly Answer<Body>[]
  | ((body: unknown, request: Request) => Answer<Body> | Promise<Answer<Body>>);

/**
 * Replies by name, such as `GET /ftin/userFtins/prad.demo`. A name or body that the API doesn't
 * have fails to compile.
 */
export type Replies = {
  [Name in Operation['name']]?: Reply<Extract<Operation, { name: Name }>['body']>;
} & { 'GET /js/config.json'?: Reply<object> };

export interface Call {
  call: string;
  /** Includes the question mark; absent without a query. */
  query?: string;
  body: unknown;
}

/**
 * Builds a reply with a name from a table of test cases, where the compiler can't match name and
 * body.
 */
export const replyTo = (call: string, reply: Reply) => ({ [call]: reply }) as Replies;

/** Lists the requests in order. */
export const listCalls = (calls: Call[]) => calls.map(({ call }) => call);

/** A response that never arrives. Aborting it fails as in a browser. */
export const neverReplies = () => new Promise<never>(() => {});

/** A response to a request that doesn't reach the server. */
export const unreachable = () => Promise.reject<never>(new TypeError('Failed to fetch'));

/** The body of an event stream with these messages, which then ends. */
export const makeStream = (...chunks: (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    start(stream) {
      for (const chunk of chunks) {
        stream.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      }
      stream.close();
    },
  });

/**
 * Fakes the server until the test ends: responds to each request by name and records it. A
 * request without a reply fails the test. Tests can change the replies later.
 */
export function fakeServer(replies: Replies): Call[] {
  const calls: Call[] = [];
  const unexpected = new Set<string>();
  vi.stubGlobal('fetch', async (address: Request | string, init?: RequestInit) => {
    const request = address instanceof Request ? address : new Request(new URL(address, location.href), init);
    const { pathname, search } = new URL(request.url);
    const call = `${request.method} ${pathname.replace(/^\/api/, '')}`;
    const text = await request.text();
    const json = request.headers.get('Content-Type')?.startsWith('application/json');
    const body = text === '' ? null : json ? JSON.parse(text) : text;
    // Every changed form requests this key soon. Without a reply, input isn't stored.
    if (call === 'PUT /session/form-key' && !(call in replies)) return unreachable();
    const before = calls.filter((earlier) => earlier.call === call).length;
    calls.push({ call, body, ...(search && { query: search }) });

    const reply = (replies as Record<string, Reply>)[call];
    if (!reply) {
      unexpected.add(call);
      return unreachable();
    }
    if (typeof reply === 'function') return makeResponse(await unlessAborted(reply(body, request), request));
    return makeResponse('length' in reply ? (reply[Math.min(before, reply.length - 1)] as Answer) : reply);
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

function makeResponse(answer: Answer): Response {
  const { status = 200, body, headers } = { headers: undefined, body: undefined, ...answer };
  if (status === 204) return new Response(null, { status });
  if (body instanceof Blob || body instanceof ReadableStream) return new Response(body, { status, headers });
  return Response.json(body ?? {}, { status, headers });
}

/** Starts the portal with these public settings and defaults for the others. */
export async function configure(settings: Partial<Config> = {}): Promise<void> {
  fakeServer({ 'GET /js/config.json': { body: settings } });
  await loadConfig();
}
