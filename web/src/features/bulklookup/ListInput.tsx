import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { FilePicker } from '@/ui/form/FilePicker';
import { TextAreaInput } from '@/ui/form/inputs';
import styles from './bulklookup.module.css';
import { isX12, type Search } from './criteria';
import { detectSeparator, parseRows } from './paste';
import { formatFailure, useReadColumns, useSendFile } from './queries';

interface Props {
  text: string;
  onText: (text: string) => void;
  /** The user came back to this step, so the field takes the focus. */
  returned: boolean;
  onRead: (search: Search) => void;
}

/** The list, pasted or as a file. */
export function ListInput({ text, onText, returned, onRead }: Props) {
  const { mirroredUser } = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const columns = useReadColumns();
  const { send, stop, sending, error } = useSendFile();
  const [pasted, setPasted] = useState(false);
  const failure = error ? formatFailure(error) : undefined;

  useEffect(() => {
    if (returned) field.current?.focus();
  }, [returned]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setPasted(isX12(text));
    if (isX12(text)) {
      if (mirroredUser) setProblem("Error: You can't look up an 837 while mirroring. Revert first.");
      else void send(new File([text], 'Pasted 837.edi', { type: 'text/plain' }), onRead);
      return;
    }
    const separator = detectSeparator(text);
    const lines = parseRows(text, separator);
    if (lines.length === 0) {
      setProblem('Error: Paste at least 1 line');
      field.current?.focus();
      return;
    }
    columns.mutate(lines, {
      onSuccess: (read) => onRead({ list: { from: 'paste', text, separator }, ...read, asked: 0 }),
    });
  };

  return (
    <form className="card" noValidate onSubmit={submit} aria-labelledby="your-list">
      <div className={`card-body ${styles.list}`}>
        <h2 id="your-list">Your list</h2>
        <TextAreaInput
          ref={field}
          label="Paste a column or a table"
          hint="Copy from Excel, with or without headers, or paste an 837. Up to 500 lines here; upload a file for more."
          error={problem || (columns.error ? formatFailure(columns.error) : pasted ? failure : undefined)}
          value={text}
          onChange={({ target }) => {
            onText(target.value);
            setProblem('');
            columns.reset();
          }}
          rows={10}
          spellCheck={false}
          autoComplete="off"
          className={styles.paste}
        />
        <div className={styles.file}>
          <FilePicker
            label="Or select a file"
            prompt="Drop a file here, or"
            noneSelected=""
            hint={
              mirroredUser
                ? "You can't upload files while mirroring. Revert first."
                : 'An 837, CSV or XLSX with up to 10,000 lines and 5 MB.'
            }
            accept=".csv,.xlsx,.edi,.837,.x12,.txt,.dat,.clm"
            error={pasted ? undefined : failure}
            files={[]}
            onChange={([file]) => {
              setPasted(false);
              if (file) void send(file, onRead);
            }}
            disabled={mirroredUser !== undefined || sending !== null}
          />
          {sending && (
            <div className={styles.progress}>
              <p role="status">
                {sending.sent < sending.total || sending.total === 0
                  ? `Uploading ${sending.name}`
                  : `Reading ${sending.name}`}
              </p>
              <progress
                aria-label={`Uploading ${sending.name}`}
                value={sending.sent}
                max={sending.total || 1}
              />
              <Button size="small" onClick={stop}>
                Stop
              </Button>
            </div>
          )}
        </div>
      </div>
      <div className="button-row card-body">
        <Button type="submit" variant="primary" busy={columns.isPending}>
          Continue
        </Button>
      </div>
    </form>
  );
}
