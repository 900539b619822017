import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import type { NewUser } from './newUser';
import type { FormData } from './payload';

/** What the two steps of the wizard know, as the history keeps it: Back and Reload find it, the address shows nothing. */
export interface WizardState {
  /** Whose it is: nobody else's visit finds it. */
  owner: number;
  user: NewUser;
  ftins: string[];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The user typed on Add User, there and back between it and the roster sources. */
    formData?: FormData;
    originalReturnPath?: string;
    timestamp?: number;
    wizard?: WizardState;
  }
}

/** The wizard's state as the visit found it, and how it is kept. */
export function useWizard() {
  const router = useRouter();
  const { user } = useSession();
  const [kept] = useState(() => {
    const { wizard } = router.history.location.state;
    return wizard?.owner === user.id ? wizard : null;
  });
  const stateOf = (state: Omit<WizardState, 'owner'>) => ({ wizard: { ...state, owner: user.id } });
  return {
    kept,
    keep: (state: Omit<WizardState, 'owner'>) =>
      router.navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        state: (before) => ({ ...before, ...stateOf(state) }),
      }),
    stateOf,
  };
}
