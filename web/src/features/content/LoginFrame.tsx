import { useEffect, useState } from 'react';
import { getConfig } from '@/api/config';
import { ContentFrame } from './ContentFrame';
import styles from './LoginContent.module.css';
import { isReached } from './reach';

/** Shows the content page when its host responds, and never an error page. */
export default function LoginFrame() {
  const { loginPageUrl } = getConfig();
  const [shown, setShown] = useState<boolean>();
  useEffect(() => {
    const call = new AbortController();
    void isReached('login', loginPageUrl, call.signal).then((reached) => {
      if (!call.signal.aborted) setShown(reached);
    });
    return () => call.abort();
  }, [loginPageUrl]);
  if (shown === undefined) return <div />;
  if (!shown) return null;
  return (
    <section className={styles.content} aria-label="News for providers">
      <ContentFrame url={loginPageUrl} title="News for providers" />
    </section>
  );
}
