import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { PasteOrFile } from '@/shared/PasteOrFile';
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

  const submit = () => {
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
      hint="Copy from Excel, with or without headers, or paste an 837. Up to 500 lines here; upload a file for more."
      error={problem || (columns.error ? formatFailure(columns.error) : pasted ? failure : undefined)}
      file={{
        hint: mirroredUser
          ? "You can't upload files while mirroring. Revert first."
          : 'An 837, CSV or XLSX with up to 10,000 lines and 5 MB.',
        accept: '.csv,.xlsx,.edi,.837,.x12,.txt,.dat,.clm',
        error: pasted ? undefined : failure,
        disabled: mirroredUser !== undefined,
        sending,
        onStop: stop,
        onChange: (file) => {
          setPasted(false);
          void send(file, onRead);
        },
      }}
      submitLabel="Continue"
      busy={columns.isPending || sending !== null}
      onSubmit={submit}
    />
  );
}
