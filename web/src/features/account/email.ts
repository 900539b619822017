import { config } from '@/api/config';

export { isEmail, maxEmail } from '@/shared/validation';

/** Belongs to internal staff, who do not request accounts as strangers do. */
export function isInternal(email: string): boolean {
  const domain = email.split('@')[1]?.toLowerCase();
  return config().internalDomains.some((internal) => internal.toLowerCase() === domain);
}
