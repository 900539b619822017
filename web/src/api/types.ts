import type { components } from './schema';

export type Session = components['schemas']['Session'];
export type User = Session['user'];

/** Why a session ended. The sign-in screen shows it. */
export type Ending =
  | { reason: 'signed-out' | 'expired' | 'refused' | 'proof' }
  | { reason: 'idle'; minutes: number };
