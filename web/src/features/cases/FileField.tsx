import { useRef, useState } from 'react';
import { Problem } from '@/api/client';
import { toProblem } from '@/shared/apiError';
import { sendFile } from '@/shared/useFileUpload';
import { FilePicker } from '@/ui/form/FilePicker';
import { type CaseFile, maxFiles } from './cases';

/** The statuses of a file that can't be read, is too large or can't be checked now. The message says why. */
const refused = [400, 413, 503];

/** The files of a message. Each is uploaded once, when the message is sent. */
export function useCaseFiles(isAtDesk: boolean) {
  const [chosen, setChosen] = useState<File[]>([]);
  const [error, setError] = useState('');
  const [sending, setSending] = useState('');
  const uploaded = useRef(new Map<File, number>());
  return {
    chosen,
    error,
    sending,
    choose(files: File[]) {
      setChosen(files.slice(0, maxFiles));
      setError(files.length > maxFiles ? `Error: Attach up to ${maxFiles} files` : '');
    },
    /** Uploads what isn't uploaded yet, and returns the IDs. It throws the first error, with its field. */
    async upload(): Promise<number[]> {
      const path = isAtDesk ? '/desk/cases/files' : '/work/cases/files';
      try {
        for (const file of chosen) {
          if (uploaded.current.has(file)) continue;
          setSending(file.name);
          const { id } = await sendFile<CaseFile>(path, file, {
            signal: new AbortController().signal,
            onProgress: () => {},
          });
          uploaded.current.set(file, id);
        }
      } catch (problem) {
        const { status, code, message } = toProblem(problem);
        if (!code || !refused.includes(status)) throw problem;
        setError(`Error: ${message}`);
        throw new Problem(status, code, message, [{ path: 'file', code, message }]);
      } finally {
        setSending('');
      }
      return chosen.flatMap((file) => uploaded.current.get(file) ?? []);
    },
    clear() {
      setChosen([]);
      setError('');
      uploaded.current.clear();
    },
  };
}

interface Props {
  files: ReturnType<typeof useCaseFiles>;
  disabled?: boolean;
}

/** Selects the files of a message. */
export const FileField = ({ files: { chosen, choose, error, sending }, disabled }: Props) => (
  <>
    <FilePicker
      label="Files"
      hint={`Up to ${maxFiles} PDF, TIFF, JPEG or PNG files of 25 MB each`}
      multiple
      accept=".pdf,.tif,.tiff,.jpg,.jpeg,.png"
      files={chosen}
      error={error || undefined}
      disabled={disabled}
      onChange={choose}
    />
    {sending && <p role="status">Uploading {sending}…</p>}
  </>
);
