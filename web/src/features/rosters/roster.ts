import { z } from 'zod/mini';
import { config } from '@/api/config';
import type { components } from '@/api/schema';
import { columnName, type TableColumn } from '@/shared/tableColumns';
import { pluralize } from '@/ui/pluralize';
import { formatInstant, formatInstantTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';

/* A roster on its way: its form, its limits, and what the check of its files finds. */

export type RosterType = 'full' | 'delta';
export type ProviderGroup = components['schemas']['HubSourceGroup'];

export const groupLabel = ({ grpName, grpId }: ProviderGroup) =>
  grpName ? `${grpName} (${grpId})` : `Group ID: ${grpId}`;

export const rosterSchema = z.object({
  group: z.string().check(z.minLength(1, 'Error: Select Provider Group')),
  rosterType: z.enum(['full', 'delta']),
  files: z.array(z.custom<File>()).check(
    z.minLength(1, 'Error: Please select at least one file to upload'),
    z.superRefine((files, context) => {
      const message = tooMuch(files);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  ),
});

export type Roster = z.infer<typeof rosterSchema>;

export const noRoster: Roster = { group: '', rosterType: 'full', files: [] };

/** Why the server would refuse the files, told before they are sent. */
export function tooMuch(files: readonly File[]): string | undefined {
  const { rosterFileMb, rosterFiles } = config();
  if (files.length > rosterFiles) return `Error: Send ${formatCount(rosterFiles)} files or fewer at once`;
  const large = files.find(({ size }) => size > rosterFileMb * 1024 ** 2);
  if (large)
    return `Error: ${large.name} is larger than ${formatCount(rosterFileMb)} MB. Split it, or remove data that isn't part of the roster.`;
  const empty = files.find(({ size }) => size === 0);
  return empty && `Error: ${empty.name} is empty.`;
}

export const isReadable = ({ name }: File) => /\.(csv|txt|xlsx)$/i.test(name);

/** What the columns of a file are, as a person chose it. */
export interface Layout {
  /** The row that names the columns, counted from 1; 0: none. */
  headerRow: number;
  /** Left out: their headings say it. */
  columns?: { index: number; kind: string }[];
}

/** Of the files whose columns somebody chose. */
export type Layouts = ReadonlyMap<File, Layout>;

/** The form in which files are checked and sent. */
export function formOf(
  { rosterType, group, username }: { rosterType: RosterType; group: ProviderGroup; username: string },
  files: readonly File[],
  layouts: Layouts,
): FormData {
  const form = new FormData();
  form.set('sourceId', String(group.sourceId));
  form.set('groupName', groupLabel(group));
  form.set('groupId', group.grpId);
  form.set('rosterType', rosterType);
  form.set('username', username);
  for (const file of files) form.append('files', file, file.name);
  for (const [n, file] of files.entries()) {
    const layout = layouts.get(file);
    if (layout) form.append('columns', JSON.stringify({ file: n, ...layout }));
  }
  return form;
}

/** Something wrong in a file. */
export interface RowProblem {
  /** In the file, counted from 1. */
  row: number;
  /** Of the template; empty for the row. */
  column: string;
  code: string;
  message: string;
}

/** A column of a file. Its kind is a column of the template. */
export interface FileColumn extends TableColumn {
  /** Values of the first rows, while the file is not sent. */
  sample?: string[];
}

/** What the check of a file found. */
export interface FileCheck {
  fileName: string;
  /** Empty for a file that is taken as it is. */
  format: 'csv' | 'xlsx' | '';
  /** Names the copy with errors; empty where there is none. */
  checkId: string;
  unreadable: string;
  missing: string[];
  ignored: string[];
  /** Other sheets of a workbook: nothing of them is read. */
  sheets: string[];
  /** The row that names the columns; 0: none. */
  headerRow: number;
  /** The rows that could name them, while the file is not sent. */
  headerRows?: number[];
  /** Those with a heading or a value. */
  columns?: FileColumn[];
  /** The sender chose what the columns are; otherwise their headings say it. */
  chosen?: boolean;
  /** When the own group last sent the same content. */
  sentBefore?: { at: string; by: string; fileName: string };
  rows: number;
  badRows: number;
  /** Problems in all, of which the first 500 are listed. */
  found: number;
  problems: RowProblem[];
  providers: number;
  adds: number;
  changes: number;
  terms: number;
}

/** The columns of a file that nobody looked at. */
export const unreadColumns = ({ ignored, columns }: FileCheck): string[] =>
  columns?.filter(({ kind }) => kind === '').map(columnName) ?? ignored;

/** Whether a file has data that nobody looked at, or none at all. */
export const isUnread = (file: FileCheck) =>
  file.rows === 0 || unreadColumns(file).length > 0 || file.sheets.length > 0;

/** What a full roster would change against the last one. */
export interface Comparison {
  before: number;
  add: number;
  change: number;
  end: number;
  mustConfirm: boolean;
}

export interface RosterCheck {
  files: FileCheck[];
  comparison: Comparison | null;
  /** The columns that those of a file can be read as. */
  template?: string[];
}

export interface CheckProgress {
  /** Number of the file, from 0. */
  file: number;
  rows: number;
}

export const wouldEnd = ({ end, before }: Comparison) =>
  `This roster would terminate ${formatCount(end)} of ${formatCount(before)} providers.`;

export const rowsText = (rows: number) => pluralize(rows, 'row');

export type Receiving = components['schemas']['RosterReceiving'];
export type ReceivingState = Receiving['state'];

/** What the network does with a roster, in words. */
export const receivingNames: Record<ReceivingState, string> = {
  NEW: 'New',
  TAKEN: 'Claimed',
  DONE: 'Done',
  RETURNED: 'Returned',
};

/** The same for who sent it. */
export const receivedText = ({ state, at }: Receiving) =>
  state === 'NEW' || !at ? 'Not claimed yet' : `${receivingNames[state]} ${formatInstant(at)}`;

/** Day and time of an instant, where the business is. */
export const sentText = (at: string) => `${formatInstant(at)} ${formatInstantTime(at)}`;
