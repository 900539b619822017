import { createMemoryHistory } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { components } from '@/api/schema';
import { fakeServer, listCalls, makeSession, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import type { ListedProvider } from '@/shared/providers';
import { renderScreens, replyWithProviders } from '@/shared/testing';
import DemographicSearchPage from './DemographicSearchPage';
import type { FacilityLocation, License, PhysicianLocation } from './queries';

export const tin = '111111111';
export const physician: ListedProvider = { prvId: 'P1', prvName: 'Hopper, Grace', prvProviderType: 'P' };
export const facility: ListedProvider = { prvId: 'F1', prvName: 'Lakeside Clinic', prvProviderType: 'F' };

export const makeLocation = (part: Partial<PhysicianLocation> = {}): PhysicianLocation => ({
  poflOfcId: 'O1',
  phoOfficeName: 'Lakeside Solon',
  poflPrimaryOfficeFlag: 'N',
  address: '12 Main St, Solon, OH 44139',
  ofcDirectoryPhoneNbr: '4405550100',
  ofcFaxNbr: '4405550101',
  ofcEmailAddress: 'desk@lakeside.example',
  ptcTaxId: tin,
  poflAcceptWcPatientsFlag: 'N',
  details: [],
  ...part,
});

export const makeFacilityLocation = (part: Partial<FacilityLocation> = {}): FacilityLocation => ({
  poflOfcId: 'O1',
  faclocDirectoryLocName: 'Lakeside Solon',
  flfPrimaryLocationFlag: 'N',
  addressString: '12 Main St, Solon, OH 44139',
  faclocDirectoryPhoneNbr: '4405550100',
  faclocFaxNbr: '4405550101',
  faclocEmailAddress: 'desk@lakeside.example',
  flfAcceptWcPatients: 'N',
  services: [],
  specialties: [],
  focuses: [],
  languagues: [],
  ...part,
});

type Physician = components['schemas']['Physician'];

export const makeRecord = (part: Partial<Physician> = {}): Physician => ({
  prvId: 'P1',
  phyLastName: 'Hopper',
  phyFirstName: 'Grace',
  phyMiddleInitial: 'B',
  phyMiddleName: 'Brewster',
  degreeStr: 'MD, MPH',
  phyDateOfBirth: '1966-12-09',
  phyGender: 'F',
  languageStr: 'English, Polish',
  prvNpi: '1234567893',
  lobString: "Workers' Comp",
  ...part,
});

export const makeLicense = (part: Partial<License> = {}): License => ({
  prvId: 'P1',
  ltrLicenseType: 'Medical License',
  plicStateCode: 'OH',
  plicLicenseNbr: 'M000123',
  plicIssueDate: '2011-07-01',
  plicExpirationDate: '2028-06-30',
  lsrStatus: 'Active',
  ...part,
});

/** A server with one physician and one facility, with only their basic records. */
const directory: Replies = {
  'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '222222222' }, { ftin: tin }] },
  'POST /provider/page': replyWithProviders({ [tin]: [physician, facility] }),
  'GET /provider/Phys/P1': { body: makeRecord() },
  'GET /provider/Phys/Spec/P1': { body: [] },
  'GET /provider/Phys/Loc/P1': { body: [] },
  'GET /provider/Phys/Lic/P1': { body: [] },
  'GET /provider/facility/F1': {
    body: { prvId: 'F1', faclFacilityName: 'Lakeside Clinic', faclTaxId: tin, prvNpi: null, fLob: 'Auto' },
  },
  'GET /provider/facility/Loc/F1': { body: [] },
  'GET /provider/Fac/Lic/F1': { body: [] },
};

/**
 * Shows the screen with these replies, and the directory for all others. The history starts on
 * another page.
 */
export function show(replies: Replies = {}, session: Session = makeSession()) {
  const made = fakeServer(Object.assign(replies, { ...directory, ...replies }));
  const history = createMemoryHistory({ initialEntries: ['/before'] });
  history.push('/search');
  const screens = { '/search': DemographicSearchPage, '/before': () => <h1>Elsewhere</h1> };
  const draw = () => renderScreens(screens, session, { history });
  let drawn = draw();
  return {
    /** The requests in order. */
    calls: () => listCalls(made),
    history,
    /** Reloads the page, but preserves the history. */
    reload() {
      drawn.unmount();
      drawn = draw();
    },
  };
}

export const picker = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Select Tax ID' });

export async function choose(ftin = tin) {
  await userEvent.click(await picker());
  await userEvent.click(await screen.findByRole('option', { name: ftin, hidden: true }));
}

/** Shows a provider's page. */
export async function open({ prvName }: ListedProvider, replies: Replies = {}) {
  const shown = show(replies);
  await choose();
  await userEvent.click(await screen.findByRole('button', { name: prvName }));
  return shown;
}

export const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
/** Finds a section's button when its hint matches. */
export const section = (name: string, hint: RegExp | string = /on file$/) =>
  screen.findByRole('button', {
    name: (text) =>
      text.startsWith(name) && (typeof hint === 'string' ? text.endsWith(hint) : hint.test(text)),
  });
export const expand = async (name: string) => userEvent.click(await section(name));

/** A table's cells, row by row. */
export const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(2)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
export const headers = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
/** The column that sorts a table. */
export const sorted = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('columnheader')
    .filter((head) => head.getAttribute('aria-sort') === 'ascending')
    .map(({ textContent }) => textContent);

/** The facts of General Information, name and value. */
export const facts = () =>
  screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent ?? null]);
