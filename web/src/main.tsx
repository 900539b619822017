import './ui/tokens.css';
import './ui/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { connect } from './api/client';
import { config, loadConfig } from './api/config';
import { type Outline, outline } from './api/outline';
import { mayBeSignedIn, restoreSession } from './api/session';
import { loadShell } from './app/Frame';
import { preloadScreen } from './app/preloadScreen';
import { router } from './app/router';
import { receiveSignIn, signInPending } from './features/sessions/signIn';
import { applyStoredTheme } from './ui/theme';
import { setZone } from './ui/zone';

applyStoredTheme();
receiveSignIn();
void start();

/** Not at the module's top level: what is fetched meanwhile imports this file's neighbours, and would wait for it. */
async function start() {
  const expected = signInPending() ? null : outline();
  // The signed-in part and the session come beside the settings.
  if (expected || mayBeSignedIn()) void loadShell();
  if (expected) {
    restoreSession().catch(() => {}); // the screen asks again, and tells
    preloadScreen(router, window.location.pathname, expected);
  }
  await loadConfig();
  connect(config().apiUrl);
  setZone(config().timeZone);
  // From here on every screen sets the title.
  document.querySelector('title')?.remove();
  const root = createRoot(document.getElementById('root') as HTMLElement);
  const waiting = expected && showWhileWaiting(root, expected);
  // What is drawn first is the screen itself, but that a sign-in is completed is shown.
  if (!signInPending()) await loadFirst();
  waiting?.();
  // In small steps, between which the browser answers whoever types or scrolls already.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}

/** The screen of the address, also where Back was pressed meanwhile: until it is shown nobody listens for that. */
async function loadFirst(): Promise<void> {
  const { history } = router;
  do await router.load();
  while (router.latestLocation.state.__TSR_key !== history.location.state.__TSR_key);
}

/** Shows the frame that is expected, where the session's answer is long in coming; ends with what is returned. */
function showWhileWaiting(root: Root, expected: Outline): () => void {
  let over = false;
  const timer = setTimeout(async () => {
    const { Expected } = await import('./app/Expected');
    if (!over) root.render(<Expected outline={expected} />);
  }, 200);
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
