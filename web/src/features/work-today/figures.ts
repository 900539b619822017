import type { components } from '@/api/schema';

export type Kind = components['schemas']['AlertCount']['kind'];

interface Figure {
  /** On its tile, and above its list. */
  title: string;
  /** After a number, in a sentence. */
  told: string;
}

export const figures: Record<Kind, Figure> = {
  paid: { title: 'Paid', told: 'paid' },
  denied: { title: 'Denied', told: 'denied' },
  takenBack: { title: 'Taken back', told: 'taken back' },
  overdue: { title: "Past the payer's time", told: "passed the payer's time" },
  priced: { title: 'Priced', told: 'priced' },
  notPriced: { title: 'Could not be priced', told: 'could not be priced' },
  received: { title: 'Received', told: 'received' },
  replaced: { title: 'Replaced or voided', told: 'replaced or voided' },
  documents: { title: 'With new documents', told: 'with new documents' },
  watched: { title: 'You watch', told: 'of those you watch' },
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
