import { useEffect, useRef, useState } from 'react';
import { upload } from '@/api/upload';

/** A file on its way, in bytes. */
export interface Sending {
  name: string;
  sent: number;
  total: number;
}

export function sendFile<T>(path: string, file: File, watch: Parameters<typeof upload>[2]) {
  const form = new FormData();
  form.append('file', file);
  return upload<T>(path, form, watch);
}

/** Sends a file and reports the progress. It ends with the screen. */
export function useFileUpload<T>(path: string) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  return {
    sending,
    error,
    reset: () => setError(null),
    stop: () => running.current?.abort(),
    async send(file: File, onRead: (answer: T, signal: AbortSignal) => void | Promise<void>) {
      const leaving = new AbortController();
      running.current = leaving;
      setError(null);
      setSending({ name: file.name, sent: 0, total: file.size });
      try {
        const answer = await sendFile<T>(path, file, {
          signal: leaving.signal,
          onProgress: (sent, total) => setSending({ name: file.name, sent, total }),
        });
        await onRead(answer, leaving.signal);
      } catch (error) {
        if (!leaving.signal.aborted) setError(error as Error);
      }
      setSending(null);
    },
  };
}
