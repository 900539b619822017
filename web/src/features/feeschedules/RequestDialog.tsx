import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Loading } from '@/ui/PageState';
import { FileLink } from './FileLink';
import styles from './feeschedules.module.css';
import type { Progress } from './useRequest';

interface Props {
  progress: Progress;
  onAgain: () => void;
  onClose: () => void;
}

/**
 * Follows a request until its file is ready. If users close it earlier, they find the file in
 * the bell.
 */
export function RequestDialog({ progress: { code, step, file }, onAgain, onClose }: Props) {
  const { can } = useSession();
  return (
    <Dialog
      open
      title={`Fee schedule ${code.nationalRateCd}`}
      onClose={onClose}
      keepOnClickOutside
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {step === 'failed' && (
            <Button variant="primary" onClick={onAgain}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <div className={styles.progress}>
        {step === 'submitting' && <Loading>Submitting your request...</Loading>}
        {step === 'in-process' && (
          <Banner kind="info">
            Your request is in progress, and you will be notified once it is available.
          </Banner>
        )}
        {step === 'in-process' && (
          <Loading>
            You can close this window and keep working. The file will appear under the bell icon when it's
            ready.
            {can('feeSchedules.lost') &&
              " If we can't create it, you'll see a message on this page and in Today."}
          </Loading>
        )}
        {step === 'ready' && (
          <Banner kind="success" title="The fee schedule is available.">
            {file ? <FileLink file={file} className={styles.link} /> : <p>The bell at the top lists it.</p>}
          </Banner>
        )}
        {step === 'failed' && (
          <Banner kind="error">Your request could not be submitted, please retry.</Banner>
        )}
      </div>
    </Dialog>
  );
}
