import { type ComponentType, lazy, useEffect, useState } from 'react';

/**
 * Not a query result as is: React Query doesn't rerender for unread fields, and
 * the part reads them later.
 */
type Read<Props> = {
  [Name in keyof Props]: Props[Name] extends { fetchStatus: unknown } ? never : Props[Name];
};

/**
 * A part of a screen that its first view doesn't show. The hook loads its code in parallel with
 * the rest of the screen. Wrap the part in a Suspense, in case the user is faster.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const arrive = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Waiting = lazy(arrive);

  function Later(props: Read<Props>) {
    // Code that's already there renders right away and doesn't change later: another component
    // would remount.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...(props as Props)} />;
  }

  function useBeforehand() {
    useEffect(() => {
      void arrive().catch(() => {}); // it loads again where it's shown, which also reports a failure
    }, []);
  }
  return [Later, useBeforehand] as const;
}
