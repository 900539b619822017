import { useEffect, useMemo, useState } from 'react';
import { wait } from '@/api/eventStream';
import { checkRoster } from './queries';
import {
  buildForm,
  isReadable,
  type Layouts,
  type ProviderGroup,
  type RosterCheck,
  type RosterType,
} from './roster';

/** The progress of checking the selected files. */
export type Check =
  | { step: 'none' }
  | { step: 'running'; fileName: string; rows: number }
  | { step: 'done'; report: RosterCheck }
  | { step: 'failed'; message: string };

// Milliseconds to wait. The next key in a list selects another group.
const settleDelay = 250;

interface CheckInput {
  group: ProviderGroup | undefined;
  rosterType: RosterType;
  files: readonly File[];
  layouts: Layouts;
  username: string;
  /** Checking isn't allowed, or the files are too large. */
  disabled: boolean;
}

/** Checks the readable files, and restarts after each selection. Outdated checks are aborted. */
export function useCheck({ group, rosterType, files, layouts, username, disabled }: CheckInput) {
  const [check, setCheck] = useState<Check>({ step: 'none' });
  const [attempts, setAttempts] = useState(0);
  const readable = useMemo(() => files.filter(isReadable), [files]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns on each attempt
  useEffect(() => {
    const [first] = readable;
    if (!group || !first || disabled) return setCheck({ step: 'none' });
    const controller = new AbortController();
    const { signal } = controller;
    const update = (next: Check) => {
      if (!signal.aborted) setCheck(next);
    };
    update({ step: 'running', fileName: first.name, rows: 0 });
    wait(settleDelay, signal)
      .then(() =>
        checkRoster(buildForm({ group, rosterType, username }, readable, layouts), signal, ({ file, rows }) =>
          update({ step: 'running', fileName: readable[file]?.name ?? '', rows }),
        ),
      )
      .then(
        (report) => update({ step: 'done', report }),
        (error: Error) => update({ step: 'failed', message: error.message }),
      );
    return () => controller.abort();
  }, [group, rosterType, readable, layouts, username, disabled, attempts]);

  return { check, restart: () => setAttempts((before) => before + 1) };
}
