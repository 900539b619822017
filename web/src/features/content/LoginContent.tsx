import { useEffect, useState } from 'react';
import { config } from '@/api/config';
import styles from './LoginContent.module.css';

const load = () => import('./ContentFrame');
type Frame = Awaited<ReturnType<typeof load>>['ContentFrame'];

/** The content page beside the sign-in form; nothing where none is configured or its host does not answer. */
export function LoginContent() {
  const { loginPageUrl } = config();
  const ContentFrame = useFrameOf(loginPageUrl);
  if (!ContentFrame) return null;
  return (
    <section className={styles.content} aria-label="News for providers">
      <ContentFrame url={loginPageUrl} title="News for providers" />
    </section>
  );
}

/** What shows the page, once its host answers. */
function useFrameOf(url: string): Frame | null {
  const [frame, setFrame] = useState<Frame | null>(null);
  useEffect(() => {
    if (!url) return;
    // Another host's answer cannot be read, but one comes only when the host can be reached.
    const call = new AbortController();
    fetch(url, { mode: 'no-cors', credentials: 'omit', signal: call.signal })
      .then(load)
      .then(
        ({ ContentFrame }) => {
          if (!call.signal.aborted) setFrame(() => ContentFrame);
        },
        () => {},
      );
    return () => call.abort();
  }, [url]);
  return frame;
}
