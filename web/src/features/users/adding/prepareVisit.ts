import type { ParsedLocation } from '@tanstack/react-router';
import { restoreNewest } from '@/shared/addedUser';
import { moveRequestToState } from './requestLink';

/** Runs before a screen that adds a user opens. */
export function prepareVisit(visit: { location: ParsedLocation }): void {
  moveRequestToState(visit);
  restoreNewest(visit);
}
