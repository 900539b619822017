import { useEffect, useMemo, useState } from 'react';
import { pause } from '@/api/eventStream';
import { checkRoster } from './queries';
import {
  formOf,
  isReadable,
  type Layouts,
  type ProviderGroup,
  type RosterCheck,
  type RosterType,
} from './roster';

/** How far the check of the chosen files is. */
export type Check =
  | { step: 'none' }
  | { step: 'running'; fileName: string; rows: number }
  | { step: 'done'; report: RosterCheck }
  | { step: 'failed'; message: string };

// The next key in a list chooses the next group.
const settleFor = 250;

interface Chosen {
  group: ProviderGroup | undefined;
  rosterType: RosterType;
  files: readonly File[];
  layouts: Layouts;
  username: string;
  /** Nothing may be checked, or the files are too large. */
  disabled: boolean;
}

/** Checks the files that can be read, anew whenever something is chosen; a check that is no longer wanted ends. */
export function useCheck({ group, rosterType, files, layouts, username, disabled }: Chosen) {
  const [check, setCheck] = useState<Check>({ step: 'none' });
  const [attempts, setAttempts] = useState(0);
  const readable = useMemo(() => files.filter(isReadable), [files]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another check
  useEffect(() => {
    const [first] = readable;
    if (!group || !first || disabled) return setCheck({ step: 'none' });
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell = (next: Check) => {
      if (!signal.aborted) setCheck(next);
    };
    tell({ step: 'running', fileName: first.name, rows: 0 });
    pause(settleFor, signal)
      .then(() =>
        checkRoster(formOf({ group, rosterType, username }, readable, layouts), signal, ({ file, rows }) =>
          tell({ step: 'running', fileName: readable[file]?.name ?? '', rows }),
        ),
      )
      .then(
        (report) => tell({ step: 'done', report }),
        (error: Error) => tell({ step: 'failed', message: error.message }),
      );
    return () => leaving.abort();
  }, [group, rosterType, readable, layouts, username, disabled, attempts]);

  return { check, again: () => setAttempts((before) => before + 1) };
}
