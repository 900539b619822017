/** The public settings the server gives at /js/config.json. Empty text means: not configured. */
export type Config = {
  apiUrl: string;
  resourceUrl: string;
  homePageUrl: string;
  loginPageUrl: string;
  ssoUrl: string;
  legacySignIn: boolean;
  /** People sign in at an outside provider. */
  outsideSignIn: boolean;
  supportPhone: string;
  supportEmail: string;
  brandName: string;
  /** The portal's own plain page where no other is configured. */
  termsUrl: string;
  privacyUrl: string;
  version: string;
  organizationName: string;
  /** E-mail domains of internal staff, who may not request accounts. */
  internalDomains: string[];
  /** The network's own website. */
  websiteUrl: string;
  /** What links in the list of resources start with, and what that becomes below the resource address. */
  resourceAssetPath: string;
  resourceContentPath: string;
  liveChat: boolean;
  /** Limits of a roster: of each file in megabytes, and of their number. */
  rosterFileMb: number;
  rosterFiles: number;
  /** Of the business, as the IANA names it. */
  timeZone: string;
  demo: boolean;
  /** Whether a line can stand above all screens. */
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

/** The settings in force; the defaults until loadConfig has answered. */
export const config = (): Readonly<Config> => current;

/** People sign in at an outside provider alone: no password of the portal's own lets anybody in. */
export const passwordElsewhere = () => current.outsideSignIn && !current.legacySignIn;

/** The portal's name within a sentence: what it is called by default is no name. */
export const portalInText = () =>
  current.brandName === defaults.brandName ? `the ${defaults.brandName}` : current.brandName;

/** Never fails: without its settings the portal starts with the defaults. */
export async function loadConfig(): Promise<void> {
  try {
    const response = await fetch('/js/config.json');
    current = response.ok ? { ...defaults, ...known(await response.json()) } : defaults;
  } catch {
    current = defaults;
  }
}

/** Whether the server answers. */
export const isReachable = (): Promise<boolean> =>
  fetch('/js/config.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Keeps what has the expected type, so that one wrong setting spoils only itself. */
function known(settings: unknown): Partial<Config> {
  const kept = Object.entries(settings ?? {}).filter(
    ([name, value]) => kindOf(value) === kindOf(defaults[name as keyof Config]) && value !== '',
  );
  return Object.fromEntries(kept);
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
