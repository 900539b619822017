import type { KeptSearch } from '@/shared/navigation';

/** The provider whose page is shown, and the TIN under which it was found. */
export interface Choice {
  tin: string;
  prvId: string;
  prvProviderType: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    provider?: Choice;
  }
}

/** Where a provider's page leads back to. */
export interface Visit {
  choice: Choice;
  searchInfo: KeptSearch | undefined;
}

/** The choice that the history keeps, if it is one of the TINs of whoever is here now. */
export function choiceAmong(tins: readonly string[], kept: Partial<Choice> | undefined): Choice | null {
  const { tin, prvId, prvProviderType } = kept ?? {};
  return tin && tins.includes(tin) && prvId && typeof prvProviderType === 'string'
    ? { tin, prvId, prvProviderType }
    : null;
}

const types: Record<string, string> = { P: 'Physician', F: 'Facility', A: 'Ancillary' };

/** The name of a provider's type. */
export const typeOf = (code: string) => types[code] ?? 'Hospital';
