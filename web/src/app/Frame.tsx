import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { config } from '@/api/config';
import { SessionContext } from '@/api/session';
import { SignedOutFrame } from './SignedOutFrame';

export const loadShell = () => import('./SignedInShell');
const SignedInShell = lazy(loadShell);

/** What stands around every screen: the portal's header and menu for whoever is signed in, else a plain header. */
export function Frame() {
  const { session } = useRouteContext({ from: '__root__' });
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  return (
    <>
      <title>{title ? `${title} · ${config().brandName}` : config().brandName}</title>
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
