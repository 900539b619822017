import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { PasteOrFile } from '@/shared/PasteOrFile';
import type { Criteria } from './criteria';
import { detectSeparator, parseRows } from './paste';
import { formatFailure, useReadColumns, useSendFile } from './queries';

interface Props {
  text: string;
  onText: (text: string) => void;
  /** The user came back to this step, so the field takes the focus. */
  returned: boolean;
  onRead: (criteria: Criteria) => void;
}

/** The list, pasted or as a file. */
export function ListInput({ text, onText, returned, onRead }: Props) {
  const { mirroredUser } = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const columns = useReadColumns();
  const { send, stop, sending, error } = useSendFile();

  useEffect(() => {
    if (returned) field.current?.focus();
  }, [returned]);

  const submit = () => {
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
    <PasteOrFile
      title="Your list"
      text={text}
      onText={(text) => {
        onText(text);
        setProblem('');
        columns.reset();
      }}
      field={field}
      label="Paste a column or a table"
      hint="Copy from Excel, with or without headers. Up to 500 lines here; upload a file for more."
      error={problem || (columns.error ? formatFailure(columns.error) : undefined)}
      file={{
        hint: mirroredUser
          ? "You can't upload files while mirroring. Revert first."
          : "CSV or XLSX, up to 10,000 lines and 5 MB. You'll get the results as a file.",
        accept: '.csv,.xlsx',
        error: error ? formatFailure(error) : undefined,
        disabled: mirroredUser !== undefined,
        sending,
        onStop: stop,
        onChange: (file) => send(file, onRead),
      }}
      submitLabel="Continue"
      busy={columns.isPending}
      onSubmit={submit}
    />
  );
}
