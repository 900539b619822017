/** A content page in the portal's settings. */
export type ContentPage = 'home' | 'login';

/**
 * Reports whether a content page can be shown: this browser reaches its host, and it doesn't
 * respond with an error.
 */
export async function isReached(page: ContentPage, url: string, signal: AbortSignal): Promise<boolean> {
  const failed = fetch(`/js/content/${page}.json`, { signal })
    .then((response) => response.json())
    .then((answer) => answer.failed === true)
    // Then only this browser's own check counts.
    .catch(() => false);
  try {
    // Another host's response can't be read, but it only arrives if the host is reachable.
    await fetch(url, { mode: 'no-cors', credentials: 'omit', signal });
    return !(await failed);
  } catch {
    return false;
  }
}
