import { useEffect, useRef, useState } from 'react';
import { Problem } from '@/api/client';
import { sendRoster } from './queries';

/** Asks to confirm that many providers will be terminated. */
export interface Question {
  message: string;
  /** The form's value that confirms. */
  confirmed: string;
}

/** An upload's progress. */
export type Sending =
  | { step: 'none' }
  | { step: 'sending'; sent: number; total: number }
  | { step: 'ask'; question: Question }
  | { step: 'sent' }
  | { step: 'failed'; message: string; stored: 'no' | 'perhaps' };

const noResponse = 'Error: There was a problem uploading the roster files. Please try again later.';

/** One upload at a time. It ends with the screen. */
export function useSending() {
  const [sending, setSending] = useState<Sending>({ step: 'none' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const isSending = sending.step === 'sending';
  useEffect(() => {
    if (!isSending) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isSending]);

  async function send(form: FormData) {
    if (running.current) return; // a second click
    const controller = new AbortController();
    running.current = controller;
    let isComplete = false;
    setSending({ step: 'sending', sent: 0, total: 0 });
    try {
      await sendRoster(form, controller.signal, (sent, total) => {
        isComplete = sent === total;
        setSending({ step: 'sending', sent, total });
      });
      setSending({ step: 'sent' });
    } catch (error) {
      setSending(controller.signal.aborted ? makeStopped(isComplete) : makeFailure(error, isComplete));
    }
    running.current = null;
  }

  return {
    sending,
    send,
    stop: () => running.current?.abort(),
    clear: () => setSending({ step: 'none' }),
  };
}

// After everything is sent, only the history shows whether it was stored.
const getStored = (isComplete: boolean) => (isComplete ? 'perhaps' : 'no');

const makeStopped = (isComplete: boolean): Sending => ({
  step: 'failed',
  message: 'Upload stopped.',
  stored: getStored(isComplete),
});

function makeFailure(error: unknown, isComplete: boolean): Sending {
  // Responses from elsewhere, such as a proxy, don't have a code.
  if (!(error instanceof Problem) || error.status === 0 || error.code === '')
    return { step: 'failed', message: noResponse, stored: getStored(isComplete) };
  if (error.code === 'ROSTER_ENDS_MANY') {
    const number = error.fields.find(({ path }) => path === 'confirmed')?.value;
    return { step: 'ask', question: { message: error.message, confirmed: number ?? 'true' } };
  }
  return { step: 'failed', message: `Error uploading roster files: ${error.message}`, stored: 'no' };
}
