import type { ParsedLocation } from '@tanstack/react-router';
import { restoreNewest } from '@/shared/addedUser';
import { takeRequest } from './takeRequest';

/** Runs before a screen that adds a user opens. */
export function prepareVisit(visit: { location: ParsedLocation }): void {
  takeRequest(visit);
  restoreNewest(visit);
}
