/* How people are reached, by the server's rules. */

export const maxEmail = 120;
export const maxPhone = 15;

/** Has the form of an e-mail address. */
export const isEmail = (text: string): boolean =>
  text.length <= maxEmail && /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) && !/[\0- \x7f,;<>"()[\]\\]/.test(text);

/** At least ten digits, written with whatever usually stands between them. */
export const isPhone = (typed: string): boolean =>
  typed.length <= maxPhone && /^[\d\s().+-]*$/.test(typed) && digitsOf(typed).length >= 10;

export const digitsOf = (typed: string): string => typed.replace(/\D/g, '');
