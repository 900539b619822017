import type { ParsedLocation } from '@tanstack/react-router';
import { meetNewest } from '@/shared/addedUser';
import { takeRequest } from './takeRequest';

/** Runs before a screen that adds a user opens. */
export function arrive(visit: { location: ParsedLocation }): void {
  takeRequest(visit);
  meetNewest(visit);
}
