export interface OpenedWindow {
  /** The browser did not let the window open. */
  readonly blocked: boolean;
  /** Writes into the window while it waits. */
  say: (text: string) => void;
  go: (url: string) => void;
  close: () => void;
}

/**
 * Opens an empty window, to be called inside the click itself: browsers block one that opens after a call. It is
 * sent to its address, or closed, when the answer comes.
 */
export function openWindow(waitingText = 'Please wait while we retrieve data.'): OpenedWindow {
  const opened = window.open('', '_blank');
  const say = (text: string) => {
    if (!opened) return;
    opened.document.title = text;
    opened.document.body.textContent = text;
  };
  if (opened) opened.opener = null;
  say(waitingText);
  return {
    blocked: opened === null,
    say,
    go: (url) => opened?.location.replace(url),
    close: () => opened?.close(),
  };
}

/** Saves a file under the given name, as if its link had been clicked. */
export function download(file: Blob, fileName: string) {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The click only starts the download; the address must outlive it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
