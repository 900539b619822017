import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './rosters.module.css';
import type { Sending } from './useSending';

export function UploadOutcome({ sending }: { sending: Sending }) {
  if (sending.step === 'sent')
    return (
      <Banner kind="success" focusOn="sent">
        Roster file has been uploaded successfully.
      </Banner>
    );
  if (sending.step !== 'failed') return null;
  return (
    <Banner kind="error" focusOn={sending.message} title={sending.message}>
      {sending.stored === 'no' ? (
        <p>No files were stored. Your files are still selected below.</p>
      ) : (
        <p>It may have been stored. Check Upload History before you send it again.</p>
      )}
    </Banner>
  );
}

const formatMegabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);

export function UploadProgress({
  sending: { sent, total },
  onStop,
}: {
  sending: Extract<Sending, { step: 'sending' }>;
  onStop: () => void;
}) {
  const isComplete = total > 0 && sent === total;
  return (
    <div className={styles.progress}>
      <p role="status" className={styles.note}>
        {isComplete ? 'Upload complete. Checking and storing the files.' : 'Uploading. Stay on this page.'}
      </p>
      <progress aria-label="Upload" max={total || 1} value={isComplete ? undefined : sent} />
      <span className={styles.facts}>
        {total > 0 && `${formatMegabytes(sent)} of ${formatMegabytes(total)} MB`}
      </span>
      <Button size="small" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}
