import { useHistoryState } from '@/shared/historyState';
import type { MailedLink } from './link';

/** The visit's link parameters. Apart from link.ts, which loads with the start of the program. */
export const useLink = (): MailedLink => useHistoryState().link ?? { token: '', expire: null };
