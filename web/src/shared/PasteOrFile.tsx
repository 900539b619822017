import type { RefObject, SubmitEvent } from 'react';
import { Button } from '@/ui/Button';
import { FilePicker } from '@/ui/form/FilePicker';
import { TextAreaInput } from '@/ui/form/inputs';
import styles from './PasteOrFile.module.css';
import type { Sending } from './useFileUpload';

interface Props {
  /** The heading of the form. */
  title: string;
  text: string;
  onText: (text: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  hint: string;
  /** What is wrong with the text. */
  error?: string;
  file: {
    hint: string;
    accept: string;
    error?: string;
    disabled?: boolean;
    sending: Sending | null;
    onStop: () => void;
    onChange: (file: File) => void;
  };
  submitLabel: string;
  busy: boolean;
  onSubmit: () => void;
}

/** A table from a spreadsheet or another system, pasted or as a file. */
export function PasteOrFile({ title, text, onText, field, label, hint, error, file, ...submit }: Props) {
  const { sending } = file;
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        submit.onSubmit();
      }}
      aria-labelledby="paste-or-file"
    >
      <div className={`card-body ${styles.list}`}>
        <h2 id="paste-or-file">{title}</h2>
        <TextAreaInput
          ref={field}
          label={label}
          hint={hint}
          error={error}
          value={text}
          onChange={({ target }) => onText(target.value)}
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
            hint={file.hint}
            accept={file.accept}
            error={file.error}
            files={[]}
            onChange={([chosen]) => chosen && file.onChange(chosen)}
            disabled={file.disabled || sending !== null}
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
              <Button size="small" onClick={file.onStop}>
                Stop
              </Button>
            </div>
          )}
        </div>
      </div>
      <div className="button-row card-body">
        <Button type="submit" variant="primary" busy={submit.busy}>
          {submit.submitLabel}
        </Button>
      </div>
    </form>
  );
}
