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
  const loadPart = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const SuspendedPart = lazy(loadPart);

  function LazyPart(props: Read<Props>) {
    // Code that's already there renders right away and doesn't change later: another component
    // would remount.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? SuspendedPart);
    return <Part {...(props as Props)} />;
  }

  function usePreload() {
    useEffect(() => {
      void loadPart().catch(() => {}); // it loads again where it's shown, which also reports a failure
    }, []);
  }
  return [LazyPart, usePreload] as const;
}
