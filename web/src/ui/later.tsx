import { type ComponentType, lazy, useEffect, useState } from 'react';

/** No answer of a query as it stands: what of it nobody has read yet is not drawn anew, and the part reads it later. */
type Read<Props> = {
  [Name in keyof Props]: Props[Name] extends { fetchStatus: unknown } ? never : Props[Name];
};

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

  function Later(props: Read<Props>) {
    // What is there already shows at once, and stays what it is: another component would begin anew.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...(props as Props)} />;
  }

  function useBeforehand() {
    useEffect(() => {
      void arrive().catch(() => {}); // where it is shown it is asked for again, and its failure told
    }, []);
  }
  return [Later, useBeforehand] as const;
}
