import { useCallback, useEffect, useRef, useState } from 'react';
import { useRefetchFailed } from '@/shared/FailedFeeSchedules';
import { type Asked, type File, useFeeScheduleRequests } from './queries';
import { followRequest } from './stream';

/** A request's progress. */
export interface Progress extends Asked {
  step: 'submitting' | 'in-process' | 'ready' | 'failed';
  file?: File;
}

/** One request at a time. Closing the dialog doesn't stop it. */
export function useRequest() {
  const { submit, connect, show } = useFeeScheduleRequests();
  const refreshLost = useRefetchFailed();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);

  const leave = useCallback(() => {
    running.current?.abort();
    running.current = null;
  }, []);
  useEffect(() => leave, [leave]);

  async function requestFile(asked: Asked) {
    if (running.current) return; // a second click
    running.current = new AbortController();
    const { signal } = running.current;
    const tell = (next: Omit<Progress, keyof Asked>) => {
      if (!signal.aborted) setProgress({ ...asked, ...next });
    };
    tell({ step: 'submitting' });
    try {
      const id = await submit(asked);
      tell({ step: 'in-process' });
      void refreshLost();
      const files = await followRequest((signal) => connect(id, signal), signal);
      await show(files);
      tell({ step: 'ready', file: files.feeSchedList.find(({ feeSchedRqstId }) => feeSchedRqstId === id) });
    } catch {
      tell({ step: 'failed' });
      void refreshLost();
    }
  }

  return {
    progress,
    requestFile,
    again() {
      leave();
      if (progress) void requestFile(progress);
    },
    close() {
      leave();
      setProgress(null);
    },
  };
}
