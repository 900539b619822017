import { Problem } from '@/api/client';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatCount } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { getExportUrl, useExportStatus } from './queries';
import styles from './remittances.module.css';

/** The progress of a file with several remittances, and its download link. */
export function ZipDialog({ id, count, onClose }: { id: number; count: number; onClose: () => void }) {
  const { data, error, refetch } = useExportStatus(id);
  const ready = data?.ready ?? 0;
  const status = data?.status ?? 'QUEUED';
  return (
    <Dialog
      open
      size="small"
      title="Download as ZIP"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {status === 'DONE' && !error && (
            // If the download fails, the browser only reports a missing file. The refetch shows
            // the reason here.
            <LinkButton variant="primary" href={getExportUrl(id)} download onClick={() => void refetch()}>
              Download
            </LinkButton>
          )}
        </>
      }
    >
      {status === 'FAILED' || error ? (
        <Banner kind="error">
          {error instanceof Problem && error.status === 404
            ? `Error: ${error.message}`
            : "Couldn't create the file. Try again."}
        </Banner>
      ) : (
        <div className={styles.zip}>
          <p role="status">
            {status === 'DONE'
              ? `Your file with ${pluralize(count, 'remittance')} is ready. Download it before you close this window.`
              : `Added ${formatCount(ready)} of ${formatCount(count)} remittances…`}
          </p>
          <progress max={count} value={status === 'DONE' ? count : ready} aria-label="Remittances added" />
          <p className={styles.small}>
            For each remittance, the ZIP includes the remittance advice (PDF), service lines (CSV) and the
            original 835 if available.
          </p>
        </div>
      )}
    </Dialog>
  );
}
