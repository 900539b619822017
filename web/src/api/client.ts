import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema';

/** A call that did not succeed: refused by the server (status 400 and up) or never answered (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly { path: string; code: string; message: string }[] = [],
  ) {
    super(message);
    this.name = 'Problem';
  }
}

/** What every call carries, and what happens when the server no longer takes it. The token lives in memory only. */
export const bearer = { token: '', rejected: () => {} };

export let api: Client<paths> = clientOf('/api');

/** Points every later call at this address. */
export function connect(apiUrl: string): void {
  api = clientOf(apiUrl);
}

function clientOf(apiUrl: string): Client<paths> {
  const client = createClient<paths>({
    baseUrl: new URL(apiUrl, window.location.origin).href,
    fetch: (request) => fetch(request),
  });
  client.use({
    onRequest({ request }) {
      if (bearer.token && !request.headers.has('Authorization'))
        request.headers.set('Authorization', `Bearer ${bearer.token}`);
      return request;
    },
    async onResponse({ request, response }) {
      if (response.ok) return;
      // A refusal of an earlier session's call says nothing about the present one.
      const present = bearer.token && request.headers.get('Authorization') === `Bearer ${bearer.token}`;
      if (response.status === 401 && present) bearer.rejected();
      throw await problemOf(response);
    },
    onError({ error }) {
      if (error instanceof DOMException && error.name === 'AbortError') return error;
      return new Problem(0, 'unreachable', 'The portal cannot be reached.');
    },
  });
  return client;
}

/** Reads the answer to a failed call; what is not the server's own shape (a proxy's page) keeps only its status. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = await response.json().catch(() => null);
  return new Problem(
    response.status,
    body?.code ?? '',
    body?.message ?? response.statusText,
    body?.fields ?? [],
  );
}

/** The body of a successful call; a failed one throws its Problem. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** How many rows are in an answer that has not all of them; null where it has. */
export const limitOf = (response: Response): number | null =>
  Number(response.headers.get('X-Limited-To')) || null;
