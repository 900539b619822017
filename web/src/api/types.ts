import type { components } from './schema';

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type User = Schemas['User'];
export type MenuEntry = Schemas['MenuEntry'];
