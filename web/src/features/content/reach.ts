/** A content page of the portal's settings. */
export type ContentPage = 'home' | 'login';

/** Reports whether a content page can be shown: this browser reaches its host, which doesn't answer with an error. */
export async function isReached(page: ContentPage, url: string, signal: AbortSignal): Promise<boolean> {
  const failed = fetch(`/js/content/${page}.json`, { signal })
    .then((response) => response.json())
    .then((answer) => answer.failed === true)
    // Then only this browser's own look counts.
    .catch(() => false);
  try {
    // Another host's answer can't be read, but one comes only when the host can be reached.
    await fetch(url, { mode: 'no-cors', credentials: 'omit', signal });
    return !(await failed);
  } catch {
    return false;
  }
}
