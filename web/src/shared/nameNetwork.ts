import { getConfig } from '@/api/config';

/** Replaces "the network" with its name if it's configured. */
export function nameNetwork(text: string): string {
  const { organizationName } = getConfig();
  return organizationName ? text.replace('the network', () => organizationName) : text;
}
