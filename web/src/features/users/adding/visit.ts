import { encryptState, useEncryptedState } from '@/shared/encryptedState';
import type { UserRow } from '@/shared/navigation';
import type { NewUser } from './newUser';
import { formOf } from './payload';

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

export const wizardStateOf = (wizard: WizardState) => encryptState('wizard', wizard);

/** Starts the wizard for a former user's new account. */
export const wizardOf = (user: UserRow) => wizardStateOf({ id: Date.now(), user: formOf(user), ftins: [] });
