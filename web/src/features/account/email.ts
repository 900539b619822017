import { getConfig } from '@/api/config';

/** Reports whether the address belongs to internal staff, who can't request accounts. */
export function isInternal(email: string): boolean {
  const domain = email.split('@')[1]?.toLowerCase();
  return getConfig().internalDomains.some((internal) => internal.toLowerCase() === domain);
}
