import { useEffect, useRef, useState } from 'react';
import { stopMirror } from '@/api/signedIn';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './MirrorEnded.module.css';

/**
 * Replaces every screen until the user confirms it, so that they don't do something as the wrong
 * person.
 */
export default function MirrorEnded({ name, timeOver }: { name: string; timeOver?: boolean }) {
  const [state, setState] = useState<'idle' | 'reverting' | 'failed'>('idle');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

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
      <h1 ref={heading} tabIndex={-1}>{`You're no longer mirroring ${name}`}</h1>
      <p className="page-lead">
        {timeOver ? 'The access that the office approved has expired.' : 'The account was reset or closed.'}{' '}
        No actions were taken under your own name.
      </p>
      {state === 'failed' && (
        <Banner kind="error">
          Error: An error has occurred. Please try again or contact Customer Service.
        </Banner>
      )}
      <div className="button-row">
        <Button variant="primary" busy={state === 'reverting'} onClick={() => void revert()}>
          Return to your account
        </Button>
      </div>
    </section>
  );
}
