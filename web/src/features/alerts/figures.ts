import type { components } from '@/api/schema';

export type Kind = components['schemas']['AlertCount']['kind'];

interface Figure {
  /** For its tile and its list. */
  title: string;
  /** After a number in a sentence. */
  phrase: string;
}

export const figures: Record<Kind, Figure> = {
  paid: { title: 'Paid', phrase: 'paid' },
  denied: { title: 'Denied', phrase: 'denied' },
  takenBack: { title: 'Payments reversed', phrase: 'with payments reversed' },
  overdue: { title: 'Payer overdue', phrase: 'with the payer overdue' },
  priced: { title: 'Repriced', phrase: 'repriced' },
  notPriced: { title: 'Not repriced', phrase: 'not repriced' },
  received: { title: 'Received', phrase: 'received' },
  replaced: { title: 'Replaced or voided', phrase: 'replaced or voided' },
  documents: { title: 'New documents', phrase: 'with new documents' },
  watched: { title: 'Following', phrase: 'that you follow' },
};

export const kinds = Object.keys(figures) as Kind[];

/** The figures for emails. Followed items have emails of their own. */
export const emailedKinds = kinds.filter((kind) => kind !== 'watched');

/** The list below the figures. */
export interface Criteria {
  kind: Kind;
  /** Of the last 30 days instead of the last visit. */
  history?: boolean;
}

export function read(stored: unknown): Criteria | null {
  const { kind, history = false } = (stored as Criteria | null) ?? {};
  return kind && kinds.includes(kind) ? { kind, history } : null;
}
