import { config } from '@/api/config';

/** Belongs to internal staff, who do not request accounts at all. */
export function isInternal(email: string): boolean {
  const domain = email.split('@')[1]?.toLowerCase();
  return config().internalDomains.some((internal) => internal.toLowerCase() === domain);
}
