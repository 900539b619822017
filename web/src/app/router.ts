import { createRouter } from '@tanstack/react-router';
import { getSession, onSessionChange } from '@/api/session';
import type { Ending } from '@/api/types';
import * as paths from '@/shared/paths';
import { forgetInitialUrl, rememberVisit } from './initialUrl';
import { getInterruptedPage } from './landing';
import { numberTypedAddress, setMirrorStart } from './mirrorStart';
import { rememberLogout } from './root';
import { routeTree } from './routes';
import { ScreenError } from './Unreachable';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

numberTypedAddress();

export const router = createRouter({
  routeTree,
  basepath: paths.base,
  scrollRestoration: true,
  // A preload would run the guard, and the guard can end the session.
  defaultPreload: false,
  defaultErrorComponent: ScreenError,
});

/** Navigates when the session changes. */
onSessionChange((change) => {
  switch (change.type) {
    case 'started':
      return openInterruptedPage();
    case 'changed':
      return router.invalidate();
    case 'mirror':
      setMirrorStart(router.history.location.state.__TSR_index);
      // Home itself has changed if the user is already there.
      return void router.navigate({ to: paths.home, replace: true, ignoreBlocker: true }).then(focusHeading);
    case 'ended':
      return leaveScreen(change.ending, change.mirroring);
  }
});

/**
 * Opens the requested page, or the page that the end of the session interrupted, with its state.
 */
async function openInterruptedPage(): Promise<void> {
  const session = getSession();
  if (session) void router.navigate({ ...(await getInterruptedPage(session)), replace: true });
}

function leaveScreen(ending: Ending, mirroring: boolean): void {
  const options = { replace: true, ignoreBlocker: true };
  const { reason } = ending;
  if (reason === 'signed-out' || reason === 'refused' || mirroring) forgetInitialUrl();
  else {
    const { access = 'unknown', screen = '' } = router.state.matches.at(-1)?.staticData ?? {};
    const { pathname, search, state } = router.history.location;
    const { key: _, __TSR_key: __, __TSR_index: ___, ...visitState } = state;
    void rememberVisit({ href: pathname + search, state: visitState }, screen, access);
  }
  if (reason === 'signed-out') {
    rememberLogout();
    return void router.navigate({ to: paths.logout, ...options, state: { signedOut: true } });
  }
  void router.navigate({ to: paths.login, ...options, state: { ending } });
}

/**
 * Moves the focus to a new screen's heading, as after a page load. The focus stays in a dialog
 * that opened before the screen was ready.
 */
function focusHeading(): void {
  if (document.activeElement?.closest('[aria-modal="true"]')) return;
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  // Sign-in has reached its page.
  if (getSession() && router.state.matches.at(-1)?.staticData.access !== 'public') forgetInitialUrl();
  if (fromLocation && pathChanged) focusHeading();
});
