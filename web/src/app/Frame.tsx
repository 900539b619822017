import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { config } from '@/api/config';
import { SessionContext } from '@/api/session';
import { SignedOutFrame } from './SignedOutFrame';

let shell: typeof import('./SignedInShell');

/** Done before a session reaches the frame: what React waits for it shows no sooner than 0.3 seconds later. */
export async function loadShell() {
  shell ??= await import('./SignedInShell');
  return shell;
}

/** What stands around every screen: the portal's header and menu for whoever is signed in, else a plain header. */
export function Frame() {
  const { session } = useRouteContext({ from: '__root__' });
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  return (
    <>
      <title>{title ? `${title} · ${config().brandName}` : config().brandName}</title>
      {config().statusLine && <LineAbove />}
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

function LineAbove() {
  const [StatusLine, setStatusLine] = useState<ComponentType>();
  useEffect(() => {
    import('./StatusLine').then(
      (loaded) => setStatusLine(() => loaded.default),
      () => {}, // a part that cannot be fetched is no reason to show nothing at all
    );
  }, []);
  return StatusLine && <StatusLine />;
}
