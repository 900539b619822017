import type { AnyRouter, RouteComponent } from '@tanstack/react-router';
import * as paths from '@/shared/paths';
import { checkAccess, type SessionAccess } from './guard';

/**
 * Fetches the screen at a path if the session can open it. The router's own preloading would run
 * the guard, and the guard can end the session. If a fetch fails now, the visit tries again.
 */
export function preloadScreen(router: AnyRouter, path: string, session: SessionAccess | null): void {
  const { component, staticData } = router.getMatchedRoutes(paths.removeBase(path) ?? path)[2]?.options ?? {};
  const { access = 'unknown', screen = '' } = staticData ?? {};
  if (checkAccess(access, screen, session) === 'open')
    void (component as RouteComponent | undefined)?.preload?.()?.catch(() => {});
}
