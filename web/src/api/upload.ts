import { bearer, Problem, parseProblem } from './client';
import { getConfig } from './config';

interface UploadOptions {
  /** Cancels the upload. */
  signal: AbortSignal;
  /** Called with the bytes sent so far and the total. */
  onProgress: (sent: number, total: number) => void;
}

/**
 * Sends a form and reports its progress, which fetch can't. Otherwise it works like the client's
 * requests.
 */
export function upload<T>(path: string, form: FormData, { signal, onProgress }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { token } = bearer;
    const request = new XMLHttpRequest();
    request.open('POST', `${getConfig().apiUrl}${path}`);
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => resolve(readResponse(request, token));
    request.onerror = () => reject(new Problem(0, 'unreachable', "Couldn't reach the portal."));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

async function readResponse<T>(
  { status, statusText, responseText }: XMLHttpRequest,
  token: string,
): Promise<T> {
  const response = new Response(responseText, { status, statusText });
  if (response.ok) return response.json();
  // An error of an earlier session's request doesn't affect the current session.
  if (status === 401 && token && token === bearer.token) bearer.reject();
  throw await parseProblem(response);
}
