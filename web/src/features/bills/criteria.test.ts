import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Criteria, criteriaSchema, makeEmptyCriteria, toSearchParams } from './criteria';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 2, 15, 12) }));
afterEach(() => vi.useRealTimers());

const claim: Criteria = {
  ...makeEmptyCriteria(['111111111'], 'claim'),
  claimNumber: 'WC-1',
  serviceDate: '3/14/2026',
};
const claimant: Criteria = {
  ...makeEmptyCriteria(['111111111'], 'claimant'),
  claimantFirstName: 'Ada',
  claimantLastName: 'Lovelace',
  claimantDateOfBirth: '12/10/1985',
  serviceDate: '2026-03-01',
};
const bill: Criteria = { ...makeEmptyCriteria(['111111111'], 'bill'), billControlNumber: 'B1' };

function problems(criteria: Criteria): Record<string, string> {
  const checked = criteriaSchema.safeParse(criteria);
  const issues = checked.success ? [] : checked.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

describe('a complete search', () => {
  it.each([claim, claimant, bill, { ...bill, billControlNumber: '', documentId: 'D1' }])(
    '%# has no problems',
    (criteria) => expect(problems(criteria)).toEqual({}),
  );

  it('can be of today', () => expect(problems({ ...claim, serviceDate: '3/15/2026' })).toEqual({}));

  it('can include five TINs', () =>
    expect(problems({ ...claim, tins: ['1', '2', '3', '4', '5'] })).toEqual({}));
});

describe('an incomplete search', () => {
  it.each([[[]], [['1', '2', '3', '4', '5', '6']]])('with the TINs %j', (tins) =>
    expect(problems({ ...bill, tins })).toEqual({ tins: 'Select up to 5 TINS' }),
  );

  it('by claim number', () =>
    expect(problems(makeEmptyCriteria(['1'], 'claim'))).toEqual({
      claimNumber: 'Enter a claim number',
      serviceDate: 'Enter an approximate date of service.',
    }));

  it('by claimant', () =>
    expect(problems(makeEmptyCriteria(['1'], 'claimant'))).toEqual({
      claimantFirstName: "Enter claimant's first name",
      claimantLastName: "Enter claimant's last name",
      claimantDateOfBirth: "Enter claimant's date of birth",
      serviceDate: 'Enter an approximate date of service.',
    }));

  it('by bill ID', () =>
    expect(problems(makeEmptyCriteria(['1'], 'bill'))).toEqual({
      billControlNumber: 'Enter Document ID or Bill Control Number',
    }));

  it("with dates that don't exist", () =>
    expect(problems({ ...claimant, serviceDate: '2/30/2026', claimantDateOfBirth: 'May' })).toEqual({
      serviceDate: 'Enter a valid Approximate Date of Service',
      claimantDateOfBirth: 'Enter a valid Claimant Date of Birth',
    }));

  it('with future dates', () =>
    expect(problems({ ...claimant, serviceDate: '3/16/2026', claimantDateOfBirth: '1/1/2030' })).toEqual({
      serviceDate: 'Approximate Date of Service cannot be a future date',
      claimantDateOfBirth: 'Claimant Date of Birth cannot be a future date',
    }));

  it.each([
    ['claimNumber', 40],
    ['claimantFirstName', 40],
    ['claimantLastName', 40],
    ['billControlNumber', 22],
    ['documentId', 50],
  ])('with too much text in %s', (field, max) => {
    expect(problems({ ...bill, [field]: 'x'.repeat(max) })).toEqual({});
    expect(Object.keys(problems({ ...bill, [field]: 'x'.repeat(max + 1) }))).toEqual([field]);
  });

  it.each(['B-100001 B-100002', 'B1, B2', 'B1;B2'])('with several bills, %j', (pasted) => {
    expect(problems({ ...bill, billControlNumber: pasted })).toEqual({
      billControlNumber: 'Enter one Bill Control Number at a time',
    });
    expect(problems({ ...bill, billControlNumber: '', documentId: pasted })).toEqual({
      documentId: 'Enter one Document ID at a time',
    });
  });

  it('with only white space', () =>
    expect(problems({ ...claim, claimNumber: '   ' })).toEqual({ claimNumber: 'Enter a claim number' }));
});

describe('the request', () => {
  it('by claim number: the claim and a week on either side, at eight', () =>
    expect(toSearchParams(claim)).toEqual({
      claimNumber: 'WC-1',
      beginServiceDate: '2026-03-07T08:00:00',
      endServiceDate: '2026-03-21T08:00:00',
    }));

  it('by claimant: the person and the window', () =>
    expect(toSearchParams(claimant)).toEqual({
      claimantFirstName: 'Ada',
      claimantLastName: 'Lovelace',
      claimantDateOfBirth: '1985-12-10T08:00:00',
      beginServiceDate: '2026-02-22T08:00:00',
      endServiceDate: '2026-03-08T08:00:00',
    }));

  it('by bill ID: the one with a value', () => {
    expect(toSearchParams(bill)).toEqual({ billControlNumber: 'B1' });
    expect(toSearchParams({ ...bill, billControlNumber: '', documentId: 'D1' })).toEqual({
      documentId: 'D1',
    });
  });
});
