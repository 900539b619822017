import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Problem } from '@/api/client';
import { toProblem } from '@/shared/apiError';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { sendFile } from '@/shared/useFileUpload';
import { FilePicker } from '@/ui/form/FilePicker';
import { type CaseFile, maxFiles } from './cases';

/** The statuses of a file that can't be read, is too large or can't be checked now. The message says why. */
const refused = [400, 413, 503];

const extensions = ['.pdf', '.tif', '.tiff', '.jpg', '.jpeg', '.png'];
const maxBytes = 25 * 2 ** 20;

/** Returns why a file is refused before it's sent, in the server's words. The server checks its content. */
function refuse({ name, size }: File): string | undefined {
  const extension = /\.\w+$/.exec(name)?.[0].toLowerCase();
  if (extension && !extensions.includes(extension))
    return `${name} isn't a PDF, TIFF, JPEG or PNG file. Scan it, or save it as a PDF.`;
  if (size > maxBytes) return `${name} is larger than 25 MB. Split it, or scan it at a lower resolution.`;
  return size === 0 ? `${name} is empty.` : undefined;
}

/** The files of a message. Each is uploaded once, when the message is sent. */
export function useCaseFiles(isAtDesk: boolean) {
  const [chosen, setChosen] = useState<File[]>([]);
  const [error, setError] = useState('');
  const [sending, setSending] = useState('');
  useUnsavedChanges(chosen.length > 0);
  const uploaded = useRef(new Map<File, number>());
  return {
    chosen,
    error,
    sending,
    choose(files: File[]) {
      const refusals = files.map(refuse);
      const accepted = files.filter((_, i) => !refusals[i]);
      setChosen(accepted.slice(0, maxFiles));
      const limit = accepted.length > maxFiles && `Attach up to ${maxFiles} files.`;
      const messages = [...refusals, limit].filter(Boolean);
      setError(messages.length > 0 ? `Error: ${messages.join(' ')}` : '');
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
    /** The IDs of the files, or undefined for those that aren't uploaded yet. */
    getUploadedIds: () => chosen.map((file) => uploaded.current.get(file)),
    /** Uploads the files again for another message. An earlier request can have stored them with its own. */
    forgetUploads: () => uploaded.current.clear(),
    /** Removes all files, before the caller leaves the page. */
    clear() {
      flushSync(() => setChosen([]));
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
      accept={extensions.join(',')}
      files={chosen}
      error={error || undefined}
      disabled={disabled}
      onChange={choose}
    />
    {sending && <p role="status">Uploading {sending}…</p>}
  </>
);
