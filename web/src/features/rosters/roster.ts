import { z } from 'zod/mini';
import { getConfig } from '@/api/config';
import type { components } from '@/api/schema';
import { getColumnName, type TableColumn } from '@/shared/tableColumns';
import { formatBusinessDate, formatBusinessTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';

/* A roster being uploaded: its form, its limits and the check results. */

export type RosterType = 'full' | 'delta';
export type ProviderGroup = components['schemas']['HubSourceGroup'];

export const formatGroup = ({ grpName, grpId }: ProviderGroup) =>
  grpName ? `${grpName} (${grpId})` : `Group ID: ${grpId}`;

export const rosterSchema = z.object({
  group: z.string().check(z.minLength(1, 'Error: Select Provider Group')),
  rosterType: z.enum(['full', 'delta']),
  files: z.array(z.custom<File>()).check(
    z.minLength(1, 'Error: Please select at least one file to upload'),
    z.superRefine((files, context) => {
      const message = findLimitProblem(files);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  ),
});

export type Roster = z.infer<typeof rosterSchema>;

export const noRoster: Roster = { group: '', rosterType: 'full', files: [] };

/** Returns why the server would reject the files, before they're sent. */
export function findLimitProblem(files: readonly File[]): string | undefined {
  const { rosterFileMb, rosterFiles } = getConfig();
  if (files.length > rosterFiles) return `Error: Send ${formatCount(rosterFiles)} files or fewer at once`;
  const large = files.find(({ size }) => size > rosterFileMb * 1024 ** 2);
  if (large)
    return `Error: ${large.name} is larger than ${formatCount(rosterFileMb)} MB. Split it, or remove data that isn't part of the roster.`;
  const empty = files.find(({ size }) => size === 0);
  return empty && `Error: ${empty.name} is empty.`;
}

export const isReadable = ({ name }: File) => /\.(csv|txt|xlsx)$/i.test(name);

/** The selected column types of a file. */
export interface Layout {
  /** The header row, counted from 1; 0 if there is none. */
  headerRow: number;
  /** Absent if the headings determine the types. */
  columns?: { index: number; kind: string }[];
}

/** The files with a column selection. */
export type Layouts = ReadonlyMap<File, Layout>;

/** Builds the form for checking and sending files. */
export function buildForm(
  { rosterType, group, username }: { rosterType: RosterType; group: ProviderGroup; username: string },
  files: readonly File[],
  layouts: Layouts,
): FormData {
  const form = new FormData();
  form.set('sourceId', String(group.sourceId));
  form.set('groupName', formatGroup(group));
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

/** Replaces files with new ones of the same name, and returns the replaced ones too. */
export function replaceFiles(before: readonly File[], after: readonly File[]) {
  const replaced = before.filter(
    (file, n) => after[n] === file && after.slice(before.length).some(({ name }) => name === file.name),
  );
  return { files: after.filter((file) => !replaced.includes(file)), replaced };
}

/** A problem in a file. */
export interface RowProblem {
  /** The row in the file, counted from 1. */
  row: number;
  /** The template's column; empty if the problem concerns the row. */
  column: string;
  code: string;
  message: string;
  /** The row's provider by name and NPI. Absent in reports from before it was stored. */
  provider?: string;
  /** The cell's content. */
  value?: string;
}

/** A column of a file. Its kind is a column of the template. */
export interface FileColumn extends TableColumn {
  /** Values of the first rows, only before the file is sent. */
  sample?: string[];
}

/** A file's check results. */
export interface FileCheck {
  fileName: string;
  /** Empty for a file that's accepted unread. */
  format: 'csv' | 'xlsx' | '';
  /** The ID of the copy with errors; empty if there is none. */
  checkId: string;
  unreadable: string;
  missing: string[];
  ignored: string[];
  /** The workbook's other sheets, which aren't read. */
  sheets: string[];
  /** The header row; 0 if there is none. */
  headerRow: number;
  /** The possible header rows, only before the file is sent. */
  headerRows?: number[];
  /** Those with a heading or a value. */
  columns?: FileColumn[];
  /** The sender selected the column types. Otherwise the headings determine them. */
  chosen?: boolean;
  /** When the user's group last sent the same content. */
  sentBefore?: { at: string; by: string; fileName: string };
  rows: number;
  badRows: number;
  /** The total number of problems. Only the first 500 are listed. */
  found: number;
  problems: RowProblem[];
  providers: number;
  adds: number;
  changes: number;
  terms: number;
}

/** Returns a file's ignored columns. */
export const listUnreadColumns = ({ ignored, columns }: FileCheck): string[] =>
  columns?.filter(({ kind }) => kind === '').map(getColumnName) ?? ignored;

/** Reports whether a file has ignored data (also above its headings), or no data. */
export const isUnread = (file: FileCheck) =>
  file.rows === 0 || file.headerRow > 1 || listUnreadColumns(file).length > 0 || file.sheets.length > 0;

/** Reports whether a file should be corrected before it's sent. */
export const hasProblems = ({ unreadable, missing, badRows }: FileCheck) =>
  unreadable !== '' || missing.length > 0 || badRows > 0;

/** The changes from the last roster to a full roster. */
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
  /** The possible column types. */
  template?: string[];
}

export interface CheckProgress {
  /** The file's index, from 0. */
  file: number;
  rows: number;
}

export const countTerminated = ({ end, before }: Comparison) =>
  `This roster would terminate ${formatCount(end)} of ${formatCount(before)} providers.`;

export const formatRowCount = (rows: number) => pluralize(rows, 'row');

export type Receiving = components['schemas']['RosterReceiving'];
export type ReceivingState = Receiving['state'];

/** The network's processing statuses as text. */
export const receivingNames: Record<ReceivingState, string> = {
  NEW: 'New',
  TAKEN: 'Claimed',
  DONE: 'Done',
  RETURNED: 'Returned',
};

/** The same for the sender. */
export const formatReceived = ({ state, at }: Receiving) =>
  state === 'NEW' || !at ? 'Not claimed yet' : `${receivingNames[state]} ${formatBusinessDate(at)}`;

/** A timestamp's date and time in the business time zone. */
export const formatSent = (at: string) => `${formatBusinessDate(at)} ${formatBusinessTime(at)}`;
