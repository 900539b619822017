import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { Problem } from '@/api/client';
import { isReachable } from '@/api/config';
import { Banner } from '@/ui/Banner';
import { Failed } from '@/ui/Failed';
import styles from './Frame.module.css';

/** Shown while the browser is offline. Pending requests continue when the connection returns. */
export function Offline() {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  if (online) return null;
  return (
    <div className={styles.offline}>
      <Banner kind="warning">You're offline. We'll reconnect automatically.</Banner>
    </div>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const retryInterval = 15_000;

/** Shown in place of content that couldn't load. It retries until it succeeds. */
export function Unreachable() {
  const router = useRouter();
  useEffect(() => {
    const retry = () => void router.invalidate();
    const timer = setInterval(retry, retryInterval);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [router]);
  return <Failed message="Couldn't reach the portal." onRetry={() => router.invalidate()} />;
}

/** Replaces a failed screen inside its frame. */
export function ScreenError({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof Problem && error.status === 0) return <Unreachable />;
  return <Failed onRetry={() => router.invalidate()} />;
}

/**
 * Loads a chunk of the program on demand. A missing chunk belongs to an older version, so the
 * router reloads the page. When the server is unreachable, a reload would lose the page, so this
 * throws a Problem instead.
 */
export const loadChunk =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch(async (error) => {
      if (await isReachable()) throw error;
      throw new Problem(0, 'unreachable', "Couldn't reach the portal.");
    });
