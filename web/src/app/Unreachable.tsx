import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { Problem } from '@/api/client';
import { isReachable } from '@/api/config';
import { Banner } from '@/ui/Banner';
import { Failed } from '@/ui/Failed';
import styles from './Frame.module.css';

/** Told while the browser has no connection: what is waited for comes when there is one again. */
export function Offline() {
  const online = useSyncExternalStore(onConnection, () => navigator.onLine);
  if (online) return null;
  return (
    <div className={styles.offline}>
      <Banner kind="warning">You're offline. The portal will reconnect automatically.</Banner>
    </div>
  );
}

function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const repeatEvery = 15_000;

/** In place of what could not be loaded; it is tried again until it could. */
export function Unreachable() {
  const router = useRouter();
  useEffect(() => {
    const retry = () => void router.invalidate();
    const timer = setInterval(retry, repeatEvery);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [router]);
  return <Failed message="Couldn't reach the portal." onRetry={() => router.invalidate()} />;
}

/** In place of a screen that failed, inside its frame. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof Problem && error.status === 0) return <Unreachable />;
  return <Failed onRetry={() => router.invalidate()} />;
}

/**
 * A part of the program that is fetched when it is needed. One that is missing is of an older version, and the router
 * loads the page anew; one that cannot be reached is none, and the page would be lost.
 */
export const fetched =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch(async (error) => {
      if (await isReachable()) throw error;
      throw new Problem(0, 'unreachable', "Couldn't reach the portal.");
    });
