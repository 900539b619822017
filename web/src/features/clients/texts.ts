import { getConfig } from '@/api/config';

export const generalError = 'Error: An error has occurred. Please contact Customer Service.';

const noProviders = 'Error: There are no active providers that are participating in the network.';

/** Includes the network's name if it's configured. */
export function formatNoProviders(): string {
  const { organizationName } = getConfig();
  return organizationName ? noProviders.replace('the network', () => organizationName) : noProviders;
}
