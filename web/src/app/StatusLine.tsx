import { type ReactNode, useEffect, useState } from 'react';
import { statusChanged } from '@/shared/statusLine';
import styles from './StatusLine.module.css';

interface Line {
  text: string;
  kind: 'INFO' | 'WARNING';
  /** When it is over, as an instant. */
  to: string;
}

const askEvery = 60_000;

/**
 * The line that stands above all screens for a time, signed in or not. It is asked for each minute, and gone at its
 * end by itself. What cannot be asked stays as it was.
 */
export default function StatusLine(): ReactNode {
  const [line, setLine] = useState<Line | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let known: Line | null = null;
    const left = () => (known ? Date.parse(known.to) - Date.now() : askEvery);
    async function look(cache?: RequestCache) {
      clearTimeout(timer);
      try {
        const answer = await fetch('/js/status.json', { cache, credentials: 'omit', signal: leaving.signal });
        if (answer.ok) known = await answer.json();
      } catch {
        // Asked again in a minute.
      }
      if (leaving.signal.aborted) return;
      // Over, or no line at all.
      if (!(left() > 0)) known = null;
      setLine(known);
      timer = setTimeout(look, Math.min(askEvery, left()));
    }
    const lookAnew = () => void look('reload');
    void look();
    window.addEventListener(statusChanged, lookAnew);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      window.removeEventListener(statusChanged, lookAnew);
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
