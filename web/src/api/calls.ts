import createClient, { type Client } from 'openapi-fetch';
import { bearer, Problem, parseProblem, reauthenticationNeeded } from './problem';
import type { paths } from './schema';

/** Creates the client for requests below this address. */
export function makeClient(address: string): Client<paths> {
  const client = createClient<paths>({
    baseUrl: new URL(address, window.location.origin).href,
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
      // An error of an earlier session's request doesn't affect the current session.
      const present = bearer.token && request.headers.get('Authorization') === `Bearer ${bearer.token}`;
      if (response.status === 401 && present) bearer.reject();
      const problem = await parseProblem(response);
      if (problem.code === 'MIRROR_ENDED' && present) bearer.endMirror();
      if (problem.code === 'FORBIDDEN' && present) bearer.forbid();
      throw problem;
    },
    onError({ error }) {
      if (error instanceof DOMException && error.name === 'AbortError') return error;
      return new Problem(0, 'unreachable', "Couldn't reach the portal.");
    },
  });
  return client;
}

/** Reports whether a request is about the session itself, whoever it acts for. */
const isAboutSession = ({ url }: Request) =>
  /\/(session|session\/touch|session\/mirror|logout|appProperties\/.*)$/.test(new URL(url).pathname);

/** Sends a request. If it needs re-authentication, it's sent again afterwards. */
async function send(request: Request): Promise<Response> {
  if (bearer.covered && !isAboutSession(request)) await bearer.covered;
  const json = request.headers.get('Content-Type')?.startsWith('application/json') ?? true;
  // File uploads don't need re-authentication, and keepalive requests can't wait for it.
  if (request.method === 'GET' || request.keepalive || !json) return fetch(request);
  const body = await request.text();
  const sendBody = () => fetch(new Request(request, body ? { body } : {}));
  const response = await sendBody();
  if (response.status !== 403) return response;
  const { code } = await parseProblem(response.clone());
  return code === reauthenticationNeeded && (await bearer.prove()) ? sendBody() : response;
}
