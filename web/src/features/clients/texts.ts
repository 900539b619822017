import { nameNetwork } from '@/shared/nameNetwork';

export const generalError = 'Error: An error has occurred. Please contact Customer Service.';

const noProviders = 'Error: There are no active providers that are participating in the network.';

export const formatNoProviders = () => nameNetwork(noProviders);
