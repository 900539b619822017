import { bearer, Problem, parseProblem } from './client';
import { getConfig } from './config';

/** Returns a resource's address; null if the path is outside the resource address. */
export function getResourceUrl(path: string): string | null {
  const { resourceUrl } = getConfig();
  if (!resourceUrl) return null;
  const base = new URL(`${resourceUrl.replace(/\/$/, '')}/`, window.location.href);
  const url = URL.parse(path.replace(/^\/+/, ''), base);
  return url?.origin === base.origin && url.pathname.startsWith(base.pathname) ? url.href : null;
}

/** Fetches a resource with the session's token. A failed request throws its Problem. */
export async function fetchResource(
  address: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const token = bearer.token;
  const sent = { ...headers, Authorization: `Bearer ${token}` };
  const response = await fetch(address, { headers: sent, signal }).catch((error) => {
    if (signal.aborted) throw error;
    throw new Problem(0, 'unreachable', "Couldn't reach the portal.");
  });
  if (response.ok) return response;
  if (response.status === 401 && token && token === bearer.token) bearer.reject();
  throw await parseProblem(response);
}
