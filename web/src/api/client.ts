import type { Client } from 'openapi-fetch';
import { needsProof, Problem } from './problem';
import type { paths } from './schema';

export { bearer, Problem, problemOf } from './problem';

let address = '/api';
let client: Promise<Client<paths>> | null = null;

/** Points every later call at this address. */
export function connect(apiUrl: string): void {
  if (apiUrl === address) return;
  address = apiUrl;
  client = null;
}

/** Fetches what makes the calls: whoever only sees the sign-in screen makes none. */
export const loadClient = (): Promise<Client<paths>> => {
  client ??= import('./calls').then(
    ({ makeClient }) => makeClient(address),
    () => {
      client = null;
      throw new Problem(0, 'unreachable', "Couldn't reach the portal.");
    },
  );
  return client;
};

type Api = Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>;

/** A call as the client makes it, once that is there. */
const call =
  (method: keyof Api) =>
  async (...sent: unknown[]) =>
    ((await loadClient())[method] as (...sent: unknown[]) => unknown)(...sent);

export const api = {
  GET: call('GET'),
  POST: call('POST'),
  PUT: call('PUT'),
  PATCH: call('PATCH'),
  DELETE: call('DELETE'),
} as Api;

/** The body of a successful call; a failed one throws its Problem. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** The call waited for a proof that was not given. */
export const isUnproven = (error: unknown) => error instanceof Problem && error.code === needsProof;

/** How many rows are in an answer that has not all of them; null where it has. */
export const limitOf = (response: Response): number | null =>
  Number(response.headers.get('X-Limited-To')) || null;
