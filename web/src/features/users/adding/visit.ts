import type { UserRow } from '@/shared/accounts';
import { encryptState, newWorkId, useEncryptedState } from '@/shared/encryptedState';
import type { NewUser } from './newUser';
import { toForm } from './payload';

/** The state of the wizard's two steps. */
export interface WizardState {
  id: number;
  user: NewUser;
  ftins: string[];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    originalReturnPath?: string;
  }
}

export const useWizard = () => useEncryptedState<WizardState>('wizard');

export const encryptWizard = (wizard: WizardState) => encryptState('wizard', wizard);

/** Starts the wizard for a former user's new account. */
export const startWizard = (user: UserRow) =>
  encryptWizard({ id: newWorkId(), user: toForm(user), ftins: [] });
