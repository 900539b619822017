import { sealedOf, useSealed } from '@/shared/sealedState';
import { type Audience, sameAudience } from './audience';
import { noValues, recipientsOf, type Values, valuesOf } from './notification';
import type { Notification } from './queries';

/** A notification on the form, with its recipients. */
export interface Draft {
  id: number;
  /** The notification as it was read, when one is edited. */
  editing: Notification | null;
  values: Values;
  recipients: readonly number[];
  /** Whom it is meant for instead; null where the recipients are chosen one by one. */
  audience: Audience | null;
}

/** The draft of this visit, and how it is kept. */
export const useDraft = () => useSealed<Draft>('draft');

export const draftStateOf = (draft: Draft) => sealedOf('draft', draft);

/** A draft to begin with: of a notification, or empty. */
export const draftOf = (editing: Notification | null): Draft => ({
  id: Date.now(),
  editing,
  values: editing ? valuesOf(editing) : noValues,
  recipients: editing ? recipientsOf(editing) : [],
  audience: editing?.announced?.audience ?? null,
});

/** Whether something would be lost with it. */
export function isChanged({ editing, values, recipients, audience }: Draft): boolean {
  const before = editing ? valuesOf(editing) : noValues;
  return (
    (Object.keys(before) as (keyof Values)[]).some((field) => before[field] !== values[field]) ||
    !sameAudience(audience, editing?.announced?.audience ?? null) ||
    (!audience && recipients.join(',') !== (editing?.userNotList ?? ''))
  );
}

/** Whether anybody gets it. */
export const isAddressed = ({ recipients, audience }: Pick<Draft, 'recipients' | 'audience'>): boolean =>
  Boolean(audience) || recipients.length > 0;
