import { useEffect, useRef, useState } from 'react';
import { readMirror, stopMirror } from '@/api/signedIn';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './MirrorEnded.module.css';

/** Replaces the screen while another tab mirrors. The screen and its input stay behind it. */
export default function Cover({ name }: { name: string }) {
  const [state, setState] = useState<'idle' | 'reverting' | 'failed'>('idle');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    // The other tab can be closed, or this one was frozen when mirroring ended.
    const look = () => void readMirror().catch(() => {});
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);

  async function revert() {
    setState('reverting');
    try {
      await stopMirror();
    } catch {
      setState('failed');
    }
  }

  return (
    <section className={styles.card}>
      <h1 ref={heading} tabIndex={-1}>{`You're mirroring ${name} in another tab`}</h1>
      <p className="page-lead">Your work is still here. Revert to continue.</p>
      {state === 'failed' && (
        <Banner kind="error">
          Error: An error has occurred. Please try again or contact Customer Service.
        </Banner>
      )}
      <div className="button-row">
        <Button variant="primary" busy={state === 'reverting'} onClick={() => void revert()}>
          Revert
        </Button>
      </div>
    </section>
  );
}
