import type { AnyRouter, RouteComponent } from '@tanstack/react-router';
import { judge, type May } from './guard';

/**
 * Fetches the screen at a path, where the session may open it. The router's own preloading would run the guard, and
 * the guard may end the session. What cannot be had now is asked for again by the visit.
 */
export function preloadScreen(router: AnyRouter, path: string, may: May | null): void {
  const { component, staticData } = router.getMatchedRoutes(path.replace(/^\/wcpp/, ''))[2]?.options ?? {};
  const { access = 'unknown', screen = '' } = staticData ?? {};
  if (judge(access, screen, may) === 'open')
    void (component as RouteComponent | undefined)?.preload?.()?.catch(() => {});
}
