import { type RefObject, useId, useRef, useState } from 'react';
import { Button, IconButton } from '../Button';
import { CloseIcon, UploadIcon } from '../icons';
import { type FieldProps, getAriaProps, HintAndError, RequiredMark } from './Field';
import fieldStyles from './Field.module.css';
import styles from './FilePicker.module.css';

interface Props extends FieldProps {
  id?: string;
  files: readonly File[];
  onChange: (files: File[]) => void;
  multiple?: boolean;
  /** The accept attribute of the file input. */
  accept?: string;
  disabled?: boolean;
  browseLabel?: string;
  prompt?: string;
  noneSelected?: string;
  /** The file input. Clicking it opens the browser's dialog. */
  inputRef?: RefObject<HTMLInputElement | null>;
}

/**
 * Files selected in the browser's dialog or dropped on the field. With `multiple`, selections
 * add up.
 */
export function FilePicker({
  id: givenId,
  label,
  hint,
  error,
  required,
  inBanner,
  files,
  onChange,
  multiple,
  accept,
  disabled,
  browseLabel = 'Browse…',
  prompt = multiple ? 'Select one or more files' : 'Select a file',
  noneSelected = 'No files selected',
  inputRef,
}: Props) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const ownInput = useRef<HTMLInputElement>(null);
  const input = inputRef ?? ownInput;
  const browse = useRef<HTMLButtonElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);

  const add = (added: FileList | null) => {
    const newFiles = [...(added ?? [])].filter((file) => !files.some((other) => isSameFile(file, other)));
    if (newFiles.length > 0) onChange(multiple ? [...files, ...newFiles] : newFiles.slice(0, 1));
  };
  const remove = (file: File) => {
    onChange(files.filter((other) => other !== file));
    // The clicked button is gone, so the focus stays in the field.
    browse.current?.focus();
  };

  return (
    <fieldset className={fieldStyles.field}>
      <legend className={fieldStyles.label}>
        {label}
        {required && <RequiredMark />}
      </legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping needs a mouse; the button below works by keyboard */}
      <div
        className={styles.drop}
        data-over={isDraggedOver || undefined}
        data-error={error ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setDraggedOver(!disabled);
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setDraggedOver(false);
          if (!disabled) add(event.dataTransfer.files);
        }}
      >
        <UploadIcon className={styles.icon} />
        <span>{prompt}</span>
        <Button
          {...getAriaProps(id, { hint, error })}
          ref={browse}
          size="small"
          disabled={disabled}
          onClick={() => input.current?.click()}
        >
          {browseLabel}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-hidden="true"
          tabIndex={-1}
          multiple={multiple}
          accept={accept}
          disabled={disabled}
          onChange={(event) => {
            add(event.target.files);
            // Allows the same file again after it was removed.
            event.target.value = '';
          }}
        />
      </div>
      <div aria-live="polite">
        {files.length === 0 ? (
          <p className={fieldStyles.hint}>{noneSelected}</p>
        ) : (
          <ul className={styles.files}>
            {files.map((file) => (
              <li key={`${file.name} ${file.size} ${file.lastModified}`} className={styles.file}>
                <span className={styles.name}>{file.name}</span>
                <span className={styles.size}>{formatSize(file.size)}</span>
                <IconButton
                  size="small"
                  label={`Remove ${file.name}`}
                  disabled={disabled}
                  onClick={() => remove(file)}
                >
                  <CloseIcon />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </div>
      <HintAndError id={id} hint={hint} error={error} inBanner={inBanner} />
    </fieldset>
  );
}

const isSameFile = (a: File, b: File) =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(0)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
