import type { ParsedLocation } from '@tanstack/react-router';
import { meetNewest } from '@/shared/addedUser';
import { takeRequest } from './takeRequest';

/** What is done before a screen opens on which a user is added. */
export function arrive(visit: { location: ParsedLocation }): void {
  takeRequest(visit);
  meetNewest(visit);
}
