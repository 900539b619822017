import { type ComponentType, lazy, useEffect, useState } from 'react';

/**
 * A part of a screen that its first view does not show: its code comes beside what the screen begins with, by the hook.
 * The part stands in a Suspense, for who is quicker than that.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const arrive = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Waiting = lazy(arrive);

  function Later(props: Props) {
    // What is there already shows at once, and stays what it is: another component would begin anew.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...props} />;
  }

  function useBeforehand() {
    useEffect(() => {
      void arrive().catch(() => {}); // where it is shown it is asked for again, and its failure told
    }, []);
  }
  return [Later, useBeforehand] as const;
}
