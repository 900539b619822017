import { useNavigationState } from '@/shared/navigationState';
import type { MailedLink } from './link';

/** The visit's link parameters. Apart from link.ts, which loads with the start of the program. */
export const useLink = (): MailedLink => useNavigationState().link ?? { token: '', expire: null };
