import { createRouter } from '@tanstack/react-router';
import { currentSession, onSessionChange } from '@/api/session';
import type { Session } from '@/api/types';
import { judge } from './guard';
import { takeInitialUrl } from './initialUrl';
import { rememberMirror } from './mirrored';
import { rememberLogout } from './root';
import { routeTree } from './routes';

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
});

/** Takes the browser where a change of the session leads. */
onSessionChange((change) => {
  switch (change.type) {
    case 'started':
      return void router.navigate({ href: landing(takeInitialUrl(), currentSession()), replace: true });
    case 'changed':
      return void router.invalidate();
    case 'mirror':
      rememberMirror(router.history.location.state.__TSR_index);
      return void router.navigate({ to: '/home', replace: true });
    case 'ended':
      if (change.ending.reason === 'signed-out') {
        rememberLogout();
        return void router.navigate({ to: '/logout', replace: true, state: { signedOut: true } });
      }
      return void router.navigate({ to: '/login', replace: true, state: { ending: change.ending } });
  }
});

/** Where sign-in leads: the page first asked for, when it is one this account may open; else home. */
export function landing(initialUrl: string | null, session: Session | null): string {
  const path = initialUrl?.match(/^\/wcpp(\/[^?#]*)/)?.[1];
  const route = Object.values(router.routesByPath).find(({ fullPath }) => fullPath === path);
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
