import { formatCount } from './format';

/** 1 bill, 2 bills, 1,000 bills. */
export const pluralize = (n: number, one: string, many = `${one}s`) =>
  `${formatCount(n)} ${n === 1 ? one : many}`;
