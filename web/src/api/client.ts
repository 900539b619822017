import type { Client } from 'openapi-fetch';
import { Problem, reauthenticationNeeded } from './problem';
import type { paths } from './schema';

export { bearer, Problem, parseProblem } from './problem';

let address = '/api';
let client: Promise<Client<paths>> | null = null;

/** Sends all later requests to this address. */
export function setApiUrl(apiUrl: string): void {
  if (apiUrl === address) return;
  address = apiUrl;
  client = null;
}

/** Loads the client on first use, because the sign-in screen doesn't make requests. */
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

/** Wraps a client method, which waits until the client is loaded. */
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

/** Returns the body of a successful response. A failed request throws its Problem. */
export async function unwrap<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** The user didn't re-authenticate. */
export const needsReauthentication = (error: unknown) =>
  error instanceof Problem && error.code === reauthenticationNeeded;

/** Returns the number of rows in an incomplete response; null if it's complete. */
export const getLimit = (response: Response): number | null =>
  Number(response.headers.get('X-Limited-To')) || null;
