import { type ReactNode, useEffect, useRef, useState } from 'react';
import { stopMirror } from '@/api/signedIn';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './MirrorCard.module.css';

interface Props {
  title: string;
  /** The button that ends mirroring. */
  action: string;
  children: ReactNode;
}

/** Replaces the screen until the user ends mirroring. */
export function MirrorCard({ title, action, children }: Props) {
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
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p className="page-lead">{children}</p>
      {state === 'failed' && (
        <Banner kind="error">
          Error: An error has occurred. Please try again or contact Customer Service.
        </Banner>
      )}
      <div className="button-row">
        <Button variant="primary" busy={state === 'reverting'} onClick={() => void revert()}>
          {action}
        </Button>
      </div>
    </section>
  );
}
