import { createRouter } from '@tanstack/react-router';
import { currentSession, type Ending, onSessionChange } from '@/api/session';
import { forgetInitialUrl, rememberVisit } from './initialUrl';
import { interrupted } from './landing';
import { rememberMirror } from './mirrored';
import { rememberLogout } from './root';
import { routeTree } from './routes';
import { ScreenFailed } from './Unreachable';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

export const router = createRouter({
  routeTree,
  basepath: '/wcpp',
  scrollRestoration: true,
  // A preload runs the guard, and the guard may end the session.
  defaultPreload: false,
  defaultErrorComponent: ScreenFailed,
});

/** Takes the browser where a change of the session leads. */
onSessionChange((change) => {
  switch (change.type) {
    case 'started':
      return goOn();
    case 'changed':
      return router.invalidate();
    case 'mirror':
      rememberMirror(router.history.location.state.__TSR_index);
      // Who was at Home already finds another there.
      return void router.navigate({ to: '/home', replace: true, ignoreBlocker: true }).then(readFromTop);
    case 'ended':
      return leave(change.ending, change.mirroring);
  }
});

/** To the page first asked for, or the one that the end of the session interrupted, as it was. */
async function goOn(): Promise<void> {
  const session = currentSession();
  if (session) void router.navigate({ ...(await interrupted(session)), replace: true });
}

function leave(ending: Ending, mirroring: boolean): void {
  const options = { replace: true, ignoreBlocker: true };
  const { reason } = ending;
  if (reason === 'signed-out' || reason === 'refused' || mirroring) forgetInitialUrl();
  else {
    const { access = 'unknown', screen = '' } = router.state.matches.at(-1)?.staticData ?? {};
    const { pathname, search, state } = router.history.location;
    const { key: _, __TSR_key: __, __TSR_index: ___, ...own } = state;
    void rememberVisit({ href: pathname + search, state: own }, screen, access);
  }
  if (reason === 'signed-out') {
    rememberLogout();
    return void router.navigate({ to: '/logout', ...options, state: { signedOut: true } });
  }
  void router.navigate({ to: '/login', ...options, state: { ending } });
}

/**
 * A new screen is read from its top: the focus goes to its heading, as on a page that was loaded. It stays in a dialog
 * that was opened before the screen was there.
 */
function readFromTop(): void {
  if (document.activeElement?.closest('[aria-modal="true"]')) return;
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) readFromTop();
});
