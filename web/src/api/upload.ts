import { bearer, Problem, problemOf } from './client';
import { config } from './config';

interface Watch {
  /** Breaks it off. */
  signal: AbortSignal;
  /** Told how many bytes are on their way, of how many. */
  onProgress: (sent: number, total: number) => void;
}

/** Sends a form and tells how far it is, which fetch cannot; in all else as the calls of the client. */
export function upload<T>(path: string, form: FormData, { signal, onProgress }: Watch): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { token } = bearer;
    const request = new XMLHttpRequest();
    request.open('POST', `${config().apiUrl}${path}`);
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => resolve(read(request, token));
    request.onerror = () => reject(new Problem(0, 'unreachable', "Couldn't reach the portal."));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

async function read<T>({ status, statusText, responseText }: XMLHttpRequest, token: string): Promise<T> {
  const response = new Response(responseText, { status, statusText });
  if (response.ok) return response.json();
  // A refusal of an earlier session's call says nothing about the present one.
  if (status === 401 && token && token === bearer.token) bearer.rejected();
  throw await problemOf(response);
}
