import { useCallback, useEffect, useRef, useState } from 'react';
import { useRefetchFailed } from '@/shared/FailedFeeSchedules';
import { type File, type FileRequest, useFeeScheduleRequests } from './queries';
import { followRequest } from './stream';

/** A request's progress. */
export interface Progress extends FileRequest {
  step: 'submitting' | 'in-process' | 'ready' | 'failed';
  file?: File;
}

/** One request at a time. Closing the dialog doesn't stop it. */
export function useRequest() {
  const { submit, connect, show } = useFeeScheduleRequests();
  const refreshFailed = useRefetchFailed();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);

  const leave = useCallback(() => {
    running.current?.abort();
    running.current = null;
  }, []);
  useEffect(() => leave, [leave]);

  async function requestFile(request: FileRequest) {
    if (running.current) return; // a second click
    running.current = new AbortController();
    const { signal } = running.current;
    const report = (next: Omit<Progress, keyof FileRequest>) => {
      if (!signal.aborted) setProgress({ ...request, ...next });
    };
    report({ step: 'submitting' });
    try {
      const id = await submit(request);
      report({ step: 'in-process' });
      void refreshFailed();
      const files = await followRequest((signal) => connect(id, signal), signal);
      await show(files);
      report({ step: 'ready', file: files.feeSchedList.find(({ feeSchedRqstId }) => feeSchedRqstId === id) });
    } catch {
      report({ step: 'failed' });
      void refreshFailed();
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
