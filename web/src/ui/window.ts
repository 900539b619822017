export interface OpenedWindow {
  /** The browser blocked the window. */
  readonly blocked: boolean;
  /** Writes into the window while it waits. */
  showMessage: (text: string) => void;
  navigate: (url: string) => void;
  close: () => void;
}

/**
 * Opens an empty window. Call it inside the click handler: browsers block a window that opens
 * after a request. It navigates to its address, or closes, when the response arrives.
 */
export function openWindow(waitingText = 'Please wait while we retrieve data.'): OpenedWindow {
  const opened = window.open('', '_blank');
  const showMessage = (text: string) => {
    if (!opened) return;
    opened.document.title = text;
    renderMessage(opened.document, text);
  };
  if (opened) opened.opener = null;
  showMessage(waitingText);
  return {
    blocked: opened === null,
    showMessage,
    navigate: (url) => opened?.location.replace(url),
    close: () => opened?.close(),
  };
}

/** Shows a waiting message in an empty document, in this page's font and colors. */
function renderMessage(page: Document, text: string) {
  const { fontFamily, color, backgroundColor, colorScheme } = getComputedStyle(document.body);
  const paragraph = page.createElement('p');
  paragraph.setAttribute('role', 'status');
  paragraph.textContent = text;
  page.documentElement.lang = 'en';
  Object.assign(page.body.style, {
    ...{ fontFamily, color, backgroundColor, colorScheme },
    ...{ display: 'grid', placeContent: 'center', justifyItems: 'center', gap: '0.75rem' },
    ...{ boxSizing: 'border-box', minHeight: '100vh', margin: '0', padding: '1.5rem', textAlign: 'center' },
  });
  paragraph.style.margin = '0';
  const bar = page.createElement('progress');
  bar.ariaHidden = 'true';
  page.body.replaceChildren(paragraph, bar);
}

/** Saves a file under a name, as a click on its link would. */
export function download(file: Blob, fileName: string) {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The click only starts the download, and the address must outlive it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
