import { fetchResource, resourceAddress } from '@/api/resources';

export type Opened = 'opened' | 'blocked' | 'unhandled';

const player = 'popup,width=960,height=600';
const keepDocumentFor = 60_000;

/**
 * Opens a PDF in a new tab or a video in a player window; other types are not handled. The window opens before the
 * answer, while the browser still sees the person's click, and closes again when there is nothing to show.
 */
export async function openSecureResource(path: string): Promise<Opened> {
  const address = resourceAddress(path);
  if (!address) return 'unhandled';
  const looksLikeVideo = /\.(mp4|m4v|mov|webm|ogv)$/i.test(new URL(address).pathname);
  const opened = window.open('', '_blank', looksLikeVideo ? player : '');
  if (!opened) return 'blocked';
  opened.opener = null;
  const call = new AbortController();
  try {
    const response = await fetchResource(address, call.signal);
    const type = response.headers.get('Content-Type') ?? '';
    if (type.startsWith('application/pdf')) {
      const pdf = URL.createObjectURL(await response.blob());
      setTimeout(() => URL.revokeObjectURL(pdf), keepDocumentFor);
      opened.location.replace(pdf);
      return 'opened';
    }
    call.abort();
    if (type.startsWith('video/')) {
      // The browser's own player asks for the parts it needs; the cookie authorizes it.
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
