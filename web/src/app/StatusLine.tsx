import { type ReactNode, useEffect, useState } from 'react';
import { statusChangedEvent } from '@/shared/statusLine';
import styles from './StatusLine.module.css';

interface Announcement {
  text: string;
  kind: 'INFO' | 'WARNING';
  /** When it ends, as a timestamp. */
  to: string;
}

const refetchInterval = 60_000;

/**
 * The announcement above all screens, signed in or not. It's refetched each minute and
 * disappears at its end. When a request fails, the last one stays.
 */
export default function StatusLine(): ReactNode {
  const [line, setLine] = useState<Announcement | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let latest: Announcement | null = null;
    const getTimeLeft = () => (latest ? Date.parse(latest.to) - Date.now() : refetchInterval);
    async function fetchLine(cache?: RequestCache) {
      clearTimeout(timer);
      try {
        const response = await fetch('/js/status.json', {
          cache,
          credentials: 'omit',
          signal: controller.signal,
        });
        if (response.ok) latest = await response.json();
      } catch {
        // Refetch in a minute.
      }
      if (controller.signal.aborted) return;
      // It has ended, or there is none.
      if (!(getTimeLeft() > 0)) latest = null;
      setLine(latest);
      timer = setTimeout(fetchLine, Math.min(refetchInterval, getTimeLeft()));
    }
    const refetch = () => void fetchLine('reload');
    void fetchLine();
    window.addEventListener(statusChangedEvent, refetch);
    return () => {
      controller.abort();
      clearTimeout(timer);
      window.removeEventListener(statusChangedEvent, refetch);
    };
  }, []);
  return (
    <div role="status">
      {line && (
        <p className={styles.line} data-kind={line.kind}>
          {line.text}
        </p>
      )}
    </div>
  );
}
