import { useHanded } from '@/shared/visitState';
import type { MailedLink } from './link';

/** What the link of this visit carries. The start of the program, which takes it from the address, need not have this. */
export const useLink = (): MailedLink => useHanded().link ?? { token: '', expire: null };
