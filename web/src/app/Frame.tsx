import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { getConfig } from '@/api/config';
import { SessionContext } from '@/api/session';
import type { Session } from '@/api/types';
import { SignedOutFrame } from './SignedOutFrame';

let shell: typeof import('./SignedInShell');

/**
 * Runs before a session reaches the frame: React shows suspended content 0.3 seconds later at
 * the earliest.
 */
export async function loadShell() {
  shell ??= await import('./SignedInShell');
  return shell;
}

/** The frame around every screen, with the full header and menu when signed in, else a plain header. */
export function Frame() {
  const { session }: { session: Session | null } = useRouteContext({ from: '__root__' });
  const { title, screen } = useMatches({ select: (matches) => matches.at(-1)?.staticData }) ?? {};
  const label = title || session?.workspace?.find(({ to }) => to === screen)?.label;
  return (
    <>
      <title>{label ? `${label} · ${getConfig().brandName}` : getConfig().brandName}</title>
      {getConfig().statusLine && <LazyStatusLine />}
      {session ? (
        <SessionContext value={session}>
          <shell.default>
            <Outlet />
          </shell.default>
        </SessionContext>
      ) : (
        <SignedOutFrame>
          <Outlet />
        </SignedOutFrame>
      )}
    </>
  );
}

function LazyStatusLine() {
  const [StatusLine, setStatusLine] = useState<ComponentType>();
  useEffect(() => {
    import('./StatusLine').then(
      (loaded) => setStatusLine(() => loaded.default),
      () => {}, // show the rest even if one chunk fails to load
    );
  }, []);
  return StatusLine && <StatusLine />;
}
