import './ui/tokens.css';
import './ui/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client';
import { config, loadConfig } from './api/config';
import { mayBeSignedIn } from './api/session';
import { loadShell } from './app/Frame';
import { router } from './app/router';
import { receiveSignIn, signInPending } from './features/sessions/signIn';
import { applyStoredTheme } from './ui/theme';
import { setZone } from './ui/zone';

applyStoredTheme();
receiveSignIn();
void start();

/** Not at the module's top level: what is fetched meanwhile imports this file's neighbours, and would wait for it. */
async function start() {
  // The signed-in part and the session come beside the settings.
  if (mayBeSignedIn()) void loadShell();
  await loadConfig();
  connect(config().apiUrl);
  setZone(config().timeZone);
  // What is drawn first is the screen itself, but that a sign-in is completed is shown.
  if (!signInPending()) await router.load();

  // From here on every screen sets the title.
  document.querySelector('title')?.remove();
  const root = createRoot(document.getElementById('root') as HTMLElement);
  // In small steps, between which the browser answers whoever types or scrolls already.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}
