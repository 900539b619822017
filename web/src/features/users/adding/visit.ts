import type { UserRow } from '@/shared/navigation';
import { encryptState, useEncryptedState } from '@/shared/encryptedState';
import type { NewUser } from './newUser';
import { formOf } from './payload';

/** What the two steps of the wizard know. */
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

/** The wizard for a new account of whoever had one. */
export const wizardOf = (user: UserRow) => wizardStateOf({ id: Date.now(), user: formOf(user), ftins: [] });
