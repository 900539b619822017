import type { components } from '@/api/schema';

export type Kind = components['schemas']['AlertCount']['kind'];

interface Figure {
  /** On its tile, and above its list. */
  title: string;
  /** After a number, in a sentence. */
  phrase: string;
}

export const figures: Record<Kind, Figure> = {
  paid: { title: 'Paid', phrase: 'paid' },
  denied: { title: 'Denied', phrase: 'denied' },
  takenBack: { title: 'Taken back', phrase: 'taken back' },
  overdue: { title: "Past the payer's time", phrase: "passed the payer's time" },
  priced: { title: 'Priced', phrase: 'priced' },
  notPriced: { title: 'Could not be priced', phrase: 'could not be priced' },
  received: { title: 'Received', phrase: 'received' },
  replaced: { title: 'Replaced or voided', phrase: 'replaced or voided' },
  documents: { title: 'With new documents', phrase: 'with new documents' },
  watched: { title: 'You watch', phrase: 'of those you watch' },
};

export const kinds = Object.keys(figures) as Kind[];

/** What may be mailed: of what is watched there are mails of their own. */
export const mailed = kinds.filter((kind) => kind !== 'watched');

/** What the screen shows below its figures. */
export interface Criteria {
  kind: Kind;
}

export function read(kept: unknown): Criteria | null {
  const kind = (kept as Criteria | null)?.kind;
  return kind && kinds.includes(kind) ? { kind } : null;
}
