import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema';

/** A call that did not succeed: refused by the server (status 400 and up) or never answered (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly { path: string; code: string; message: string }[] = [],
    /** The answer, where it tells more than why. */
    readonly body: unknown = null,
  ) {
    super(message);
    this.name = 'Problem';
  }
}

/**
 * What every call carries, and what happens when the server no longer takes it, not before the end of the mirroring was
 * read, or not before it was shown who the person is. The token lives in memory only.
 */
export const bearer = {
  token: '',
  rejected: () => {},
  mirrorEnded: () => {},
  prove: () => Promise.resolve(false),
};

const needsProof = 'PROOF_NEEDED';

export let api: Client<paths> = clientOf('/api');

/** Points every later call at this address. */
export function connect(apiUrl: string): void {
  api = clientOf(apiUrl);
}

function clientOf(apiUrl: string): Client<paths> {
  const client = createClient<paths>({
    baseUrl: new URL(apiUrl, window.location.origin).href,
    fetch: send,
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
      const problem = await problemOf(response);
      if (problem.code === 'MIRROR_ENDED' && present) bearer.mirrorEnded();
      throw problem;
    },
    onError({ error }) {
      if (error instanceof DOMException && error.name === 'AbortError') return error;
      return new Problem(0, 'unreachable', 'The portal cannot be reached.');
    },
  });
  return client;
}

/** Sends a call; one that needs a proof of the person goes out again once that was given. */
async function send(request: Request): Promise<Response> {
  const json = request.headers.get('Content-Type')?.startsWith('application/json') ?? true;
  // Files need no proof, and what outlives its page has no time for one.
  if (request.method === 'GET' || request.keepalive || !json) return fetch(request);
  const body = await request.text();
  const sent = () => fetch(new Request(request, body ? { body } : {}));
  const response = await sent();
  if (response.status !== 403) return response;
  const { code } = await problemOf(response.clone());
  return code === needsProof && (await bearer.prove()) ? sent() : response;
}

/** Reads the answer to a failed call; what is not the server's own shape (a proxy's page) keeps only its status. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = await response.json().catch(() => null);
  return new Problem(
    response.status,
    body?.code ?? '',
    body?.message ?? response.statusText,
    body?.fields ?? [],
    body,
  );
}

/** The body of a successful call; a failed one throws its Problem. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** The call waited for a proof that was not given. */
export const isUnproven = (error: unknown) => error instanceof Problem && error.code === needsProof;

/** How many rows are in an answer that has not all of them; null where it has. */
export const limitOf = (response: Response): number | null =>
  Number(response.headers.get('X-Limited-To')) || null;
