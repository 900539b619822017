import type { components } from './schema';

export type Session = components['schemas']['Session'];
export type User = Session['user'];
