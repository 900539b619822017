import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { neverReplies, replyTo } from '@/api/testing';
import {
  expand,
  facility,
  facts,
  headers,
  heading,
  makeFacilityLocation,
  makeLicense,
  makeLocation,
  makeRecord,
  open,
  physician,
  rows,
  section,
  sorted,
  tin,
} from './testing';

const retrieval = 'Error: There was an error retrieving data. Please try again or contact Customer Service.';
const viewDetails = (of: string) => screen.queryByRole('button', { name: `View Details of ${of}` });
const close = async (dialog: HTMLElement) => {
  await userEvent.click(within(dialog).getByRole('button', { name: 'CLOSE' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};

describe('a physician', () => {
  it('is shown with general information, the other sections closed', async () => {
    await open(physician);
    await heading('Physician - Hopper, Grace B');
    expect(facts()).toEqual([
      ['First Name', 'Grace'],
      ['Middle Name', 'Brewster'],
      ['Last Name', 'Hopper'],
      ['Degrees', 'MD, MPH'],
      ['Date of Birth', '12/09/1966'],
      ['Gender', 'F'],
      ['Languages', 'English, Polish'],
      ['TIN', tin],
      ['NPI', '1234567893'],
      ['LOB', "Workers' Comp"],
    ]);
    expect((await section('General Information', '')).getAttribute('aria-expanded')).toBe('true');
    for (const name of ['Specialties', 'Locations', 'Licenses'])
      expect((await section(name, 'None on file')).getAttribute('aria-expanded')).toBe('false');
  });

  it('without a middle name has no extra space in its title', async () => {
    await open(physician, {
      'GET /provider/Phys/P1': {
        body: makeRecord({ phyLastName: 'Ng', phyFirstName: 'Ada', phyMiddleInitial: '' }),
      },
    });
    expect((await heading('Physician - Ng, Ada')).textContent).toBe('Physician - Ng, Ada');
  });

  it('loads section by section', async () => {
    const { calls } = await open(physician, { 'GET /provider/Phys/Loc/P1': neverReplies });
    await section('Specialties', 'None on file');
    await section('Locations', 'Loading...');
    await section('Licenses', 'Loading...');
    expect(calls().slice(2)).toEqual([
      'GET /provider/Phys/P1',
      'GET /provider/Phys/Spec/P1',
      'GET /provider/Phys/Loc/P1',
    ]);
    await userEvent.click(await section('Locations', 'Loading...'));
    expect(screen.getByText('Please wait while we retrieve data.')).toBeTruthy();
  });

  it('loads licenses last', async () => {
    const { calls } = await open(physician);
    await section('Licenses', 'None on file');
    expect(calls().at(-1)).toBe('GET /provider/Phys/Lic/P1');
  });

  it('lists specialties by rank', async () => {
    await open(physician, {
      'GET /provider/Phys/Spec/P1': {
        body: [
          { specDesc: 'Pain Medicine', srrRank: 10 },
          { specDesc: 'Surgery', srrRank: 2 },
        ],
      },
    });
    await expand('Specialties');
    expect(headers('Specialties')).toEqual(['Specialty Description', 'Rank']);
    expect(rows('Specialties')).toEqual([
      ['Surgery', '2'],
      ['Pain Medicine', '10'],
    ]);
    expect(sorted('Specialties')).toEqual(['Rank']);
  });

  it('lists locations by office, with the primary one marked, five per page', async () => {
    const more = ['B', 'C', 'D', 'E'].map((name) => makeLocation({ poflOfcId: name, phoOfficeName: name }));
    await open(physician, {
      'GET /provider/Phys/Loc/P1': {
        body: [
          ...more,
          makeLocation({ poflOfcId: 'Z', phoOfficeName: 'zeta', ptcTaxId: '012345678' }),
          makeLocation({
            poflOfcId: 'O1',
            phoOfficeName: 'alpha',
            poflPrimaryOfficeFlag: 'Y',
            poflAcceptWcPatientsFlag: 'Y',
            details: [{ fsrShortDesc: 'X-ray' }],
          }),
        ],
      },
    });
    await expand('Locations');
    expect(headers('Locations')).toEqual([
      'Office Name',
      'Address',
      'Phone',
      'Fax',
      'Email',
      'Tax ID',
      'Accepts WC Patients',
      'Details',
    ]);
    expect(sorted('Locations')).toEqual(['Office Name']);
    expect(rows('Locations')).toHaveLength(5);
    expect(rows('Locations')[0]).toEqual([
      'alpha PPrimary',
      '12 Main St, Solon, OH 44139',
      '440-555-0100',
      '440-555-0101',
      'desk@lakeside.example',
      tin,
      'Yes',
      'View Details of alpha',
    ]);
    expect(rows('Locations')[1]?.slice(-2)).toEqual(['No', '']);
    expect(screen.getAllByTitle('Primary').map(({ textContent }) => textContent)).toEqual(['PPrimary']);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(rows('Locations').map(([name]) => name)).toEqual(['zeta']);
  });

  it("shows a location's services in a dialog", async () => {
    const names = ['X-ray', 'drug screening', 'MRI', 'Injections', 'Bracing', 'Acupuncture'];
    await open(physician, {
      'GET /provider/Phys/Loc/P1': {
        body: [
          makeLocation({ details: names.map((fsrShortDesc) => ({ fsrShortDesc })) }),
          makeLocation({ poflOfcId: 'O2', phoOfficeName: 'Lakeside Parma' }),
        ],
      },
    });
    await expand('Locations');
    expect(viewDetails('Lakeside Parma')).toBeNull();
    await userEvent.click(viewDetails('Lakeside Solon') as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Location Focus for Lakeside Solon' });
    expect(rows('Services').flat()).toEqual([
      'Acupuncture',
      'Bracing',
      'drug screening',
      'Injections',
      'MRI',
    ]);
    await userEvent.click(within(dialog).getByRole('button', { name: /^Services/ }));
    expect(rows('Services')[0]).toEqual(['X-ray']);
    await userEvent.type(within(dialog).getByLabelText('Filter by Services'), 'DRUG');
    expect(rows('Services')).toEqual([['drug screening']]);
    await close(dialog);
    expect(document.activeElement).toBe(viewDetails('Lakeside Solon'));
  });

  it('lists licenses by type, with formatted dates', async () => {
    await open(physician, {
      'GET /provider/Phys/Lic/P1': {
        body: [
          makeLicense(),
          makeLicense({ ltrLicenseType: 'DEA Registration', plicIssueDate: '', lsrStatus: 'Expired' }),
        ],
      },
    });
    await expand('Licenses');
    expect(headers('Licenses')).toEqual([
      'Type',
      'State',
      'License Number',
      'Issue Date',
      'Expiration Date',
      'Status',
    ]);
    expect(rows('Licenses')).toEqual([
      ['DEA Registration', 'OH', 'M000123', '', '06/30/2028', 'Expired'],
      ['Medical License', 'OH', 'M000123', '07/01/2011', '06/30/2028', 'Active'],
    ]);
    expect(sorted('Licenses')).toEqual(['Type']);
    expect(within(screen.getByRole('navigation')).getByLabelText<HTMLSelectElement>(/Rows/).value).toBe('5');
  });

  it('leaves open sections open when another one opens', async () => {
    await open(physician);
    await expand('Licenses');
    await expand('Locations');
    for (const [name, hint] of [
      ['General Information', ''],
      ['Licenses', 'file'],
      ['Locations', 'file'],
    ])
      expect((await section(name as string, hint)).getAttribute('aria-expanded')).toBe('true');
  });
});

describe('a facility', () => {
  it('shows general information, with an empty NPI if there is none', async () => {
    const { calls } = await open(facility);
    await heading('Facility - Lakeside Clinic');
    expect(facts()).toEqual([
      ['Facility Name', 'Lakeside Clinic'],
      ['TIN', tin],
      ['NPI', ''],
      ['LOB', 'Auto'],
    ]);
    await section('Licenses', 'None on file');
    expect(screen.queryByText('Specialties')).toBeNull();
    expect(calls().slice(2)).toEqual([
      'GET /provider/facility/F1',
      'GET /provider/facility/Loc/F1',
      'GET /provider/Fac/Lic/F1',
    ]);
  });

  it('lists locations by name, with details if there are services', async () => {
    await open(facility, {
      'GET /provider/facility/Loc/F1': {
        body: [
          makeFacilityLocation({ languagues: [{ lngLanguageName: 'Polish' }] }),
          makeFacilityLocation({
            poflOfcId: 'O2',
            faclocDirectoryLocName: 'bay Village',
            flfPrimaryLocationFlag: 'Y',
            flfAcceptWcPatients: 'Y',
          }),
        ],
      },
    });
    await expand('Locations');
    expect(headers('Locations')).toEqual([
      'Name',
      'Address',
      'Phone',
      'Fax',
      'Email Address',
      'Accepting New WC?',
      'Additional Information',
    ]);
    expect(sorted('Locations')).toEqual(['Name']);
    const where = ['12 Main St, Solon, OH 44139', '440-555-0100', '440-555-0101', 'desk@lakeside.example'];
    expect(rows('Locations')).toEqual([
      ['bay Village PPrimary', ...where, 'Yes', ''],
      ['Lakeside Solon', ...where, 'No', 'View Details of Lakeside Solon'],
    ]);
    await userEvent.click(viewDetails('Lakeside Solon') as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Location: Lakeside Solon' });
    expect(within(dialog).getAllByRole('table')).toHaveLength(1);
    expect(rows('Languages')).toEqual([['Polish']]);
    await close(dialog);
  });

  it("shows all four tables of a location's services", async () => {
    await open(facility, {
      'GET /provider/facility/Loc/F1': {
        body: [
          makeFacilityLocation({
            services: [{ fsrShortDesc: 'X-ray' }, { fsrShortDesc: 'MRI' }],
            specialties: [{ specDesc: 'Radiology' }],
            focuses: [{ focusShortDesc: 'Shoulder' }, { focusShortDesc: 'Knee' }],
            languagues: [{ lngLanguageName: 'English' }],
          }),
        ],
      },
    });
    await expand('Locations');
    await userEvent.click(viewDetails('Lakeside Solon') as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Location: Lakeside Solon' });
    const shown = within(dialog)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => [textContent, ...rows(textContent ?? '').flat()]);
    expect(shown).toEqual([
      ['Services', 'MRI', 'X-ray'],
      ['Specialties', 'Radiology'],
      ['Focuses', 'Knee', 'Shoulder'],
      ['Languages', 'English'],
    ]);
    await close(dialog);
  });
});

describe('while loading', () => {
  it.each([
    [physician, 'GET /provider/Phys/P1', 'Physician', 'Loading Physician...'],
    [facility, 'GET /provider/facility/F1', 'Facility', 'Loading facility...'],
  ])('shows so (%#)', async (provider, call, title, text) => {
    await open(provider, { [call]: neverReplies });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(await heading(title)).toBe(document.activeElement);
    expect(screen.getAllByRole('button', { name: 'Back to Demographic Search' })).toHaveLength(2);
  });
});

describe('after a failure', () => {
  it.each([
    [physician, 'GET /provider/Phys/P1', 404, 'Error loading Physician data.'],
    [physician, 'GET /provider/Phys/P1', 500, 'Error loading Physician data.'],
    [facility, 'GET /provider/facility/F1', 404, 'Error loading Facility data.'],
    [facility, 'GET /provider/facility/F1', 500, 'Error loading Facility data.'],
  ])('the record (%#) can be loaded again', async (provider, call, status, text) => {
    let failing = true;
    const record = { body: makeRecord() };
    const { calls } = await open(
      provider,
      replyTo(call, () => (failing ? { status } : record)),
    );
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    expect(screen.queryByText('General Information')).toBeNull();
    expect(calls().at(-1)).toBe(call);
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await section('General Information', '')).toBeTruthy();
  });

  const message = 'The directory is busy.';
  const failed = (call: string) => replyTo(call, { status: 503, body: { message } });
  it.each([
    [physician, 'GET /provider/Phys/Spec/P1', 'Specialties', retrieval],
    [
      physician,
      'GET /provider/Phys/Loc/P1',
      'Locations',
      `Error GETTING THE PROVIDER Physician location ${message}`,
    ],
    [physician, 'GET /provider/Phys/Lic/P1', 'Licenses', 'Error loading Physician licenses data.'],
    [
      facility,
      'GET /provider/facility/Loc/F1',
      'Locations',
      `Error GETTING THE PROVIDER Facility location ${message}`,
    ],
    [facility, 'GET /provider/Fac/Lic/F1', 'Licenses', 'Error loading Physician licenses data.'],
  ])('one section (%#) can be missing, and the others show', async (provider, call, title, text) => {
    const replies = failed(call);
    const { calls } = await open(provider, replies);
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    expect(screen.getByRole('heading', { level: 2, name: title })).toBeTruthy();
    for (const name of ['Specialties', 'Locations', 'Licenses'])
      if (name !== title && (name !== 'Specialties' || provider === physician))
        expect(await section(name, 'None on file')).toBeTruthy();
    expect(facts().length).toBeGreaterThan(3);

    Object.assign(replies, replyTo(call, { body: [] }));
    const before = calls().length;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await section(title, 'None on file')).getAttribute('aria-expanded')).toBe('true');
    expect(calls().slice(before)).toEqual([call]);
  });

  it('all sections can be missing, and the record shows', async () => {
    await open(physician, {
      ...failed('GET /provider/Phys/Spec/P1'),
      ...failed('GET /provider/Phys/Loc/P1'),
      ...failed('GET /provider/Phys/Lic/P1'),
    });
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(3));
    expect(facts()).toHaveLength(10);
  });
});
