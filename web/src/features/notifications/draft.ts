import type { Difference } from '@/shared/editConflict';
import { encryptState, newWorkId, useEncryptedState } from '@/shared/encryptedState';
import { type Audience, describeAudience, isSameAudience } from './audience';
import {
  formatRecipientCount,
  getRecipientIds,
  getStatus,
  type Notification,
  noValues,
  toValues,
  type Values,
} from './notification';

/** A notification in the form, with its recipients. */
export interface Draft {
  id: number;
  /** The notification as loaded, if it's an edit. */
  editing: Notification | null;
  values: Values;
  recipients: readonly number[];
  /** The audience; null if the recipients are selected individually. */
  audience: Audience | null;
}

/** The visit's draft, with a function to store it. */
export const useDraft = () => useEncryptedState<Draft>('draft');

export const encryptDraft = (draft: Draft) => encryptState('draft', draft);

/** Returns a notification's initial draft, or an empty one. */
export const startDraft = (editing: Notification | null): Draft => ({
  id: newWorkId(),
  editing,
  values: editing ? toValues(editing) : noValues,
  recipients: editing ? getRecipientIds(editing) : [],
  audience: editing?.announced?.audience ?? null,
});

/** Reports whether the draft has unsaved changes. */
export function isChanged({ editing, values, recipients, audience }: Draft): boolean {
  const before = editing ? toValues(editing) : noValues;
  return (
    (Object.keys(before) as (keyof Values)[]).some((field) => before[field] !== values[field]) ||
    !isSameAudience(audience, editing?.announced?.audience ?? null) ||
    (!audience && recipients.join(',') !== (editing?.userNotList ?? ''))
  );
}

/** Reports whether anyone would receive it. */
export const isAddressed = ({ recipients, audience }: Pick<Draft, 'recipients' | 'audience'>): boolean =>
  Boolean(audience) || recipients.length > 0;

const labels: Record<keyof Values, string> = {
  name: 'Notification Name',
  campaign: 'Campaign',
  requestedBy: 'Requested by',
  link: 'Notification Link',
  sendDt: 'Notification Send Date',
};
const fields = Object.keys(labels) as (keyof Values)[];

const hasSameRecipients = (one: Draft, other: Draft) =>
  isSameAudience(one.audience, other.audience) &&
  (one.audience !== null || one.recipients.join() === other.recipients.join());

const describeRecipients = ({ recipients, audience }: Draft) =>
  audience ? `Everyone who matches: ${describeAudience(audience)}` : formatRecipientCount(recipients.length);

/** Lists another administrator's changes to the edited notification. */
export function findDifferences(draft: Draft, stored: Notification): Difference[] {
  const [read, theirs] = [startDraft(draft.editing), startDraft(stored)];
  const found = fields
    .filter((name) => theirs.values[name] !== read.values[name])
    .map((name) => ({
      name,
      label: labels[name],
      theirs: theirs.values[name],
      mine: draft.values[name] === read.values[name] ? null : draft.values[name],
    }));
  if (hasSameRecipients(theirs, read)) return found;
  const mine = hasSameRecipients(draft, read) ? null : describeRecipients(draft);
  return [...found, { name: 'recipients', label: 'Recipients', theirs: describeRecipients(theirs), mine }];
}

/**
 * Returns the stored notification with this user's changes; `mineToo` also for fields that the
 * other user changed.
 */
export function rebaseDraft(draft: Draft, stored: Notification, mineToo: boolean): Draft {
  const [read, theirs] = [startDraft(draft.editing), startDraft(stored)];
  const isMine = (changedHere: boolean, changedThere: boolean) => changedHere && (mineToo || !changedThere);
  const values = { ...theirs.values };
  for (const name of fields)
    if (isMine(draft.values[name] !== read.values[name], theirs.values[name] !== read.values[name]))
      values[name] = draft.values[name];
  const { recipients, audience } = isMine(!hasSameRecipients(draft, read), !hasSameRecipients(theirs, read))
    ? draft
    : theirs;
  return { ...draft, editing: stored, values, recipients, audience };
}

/** Reports whether saving sends it to every user, because nothing narrows the audience. */
export const isForEveryone = (draft: Draft): boolean =>
  draft.audience !== null &&
  Object.entries(draft.audience).every(([part, values]) => part === 'excluded' || values.length === 0) &&
  getStatus(draft.values, true) === 'SCHEDULED';
