import { z } from 'zod/mini';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';
import { formatCount, formatPercent } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { capitalize } from '@/ui/text';
import type { FeedFile, Measure, Share, Source, SourceEdit } from './queries';

/* The texts for sources and files, and the input of a source. */

type Tint = 'neutral' | 'success' | 'info' | 'warning' | 'error';

/** Returns a file kind's label. */
export function getKindName(kind: string): string {
  if (kind === '') return 'Unknown';
  if (kind === 'x12') return 'X12';
  if (kind === 'nppes') return 'Registry (NPPES)';
  return capitalize(kind.replace(/^csv-/, '').replaceAll('_', ' '));
}

/** Formats a duration in its largest relevant units. */
export function formatDuration(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  if (minutes < 1) return 'under a minute';
  if (minutes < 120) return pluralize(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** Describes a source's status light. */
export function formatLight({ light, lateFrom }: Source, asOf: string): { text: string; kind: Tint } {
  switch (light) {
    case 'ON_TIME':
      return { text: 'On time', kind: 'success' };
    case 'LATE':
      return { text: `Late by ${formatDuration(lateFrom ?? asOf, asOf)}`, kind: 'error' };
    case 'NEVER':
      return { text: 'Never received', kind: 'error' };
    default:
      return { text: 'No schedule', kind: 'neutral' };
  }
}

const statuses: Record<FeedFile['status'], { text: string; kind: Tint }> = {
  WAITING: { text: 'Waiting', kind: 'info' },
  RUNNING: { text: 'Importing', kind: 'info' },
  DONE: { text: 'Imported', kind: 'success' },
  SAME: { text: 'Already imported', kind: 'neutral' },
  REFUSED: { text: 'Rejected', kind: 'error' },
  CHECKED: { text: 'Validated only', kind: 'neutral' },
  FAILED: { text: 'Interrupted', kind: 'error' },
};

export const statusNames = Object.values(statuses).map(({ text }) => text);

/** Describes a file's status. */
export const formatStatus = ({ status, stopped }: FeedFile): { text: string; kind: Tint } =>
  stopped ? { text: 'Stopped', kind: 'warning' } : statuses[status];

/** Describes how a file arrived. */
export const formatArrival = ({ via, startedBy }: FeedFile): string =>
  via === 'DESK' ? `Uploaded by ${startedBy}` : via === 'FOLDER' ? 'Folder' : 'Command line';

export const getShare = ({ good, counted }: Share) => (counted === 0 ? 0 : good / counted);

/** Formats a share as a percentage; empty without a count. */
export const formatShare = (share: Share) => (share.counted === 0 ? '' : formatPercent(getShare(share)));

export const formatShareCount = ({ good, counted }: Share) =>
  `${formatCount(good)} of ${formatCount(counted)}`;

/** Describes the last day's change from the earlier days. */
export function formatChange({ days, before, verdict }: Measure): { text: string; kind: Tint } {
  const last = days.at(-1);
  if (!last) return { text: 'No data', kind: 'neutral' };
  const points = Math.abs(100 * (getShare(last) - getShare(before))).toFixed(1);
  switch (verdict) {
    case 'WORSE':
      return { text: `Worse by ${points} points`, kind: 'error' };
    case 'BETTER':
      return { text: `Better by ${points} points`, kind: 'success' };
    case 'SAME':
      return { text: 'No change', kind: 'neutral' };
    default:
      return { text: 'First day', kind: 'neutral' };
  }
}

const phases: Record<string, string> = {
  reading: 'Reading the file',
  checking: 'Validating the file',
  keeping: 'Storing the file',
  taking: 'Importing records',
};

export const formatPhase = ({ phase }: FeedFile) => phases[phase] ?? 'Waiting in queue';

export const kinds = {
  name: line(80),
  pattern: line(120),
  expected: line(60),
  ownerMail: line(120),
  grace: line(5),
};

export const sourceSchema = z.object({
  name: boundedText(kinds.name).check(z.minLength(1, 'Error: Enter a name')),
  kind: z.string().check(z.minLength(1, 'Error: Select a file type')),
  pattern: boundedText(kinds.pattern),
  expected: boundedText(kinds.expected),
  graceMinutes: boundedText(kinds.grace).check(z.regex(/^\d{1,5}$/, 'Error: Enter 0 to 10,080 minutes')),
  ownerMail: boundedText(kinds.ownerMail),
});

export type Values = z.infer<typeof sourceSchema>;

export const toValues = (source?: Source): Values => ({
  name: source?.name ?? '',
  kind: source?.kind ?? '',
  pattern: source?.pattern ?? '',
  expected: source?.expected ?? '',
  graceMinutes: String(source?.graceMinutes ?? 60),
  ownerMail: source?.ownerMail ?? '',
});

export const toRequest = (values: Values): SourceEdit => ({
  ...values,
  graceMinutes: Number(values.graceMinutes),
});
