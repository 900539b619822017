import { fetchResource, getResourceUrl } from '@/api/resources';

export type Opened = 'opened' | 'blocked' | 'unhandled';

const player = 'popup,width=960,height=600';

/**
 * Opens a PDF in a new tab or a video in a player window; ignores other types. The window opens
 * before the response, while the browser still counts the user's click, and closes again if
 * there is nothing to show.
 */
export async function openSecureResource(path: string): Promise<Opened> {
  const address = getResourceUrl(path);
  if (!address) return 'unhandled';
  const looksLikeVideo = /\.(mp4|m4v|mov|webm|ogv)$/i.test(new URL(address).pathname);
  const opened = window.open('', '_blank', looksLikeVideo ? player : '');
  if (!opened) return 'blocked';
  opened.opener = null;
  const call = new AbortController();
  try {
    // One byte shows the type, and the server doesn't record it as an opening.
    const response = await fetchResource(address, call.signal, { Range: 'bytes=0-0' });
    call.abort();
    if (/^(application\/pdf|video\/)/.test(response.headers.get('Content-Type') ?? '')) {
      // Under its own address, so that a reload works. The session cookie authorizes the
      // browser's viewer, or its player, which requests ranges.
      opened.location.replace(address);
      return 'opened';
    }
    opened.close();
    return 'unhandled';
  } catch (error) {
    opened.close();
    throw error;
  }
}
