import { useState } from 'react';
import { useSession } from '@/api/session';
import { stopMirror } from '@/api/signedIn';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import styles from './MirrorBanner.module.css';

/** Shows whom an internal user mirrors, with the Revert button. */
export default function MirrorBanner() {
  const { mirroredUser } = useSession();
  const [asking, setAsking] = useState(false);
  const [state, setState] = useState<'idle' | 'reverting' | 'failed'>('idle');
  if (!mirroredUser) return null;

  async function revert() {
    setState('reverting');
    try {
      await stopMirror();
    } catch {
      setState('failed');
    }
  }

  return (
    <section className={styles.banner} aria-label="Mirroring">
      <p>{`Mirroring (${mirroredUser.userFirstName} ${mirroredUser.userLastName}) `}</p>
      <Button
        size="small"
        onClick={() => {
          setState('idle');
          setAsking(true);
        }}
      >
        Revert
      </Button>
      <ConfirmDialog
        open={asking}
        title="Are you sure you want to Revert?"
        confirmLabel="YES"
        verb="revert"
        cancelLabel="CANCEL"
        busy={state === 'reverting'}
        onConfirm={revert}
        onCancel={() => setAsking(false)}
      >
        {state === 'failed' && (
          <Banner kind="error">
            Error: An error has occurred. Please try again or contact Customer Service.
          </Banner>
        )}
      </ConfirmDialog>
    </section>
  );
}
