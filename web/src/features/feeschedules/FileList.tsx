import { useEffect } from 'react';
import { useSession } from '../../api/session';
import { Stale } from '../../ui/PageState';
import { FileLink } from './FileLink';
import styles from './feeschedules.module.css';
import { useFiles, useRefreshFiles } from './queries';

/** The fee schedules of the acting user in the bell's menu, asked for when it opens. */
export function FileList() {
  const { mirroredUser } = useSession();
  const { data, isError } = useFiles();
  const refresh = useRefreshFiles();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the menu opens
  useEffect(() => void refresh(), []);

  return (
    <section aria-labelledby="bell-fee-schedules" className={styles.list}>
      <h3 id="bell-fee-schedules">Fee Schedules</h3>
      {isError && <Stale onRetry={() => void refresh()}>The list could not be refreshed.</Stale>}
      {data.feeSchedList.length === 0 ? (
        <p>{mirroredUser ? 'This user has no fee schedules.' : 'You have no fee schedules.'}</p>
      ) : (
        <ul className={styles.files}>
          {data.feeSchedList.map((file) => {
            const viewed = file.fileViwed === 'Y';
            return (
              <li key={file.feeSchedRqstId} data-viewed={viewed || undefined}>
                <FileLink file={file} />
                <span>{viewed ? 'Viewed' : 'New'}</span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
