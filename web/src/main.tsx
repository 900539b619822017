import './ui/tokens.css';
import './ui/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { setApiUrl } from './api/client';
import { getConfig, loadConfig } from './api/config';
import { canBeSignedIn, restoreSession } from './api/session';
import { readSessionPreview, type SessionPreview } from './api/sessionPreview';
import { loadShell } from './app/Frame';
import { preloadScreen } from './app/preloadScreen';
import { router } from './app/router';
import { isSignInPending, receiveSignIn } from './features/sessions/signIn';
import { applyStoredTheme } from './ui/theme';
import { setZone } from './ui/zone';

applyStoredTheme();
receiveSignIn();
void start();

/**
 * Not at the module's top level: chunks that load in the meantime import this file's neighbors,
 * and would wait for it.
 */
async function start() {
  const preview = isSignInPending() ? null : readSessionPreview();
  // Load the shell and the session in parallel with the settings.
  if (preview || canBeSignedIn()) void loadShell();
  if (preview) {
    restoreSession().catch(() => {}); // the screen requests it again and shows the error
    preloadScreen(router, window.location.pathname, preview);
  }
  await loadConfig();
  setApiUrl(getConfig().apiUrl);
  setZone(getConfig().timeZone);
  // From here every screen sets the title.
  document.querySelector('title')?.remove();
  const root = createRoot(document.getElementById('root') as HTMLElement);
  const stopWaiting = preview && showWhileWaiting(root, preview);
  // The first render is the screen itself, except while a sign-in completes.
  if (!isSignInPending()) await loadFirst();
  stopWaiting?.();
  // Renders in small steps, so that the browser responds to typing and scrolling.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}

/**
 * Loads the address's screen. It checks the address again, because nothing listens for Back
 * before the first render.
 */
async function loadFirst(): Promise<void> {
  const { history } = router;
  do await router.load();
  while (router.latestLocation.state.__TSR_key !== history.location.state.__TSR_key);
}

/** Shows the shell's skeleton if the session response is slow. Returns a function that stops it. */
function showWhileWaiting(root: Root, preview: SessionPreview): () => void {
  let isStopped = false;
  const timer = setTimeout(async () => {
    const { ShellSkeleton } = await import('./app/ShellSkeleton');
    if (!isStopped) root.render(<ShellSkeleton preview={preview} />);
  }, 200);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
