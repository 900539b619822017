import type { SavedSearch } from '@/shared/historyState';

/** The selected provider and the TIN that found it. */
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

/** A provider's page and the search to return to. */
export interface Visit {
  choice: Choice;
  searchInfo: SavedSearch | undefined;
}

/** Returns the choice from the history if its TIN belongs to the current user. */
export function findChoice(tins: readonly string[], stored: Partial<Choice> | undefined): Choice | null {
  const { tin, prvId, prvProviderType } = stored ?? {};
  return tin && tins.includes(tin) && prvId && typeof prvProviderType === 'string'
    ? { tin, prvId, prvProviderType }
    : null;
}

const types: Record<string, string> = { P: 'Physician', F: 'Facility', A: 'Ancillary' };

/** Returns a provider type's name. */
export const formatType = (code: string) => types[code] ?? 'Hospital';
