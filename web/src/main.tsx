import './ui/tokens.css';
import './ui/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client';
import { config, loadConfig } from './api/config';
import { mayBeSignedIn } from './api/session';
import { loadShell } from './app/Frame';
import { router } from './app/router';
import { receiveSignIn } from './features/sessions/signIn';
import { applyStoredTheme } from './ui/theme';
import { setZone } from './ui/zone';

applyStoredTheme();
receiveSignIn();
// The signed-in part loads beside the calls that tell whether it is needed.
if (mayBeSignedIn()) void loadShell();
await loadConfig();
connect(config().apiUrl);
setZone(config().timeZone);

// From here on every screen sets the title.
document.querySelector('title')?.remove();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
