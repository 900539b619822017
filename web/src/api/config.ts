/** The public settings in /js/config.json. Empty text means not configured. */
export type Config = {
  apiUrl: string;
  resourceUrl: string;
  homePageUrl: string;
  loginPageUrl: string;
  ssoUrl: string;
  legacySignIn: boolean;
  /** Users sign in with an external provider. */
  outsideSignIn: boolean;
  supportPhone: string;
  supportEmail: string;
  brandName: string;
  /** Defaults to the portal's own plain page. */
  termsUrl: string;
  privacyUrl: string;
  version: string;
  organizationName: string;
  /** Email domains of internal staff, who can't request accounts. */
  internalDomains: string[];
  /** The network's website. */
  websiteUrl: string;
  /** The prefix of links in the resource list, which maps to the resource address. */
  resourceAssetPath: string;
  resourceContentPath: string;
  liveChat: boolean;
  /** Roster limits: megabytes per file, and the number of files. */
  rosterFileMb: number;
  rosterFiles: number;
  /** The business time zone, as an IANA name. */
  timeZone: string;
  demo: boolean;
  /** Announcements are on. */
  statusLine: boolean;
};

const defaults: Config = {
  apiUrl: '/api',
  resourceUrl: '',
  homePageUrl: '',
  loginPageUrl: '',
  ssoUrl: '/sso/start',
  legacySignIn: false,
  outsideSignIn: false,
  supportPhone: '',
  supportEmail: '',
  brandName: 'Provider Portal',
  termsUrl: '/terms',
  privacyUrl: '',
  version: '2.3.35',
  organizationName: '',
  internalDomains: [],
  websiteUrl: '',
  resourceAssetPath: '',
  resourceContentPath: '',
  liveChat: false,
  rosterFileMb: 50,
  rosterFiles: 20,
  timeZone: 'America/New_York',
  demo: false,
  statusLine: false,
};

let current = defaults;

/** The current settings, or the defaults until loadConfig has finished. */
export const getConfig = (): Readonly<Config> => current;

/** Users sign in only with an external provider, so the portal's passwords don't work. */
export const isPasswordExternal = () => current.outsideSignIn && !current.legacySignIn;

/** The portal's name within a sentence. The default name isn't a real name. */
export const formatPortalName = () =>
  current.brandName === defaults.brandName ? `the ${defaults.brandName}` : current.brandName;

/** Never fails: without its settings the portal starts with the defaults. */
export async function loadConfig(): Promise<void> {
  try {
    const response = await fetch('/js/config.json');
    current = response.ok ? { ...defaults, ...filterValid(await response.json()) } : defaults;
  } catch {
    current = defaults;
  }
}

/** Reports whether the server responds. */
export const isReachable = (): Promise<boolean> =>
  fetch('/js/config.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Drops values of the wrong type, so that one wrong setting doesn't affect the others. */
function filterValid(settings: unknown): Partial<Config> {
  const valid = Object.entries(settings ?? {}).filter(
    ([name, value]) => getType(value) === getType(defaults[name as keyof Config]) && value !== '',
  );
  return Object.fromEntries(valid);
}

const getType = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
