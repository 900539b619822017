import { useEffect, useRef } from 'react';
import { getConfig } from '@/api/config';
import { Button } from '@/ui/Button';
import { formatBusinessDate, formatBusinessTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { DataTable } from '@/ui/table/DataTable';
import type { Column, TableState } from '@/ui/table/state';
import { type SentRoster, useHistory } from './queries';
import { formatReceived, formatRowCount } from './roster';
import styles from './rosters.module.css';

interface Props {
  groupId: number;
  table: TableState;
  onTableChange: (table: TableState) => void;
  /** Takes the focus when the user returns from the upload, whose button had it. */
  focus: boolean;
  onUpload: () => void;
}

export function History({ groupId, table, onTableChange, focus, onUpload }: Props) {
  const { shown } = useHistory(groupId, table);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focus) button.current?.focus();
  }, [focus]);
  return (
    <DataTable
      title="Upload History"
      columns={columns}
      {...shown}
      rowId={({ logId }) => String(logId)}
      empty="No records found"
      failure="Error: Unable to retrieve roster upload history. Please try again later."
      controlled={{ state: table, onChange: onTableChange }}
      toolbar={
        <Button ref={button} variant="primary" onClick={onUpload}>
          UPLOAD...
        </Button>
      }
      pages={{ sizes: [5, 10, 25] }}
    />
  );
}

const formatOptional = (text: string) => text || 'N/A';

export const updateTypes: Record<string, string> = { full: 'Full', delta: 'Partial (A/C/T)' };

const columns: Column<SentRoster>[] = [
  {
    id: 'group',
    header: 'Provider Group',
    value: ({ grpName }) => formatOptional(grpName),
    wrap: true,
    minWidth: '11rem',
  },
  {
    id: 'date',
    header: 'Upload Date',
    value: ({ uploadDt }) => uploadDt,
    text: ({ uploadDt }) => formatOptional(formatBusinessDate(uploadDt)),
    wrap: true,
    minWidth: '6.75rem',
    // The time distinguishes uploads on the same day.
    cell: ({ uploadDt, receiving }) => (
      <>
        {formatOptional(formatBusinessDate(uploadDt))}
        {uploadDt && <span className={styles.facts}> {formatBusinessTime(uploadDt)}</span>}
        {receiving && <span className={styles.received}>{formatReceived(receiving)}</span>}
      </>
    ),
  },
  {
    id: 'type',
    header: 'Update Type',
    value: ({ updateType }) => formatOptional(updateTypes[updateType] ?? ''),
  },
  { id: 'by', header: 'Uploaded By', value: ({ uploadedByUserName }) => formatOptional(uploadedByUserName) },
  {
    id: 'files',
    header: 'File Names',
    value: ({ fileName }) => formatOptional(fileName),
    cell: (roster) => (
      <>
        <Files {...roster} />
        {roster.receiving?.reason && <p className={styles.note}>Returned: {roster.receiving.reason}</p>}
      </>
    ),
    wrap: true,
    minWidth: '15rem',
  },
];

interface FilesProps extends Pick<SentRoster, 'logId' | 'files'> {
  /** Without the check results. */
  plain?: boolean;
}

/** Each original file, with a link that the session cookie authorizes, and its check results. */
export function Files({ logId, files, plain = false }: FilesProps) {
  if (files.length === 0) return 'N/A';
  return (
    <ul className={styles.sent}>
      {files.map(({ number, fileName, checked, unread, rows, badRows }) => {
        const address = `${getConfig().apiUrl}/roster/file/${logId}/${number}`;
        return (
          <li key={number}>
            <a href={address} download>
              {fileName}
            </a>
            {unread && !plain && <span className={styles.facts}>Not checked. {unread}</span>}
            {checked && !plain && (
              <span className={styles.facts}>
                {formatRowCount(rows)}
                {badRows > 0 && (
                  <>
                    , {formatCount(badRows)} with problems{' '}
                    <a href={`${address}/corrected`} download>
                      Copy with errors
                      <span className="visually-hidden"> of {fileName}</span>
                    </a>
                  </>
                )}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
