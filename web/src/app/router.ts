import { createRouter } from '@tanstack/react-router';
import { currentSession, type Ending, onSessionChange } from '@/api/session';
import type { Session } from '@/api/types';
import { ownedBy } from '@/shared/keptSearch';
import { judge } from './guard';
import { forgetInitialUrl, rememberVisit, takeInitialUrl } from './initialUrl';
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
      return void router.invalidate();
    case 'mirror':
      rememberMirror(router.history.location.state.__TSR_index);
      return void router.navigate({ to: '/home', replace: true, ignoreBlocker: true });
    case 'ended':
      return leave(change.ending, change.mirroring);
  }
});

/** To the page first asked for, or the one that the end of the session interrupted, as it was. */
async function goOn(): Promise<void> {
  const { url, state } = await takeInitialUrl();
  const session = currentSession();
  if (!session) return;
  const href = landing(url, session);
  void router.navigate({ href, replace: true, state: href === url ? ownedBy(session, state) : {} });
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

/** Where sign-in leads: the page first asked for, when it is one this account may open; else home. */
export function landing(initialUrl: string | null, session: Session | null): string {
  const path = initialUrl?.match(/^\/wcpp(\/[^?#]*)/)?.[1];
  // As the router finds it: in any case, with a slash at the end or without.
  const plain = (path: string) => path.toLowerCase().replace(/(?<=.)\/$/, '');
  const route = Object.values(router.routesByPath).find(
    ({ fullPath }) => path && plain(fullPath) === plain(path),
  );
  const { access = 'public', screen = '' } = route?.options.staticData ?? {};
  const welcome = access !== 'public' && screen !== 'logout' && judge(access, screen, session) === 'open';
  return welcome && initialUrl ? initialUrl : '/wcpp/home';
}

/** A new screen is read from its top: the focus goes to its heading, as on a page that was loaded. */
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (!fromLocation || !pathChanged) return;
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
});
