import { config } from '../../api/config';

export const maxEmail = 120;

/** Has the form of an e-mail address, by the server's rule. */
export const isEmail = (text: string): boolean =>
  text.length <= maxEmail && /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) && !/[\0- \x7f,;<>"()[\]\\]/.test(text);

/** Belongs to internal staff, who do not request accounts as strangers do. */
export function isInternal(email: string): boolean {
  const domain = email.split('@')[1]?.toLowerCase();
  return config().internalDomains.some((internal) => internal.toLowerCase() === domain);
}
