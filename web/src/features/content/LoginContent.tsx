import { useEffect, useState } from 'react';
import { config } from '@/api/config';
import { ContentFrame } from './ContentFrame';
import styles from './LoginContent.module.css';

/** The content page beside the sign-in form; nothing where none is configured or its host does not answer. */
export function LoginContent() {
  const { loginPageUrl } = config();
  const reachable = useReachable(loginPageUrl);
  if (!reachable) return null;
  return (
    <section className={styles.content} aria-label="News for providers">
      <ContentFrame url={loginPageUrl} title="News for providers" />
    </section>
  );
}

function useReachable(url: string): boolean {
  const [reachable, setReachable] = useState(false);
  useEffect(() => {
    if (!url) return;
    // Another host's answer cannot be read, but one comes only when the host can be reached.
    const call = new AbortController();
    fetch(url, { mode: 'no-cors', credentials: 'omit', signal: call.signal }).then(
      () => setReachable(true),
      () => {},
    );
    return () => call.abort();
  }, [url]);
  return reachable;
}
