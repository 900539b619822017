import { useState } from 'react';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FilePicker } from '@/ui/form/FilePicker';
import { Progress } from '@/ui/Progress';
import styles from './feeds.module.css';
import { type FeedFile, useUpload } from './queries';

const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

/** Uploads a file: validates it only, or puts it into the watched folder for import. */
export function UploadFile({ takes, onBrought }: { takes: boolean; onBrought: (file: FeedFile) => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const { bringing, bring, stop, clear } = useUpload((brought) => {
    setFiles([]);
    onBrought(brought);
  });
  const [file] = files;
  const sending = bringing.step === 'sending';
  return (
    <section className="card" aria-labelledby="bring-file">
      <div className={styles.body}>
        <h2 id="bring-file">Upload file</h2>
        {takes ? (
          <>
            {bringing.step === 'failed' && (
              <Banner kind="error" focusOn={bringing.message} title={bringing.message} />
            )}
            <FilePicker
              label="File"
              prompt="Drop a file here, or"
              hint="The file name sets its type, as in the watched folder. Examples: payments.835, claims-2026-11.csv. Validate only doesn't import anything."
              files={files}
              onChange={(next) => {
                setFiles(next);
                clear();
              }}
              disabled={sending}
            />
            {bringing.step === 'sending' && (
              <p role="status">
                Uploading (MB):{' '}
                <Progress
                  label="Sent"
                  done={megabytes(bringing.sent)}
                  of={Math.max(1, megabytes(bringing.total))}
                />
              </p>
            )}
            <div className="button-row">
              <Button disabled={!file || sending} onClick={() => file && void bring(file, true)}>
                Validate only
              </Button>
              <Button
                variant="primary"
                disabled={!file || sending}
                onClick={() => file && void bring(file, false)}
              >
                Import
              </Button>
              {sending && <Button onClick={stop}>Stop</Button>}
            </div>
          </>
        ) : (
          <p>
            Uploads are off because no folder is watched. To turn them on, set <code>WCPP_FEED_URL</code> to a
            folder and restart the portal.
          </p>
        )}
      </div>
    </section>
  );
}
