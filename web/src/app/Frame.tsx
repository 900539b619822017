import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { config } from '@/api/config';
import { SessionContext } from '@/api/session';
import { SignedOutFrame } from './SignedOutFrame';

export const loadShell = () => import('./SignedInShell');
const SignedInShell = lazy(loadShell);
// A part that cannot be fetched is no reason to show nothing at all.
const StatusLine = lazy(() => import('./StatusLine').catch(() => ({ default: () => null })));

/** What stands around every screen: the portal's header and menu for whoever is signed in, else a plain header. */
export function Frame() {
  const { session } = useRouteContext({ from: '__root__' });
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  return (
    <>
      <title>{title ? `${title} · ${config().brandName}` : config().brandName}</title>
      {config().statusLine && (
        <Suspense>
          <StatusLine />
        </Suspense>
      )}
      {session ? (
        <SessionContext value={session}>
          <Suspense>
            <SignedInShell>
              <Outlet />
            </SignedInShell>
          </Suspense>
        </SessionContext>
      ) : (
        <SignedOutFrame>
          <Outlet />
        </SignedOutFrame>
      )}
    </>
  );
}
