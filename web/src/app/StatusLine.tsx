import { type ReactNode, useEffect, useState } from 'react';
import { statusChangedEvent } from '@/shared/statusLine';
import styles from './StatusLine.module.css';

interface Line {
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
  const [line, setLine] = useState<Line | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let known: Line | null = null;
    const left = () => (known ? Date.parse(known.to) - Date.now() : refetchInterval);
    async function look(cache?: RequestCache) {
      clearTimeout(timer);
      try {
        const answer = await fetch('/js/status.json', { cache, credentials: 'omit', signal: leaving.signal });
        if (answer.ok) known = await answer.json();
      } catch {
        // Refetch in a minute.
      }
      if (leaving.signal.aborted) return;
      // It has ended, or there is none.
      if (!(left() > 0)) known = null;
      setLine(known);
      timer = setTimeout(look, Math.min(refetchInterval, left()));
    }
    const refetch = () => void look('reload');
    void look();
    window.addEventListener(statusChangedEvent, refetch);
    return () => {
      leaving.abort();
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
