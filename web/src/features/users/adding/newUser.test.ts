import { describe, expect, test } from 'vitest';
import { configure, makeUser } from '@/api/testing';
import { findTinProblem } from '@/shared/validation';
import { formatType, lookupSchema, noLookup } from './lookup';
import {
  findTinRefusal,
  type NewUser,
  needsAffiliation,
  needsAssignment,
  needsEmployeeId,
  needsGroup,
  needsWorkInfo,
  noUser,
} from './newUser';
import { toForm, toPayload } from './payload';
import { makeNewUserSchema, personSchema } from './schema';
import { makeNewUser, makeRow } from './testing';

const found = (user: NewUser, draft = false) =>
  Object.fromEntries(
    makeNewUserSchema({ draft })
      .safeParse(user)
      .error?.issues.map(({ path, message }) => [path[0], message]) ?? [],
  );
const problem = (part: Partial<NewUser>, name: keyof NewUser) => found(makeNewUser(part))[name];
const long = (length: number) => 'x'.repeat(length);

describe('the required fields', () => {
  test.each([
    ['PRAD', { assignment: true, group: false, employee: false, affiliation: true, work: true }],
    ['PRUS', { assignment: false, group: true, employee: false, affiliation: true, work: true }],
    ['NNUS', { assignment: false, group: false, employee: false, affiliation: true, work: true }],
    ['IRAD', { assignment: false, group: false, employee: true, affiliation: false, work: false }],
    ['ISAD', { assignment: false, group: false, employee: true, affiliation: false, work: false }],
    ['ROAD', { assignment: true, group: false, employee: false, affiliation: false, work: true }],
    ['ROUS', { assignment: false, group: true, employee: false, affiliation: false, work: true }],
  ])('of %s', (typeCd, expected) => {
    const user = makeNewUser({ typeCd });
    expect({
      assignment: needsAssignment(user),
      group: needsGroup(user),
      employee: needsEmployeeId(user),
      affiliation: needsAffiliation(user),
      work: needsWorkInfo(user),
    }).toEqual(expected);
  });

  test.each(['PRAD', 'ROAD'])('of %s in an existing group is the group', (typeCd) =>
    expect(needsGroup(makeNewUser({ typeCd, groupAssignment: 'existing' }))).toBe(true),
  );
});

describe('the single form rejects', () => {
  test('a missing account type, before anything else', () =>
    expect(found(noUser)).toEqual({ typeCd: 'Error: Select Account Type' }));

  test('missing values, with these texts', () =>
    expect(found({ ...noUser, typeCd: 'IRAD' })).toEqual({
      userFirstName: 'Error: Enter valid First Name',
      userLastName: 'Error: Enter valid Last Name',
      phoneNum: 'Error: Enter a valid Phone Number',
      emailAddr: 'Error: Enter a valid Email Address',
      employeeId: 'Error: Enter a valid Employee ID',
    }));

  test.each<[keyof NewUser, Partial<NewUser>, string]>([
    ['userFirstName', { userFirstName: long(41) }, 'Error: Enter valid First Name'],
    ['userFirstName', { userFirstName: '   ' }, 'Error: Enter valid First Name'],
    ['userLastName', { userLastName: long(41) }, 'Error: Enter valid Last Name'],
    ['userMidName', { userMidName: 'AB' }, 'Error: Enter Middle Initial'],
    ['phoneNum', { phoneNum: '216555010' }, 'Error: Enter a valid Phone Number'],
    ['phoneNum', { phoneNum: '1'.repeat(16) }, 'Error: Enter a valid Phone Number'],
    ['phoneNum', { phoneNum: '216-555-0100x' }, 'Error: Enter a valid Phone Number'],
    ['emailAddr', { emailAddr: 'ada@example' }, 'Error: Enter a valid Email Address'],
    ['emailAddr', { emailAddr: `${long(109)}@example.com` }, 'Error: Enter a valid Email Address'],
    ['affiliationCd', { affiliationCd: '' }, 'Error: Select Affiliation'],
    ['affiliationDesc', { affiliationCd: 'OTHER' }, 'Error: Enter Other Desc'],
    [
      'affiliationDesc',
      { affiliationCd: 'OTHER', affiliationDesc: long(41) },
      'Error: Use 40 characters or fewer',
    ],
    ['jobTitle', { jobTitle: '' }, 'Error: Enter a valid Job Title'],
    ['jobTitle', { jobTitle: long(121) }, 'Error: Enter a valid Job Title'],
    ['jobTitle', { typeCd: 'ROUS', jobTitle: '' }, 'Error: Enter a valid Job Title'],
    ['companyNm', { companyNm: '' }, 'Error: Enter a valid Company Name'],
    ['companyNm', { companyNm: long(121) }, 'Error: Enter a valid Company Name'],
    ['companyNm', { typeCd: 'ROAD', companyNm: '' }, 'Error: Enter a valid Company Name'],
    ['companyUrl', { companyUrl: long(121) }, 'Error: Use 120 characters or fewer'],
    ['userFtins', { typeCd: 'PRUS', grpInfoId: '7' }, 'Error: Select TIN'],
    ['ftin', { typeCd: 'NNUS' }, 'Error: Enter a Tax ID Number (TIN)'],
    ['ftin', { typeCd: 'NNUS', ftin: '12a' }, 'Error: Enter a valid Tax ID Number (TIN)'],
    ['ftin', { typeCd: 'NNUS', ftin: '12345' }, 'Error: Enter a 9-digit Tax ID Number (TIN)'],
    ['employeeId', { typeCd: 'ISAD' }, 'Error: Enter a valid Employee ID'],
    ['employeeId', { typeCd: 'IRAD', employeeId: long(121) }, 'Error: Enter a valid Employee ID'],
    ['employeeId', { typeCd: 'IRAD', employeeId: 'É 10/7' }, 'Error: Enter a valid Employee ID'],
  ])('%s of %j', (name, part, text) => expect(problem(part, name)).toBe(text));

  test.each<Partial<NewUser>>([
    { typeCd: 'PRAD', groupAssignment: 'existing' },
    { typeCd: 'ROAD', groupAssignment: 'existing' },
    { typeCd: 'PRUS' },
    { typeCd: 'ROUS' },
  ])("%j without a group, unless it's a draft", (part) => {
    expect(problem(part, 'grpInfoId')).toBe('Error: Enter a valid group Id');
    expect(found(makeNewUser(part), true).grpInfoId).toBeUndefined();
  });

  test.each(['0', 'abc', '1.5', '123456789012'])('%s as a group', (grpInfoId) => {
    expect(problem({ typeCd: 'ROUS', grpInfoId }, 'grpInfoId')).toBe('Error: Enter a valid group Id');
    expect(found(makeNewUser({ typeCd: 'ROUS', grpInfoId }), true).grpInfoId).toBe(
      'Error: Enter a valid group Id',
    );
  });

  test("an employee ID with the organization's name", async () => {
    await configure({ organizationName: 'Harborline' });
    expect(problem({ typeCd: 'ISAD' }, 'employeeId')).toBe('Error: Enter a valid Harborline Employee ID');
    await configure();
  });
});

test.each<Partial<NewUser>>([
  {},
  { userFirstName: long(40), userLastName: long(40), userMidName: 'K' },
  { phoneNum: '2165550100' },
  { phoneNum: '1'.repeat(15) },
  { affiliationCd: 'OTHER', affiliationDesc: long(40) },
  { jobTitle: long(120), companyNm: long(120), companyUrl: long(120) },
  { groupAssignment: 'existing', grpInfoId: '12345678901' },
  { typeCd: 'PRUS', grpInfoId: '7', userFtins: [{ ftin: '111111111' }] },
  { typeCd: 'NNUS', ftin: '111111111' },
  { typeCd: 'NNUS', userFtins: [{ ftin: '111111111' }], ftin: 'unfinished' },
  { typeCd: 'ISAD', employeeId: long(120), affiliationCd: '', jobTitle: '', companyNm: '' },
  { typeCd: 'ROAD', affiliationCd: '' },
  { typeCd: 'ROUS', affiliationCd: '', grpInfoId: '7' },
])('%j is accepted', (part) => expect(found(makeNewUser(part))).toEqual({}));

test("the wizard's first step only requires the person", () => {
  expect(
    personSchema.safeParse(makeNewUser({ typeCd: 'PRUS', affiliationCd: '', jobTitle: '' })).success,
  ).toBe(true);
  expect(personSchema.safeParse(noUser).error?.issues).toHaveLength(5);
});

describe('the payload', () => {
  const acting = makeUser({ id: 9, userNm: 'isad.demo' });
  const sent = (part: Partial<NewUser>, around = {}) =>
    toPayload(makeNewUser(part), acting, { sources: [], ...around });

  test("contains the acting user, the phone's digits, and nothing of other types", () =>
    expect(
      sent({
        employeeId: 'E1',
        grpInfoId: '7',
        affiliationDesc: 'left over',
        userFtins: [{ ftin: '111111111', prvId: '5' }],
      }),
    ).toEqual({
      id: undefined,
      accountRequestId: undefined,
      mode: 'newUser',
      isSaveAsDraftOperation: false,
      typeCd: 'PRAD',
      userFirstName: 'Ada',
      userLastName: 'Lovelace',
      userMidName: '',
      emailAddr: 'ada@example.com',
      phoneNum: '2165550100',
      groupAssignment: 'new',
      grpInfoId: null,
      mgrUserInfoId: 9,
      statusDesc: 'isad.demo',
      userFtins: [{ ftin: '111111111' }],
      employeeId: null,
      affiliationCd: 'OFC_STAFF',
      affiliationDesc: null,
      jobTitle: 'Biller',
      companyNm: 'Lakeside',
      companyUrl: null,
    }));

  test.each(['ROAD', 'ROUS'])('of %s has no affiliation and no URL, but its group and sources', (typeCd) => {
    const sources = [{ sourceId: 3, sourceName: 'Hub' }];
    const payload = sent(
      { typeCd, groupAssignment: 'existing', grpInfoId: '7', companyUrl: 'x.example' },
      { sources },
    );
    expect(payload).toMatchObject({
      affiliationCd: null,
      affiliationDesc: null,
      companyUrl: null,
      jobTitle: 'Biller',
      grpInfoId: 7,
      groupInfo: { groupInfoId: 7, groupRosterSources: sources },
      selectedRosterSources: sources,
      userGroupRosterSources: sources,
    });
  });

  test('of internal staff has the employee ID and nothing on work', () =>
    expect(sent({ typeCd: 'ISAD', employeeId: 'E1' })).toMatchObject({
      employeeId: 'E1',
      affiliationCd: null,
      jobTitle: null,
      companyNm: null,
      userFtins: [],
    }));

  test("has the listed TINs and a non-network user's typed one", () => {
    expect(sent({ typeCd: 'NNUS', ftin: '111111111' }).userFtins).toEqual([{ ftin: '111111111' }]);
    expect(sent({ typeCd: 'NNUS', ftin: '111111111', userFtins: [{ ftin: '222222222' }] }).userFtins).toEqual(
      [{ ftin: '222222222' }, { ftin: '111111111' }],
    );
    for (const ftin of ['', 'unfinished', '222222222'])
      expect(sent({ typeCd: 'NNUS', ftin, userFtins: [{ ftin: '222222222' }] }).userFtins).toEqual([
        { ftin: '222222222' },
      ]);
    expect(
      sent({ groupAssignment: 'existing', grpInfoId: '7', userFtins: [{ ftin: '222222222' }] }).userFtins,
    ).toEqual([]);
  });

  test('contains the draft and the account request', () =>
    expect(sent({}, { id: 31, request: 5 })).toMatchObject({
      id: 31,
      accountRequestId: 5,
      mode: 'draftUser',
    }));

  test('of OTHER has its description', () =>
    expect(sent({ affiliationCd: 'OTHER', affiliationDesc: 'Lawyer' }).affiliationDesc).toBe('Lawyer'));

  test('can be edited further', () => {
    const user = makeNewUser({ typeCd: 'ROAD', affiliationCd: '', phoneNum: '216-555-0100' });
    expect(toForm(toPayload(user, acting, { sources: [] }))).toEqual(user);
  });
});

test('a draft fills the form', () => {
  expect(toForm(makeRow())).toMatchObject({
    typeCd: 'ROAD',
    userMidName: 'K',
    phoneNum: '216-555-0100',
    groupAssignment: 'existing',
    grpInfoId: '7',
  });
  expect(toForm(makeRow({ grpInfoId: null })).groupAssignment).toBe('new');
  // The values before a save replaces them.
  const userFtins = [{ ftin: '111111111' }];
  expect(toForm(makeRow({ typeCd: 'PRUS', userFtins })).userFtins).toEqual(userFtins);
});

test("a rejected TIN has its account type's text", () => {
  expect(findTinRefusal('NNUS', 'INVALID_FTIN_IN_NETWORK')).toBe(
    'Error: This TIN cannot be added because it is registered as In-network TIN.  Only non-network TINs are permitted for non-network user.',
  );
  expect(findTinRefusal('NNUS', 'INVALID_FTIN_NO_BILLS_FOUND')).toBe(
    'Error: This TIN cannot be added because no bills exist in the system. Only TINs with existing bills can be associated with user account.',
  );
  expect(findTinRefusal('NNUS', 'FTIN_RESTRICTED_FOR_REGISTRATION')).toBe(
    'Error: Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit.',
  );
  expect(findTinRefusal('PRAD', 'FTIN_RESTRICTED_FOR_REGISTRATION')).toBe(
    'Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit..',
  );
  expect(findTinRefusal('PRAD', 'anything else')).toBeUndefined();
  expect(findTinProblem('123456789')).toBeUndefined();
});

describe('a lookup', () => {
  const texts = (part: object) =>
    lookupSchema.safeParse({ ...noLookup, ftin: '123456789', ...part }).error?.issues.map((i) => i.message);

  test.each([
    [{ ftin: '' }, ['Error: Enter a Tax ID Number (TIN)']],
    [{ ftin: '12345678x' }, ['Error: Enter a valid Tax ID Number (TIN)']],
    [{ ftin: '12345678' }, ['Error: Enter a 9-digit Tax ID Number (TIN)']],
    [{ prvId: '12a' }, ['Error: Enter a valid Provider ID Number']],
    [{ prvId: '123456789' }, ['Error: Enter a valid Provider ID Number']],
    [{ prvId: '12345678', firstName: long(9), lastName: long(9), facility: long(9) }, undefined],
  ])('of %j', (part, expected) => expect(texts(part)).toEqual(expected));

  test.each(['firstName', 'lastName', 'facility'])('allows names as long as those in %s', (name) => {
    expect(texts({ [name]: long(120) })).toBeUndefined();
    expect(texts({ [name]: long(121) })).toHaveLength(1);
  });

  test.each([
    ['P', 'Physician'],
    ['F', 'Facility'],
    ['A', 'Ancillary'],
    ['H', 'Hospital'],
    ['', 'Hospital'],
  ])('shows the type %s as %s', (code, label) => expect(formatType(code)).toBe(label));
});
