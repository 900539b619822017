import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Criteria, criteriaSchema, noCriteria, toSearchPayload } from './criteria';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 2, 15, 12) }));
afterEach(() => vi.useRealTimers());

const complete: Criteria = {
  claimantFirstName: 'Ada',
  claimantLastName: 'Lovelace',
  claimantDOB: '12/10/1985',
  doi: '2026-03-15',
};

function problems(criteria: Criteria): Record<string, string> {
  const checked = criteriaSchema.safeParse(criteria);
  const issues = checked.success ? [] : checked.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

describe('a search', () => {
  it('is complete with names and dates up to today', () => expect(problems(complete)).toEqual({}));

  it('requires every field', () => {
    const missing = {
      claimantFirstName: 'Error: Enter Claimant First Name',
      claimantLastName: 'Error: Enter Claimant Last Name',
      claimantDOB: 'Error: Enter Claimant Date of Birth',
      doi: 'Error: Enter Claimant Date of Injury',
    };
    expect(problems(noCriteria)).toEqual(missing);
    expect(problems({ claimantFirstName: ' ', claimantLastName: ' ', claimantDOB: ' ', doi: ' ' })).toEqual(
      missing,
    );
  });

  it('requires more of a first name than stars', () =>
    expect(problems({ ...complete, claimantFirstName: '**' })).toEqual({
      claimantFirstName: 'Error: Enter Claimant First Name',
    }));

  it('requires dates that exist', () =>
    expect(problems({ ...complete, claimantDOB: '2/30/1985', doi: 'May' })).toEqual({
      claimantDOB: 'Error: Enter a valid Claimant Date of Birth',
      doi: 'Error: Enter a valid Claimant Date of Injury',
    }));

  it('rejects future dates', () =>
    expect(problems({ ...complete, claimantDOB: '1/1/2030', doi: '3/16/2026' })).toEqual({
      claimantDOB: 'Error: Claimant Date of Birth cannot be a future date',
      doi: 'Error: Claimant Date of Injury cannot be a future date',
    }));

  it.each(['claimantFirstName', 'claimantLastName'])('accepts 40 characters of %s', (field) => {
    expect(problems({ ...complete, [field]: 'x'.repeat(40) })).toEqual({});
    expect(Object.keys(problems({ ...complete, [field]: 'x'.repeat(41) }))).toEqual([field]);
  });
});

describe('the request', () => {
  it('is the names trimmed and the dates as dates', () =>
    expect(toSearchPayload(criteriaSchema.parse({ ...complete, claimantLastName: ' Lovelace ' }))).toEqual({
      claimantFirstName: 'Ada',
      claimantLastName: 'Lovelace',
      claimantDOB: '1985-12-10',
      doi: '2026-03-15',
      wildCardFstName: 'N',
    }));

  it.each([
    ['Ada', 'N'],
    ['A*', 'Y'],
    ['Ada*', 'Y'],
    ['A', 'Y'],
    ['Ã', 'Y'],
    ['Al', 'N'],
    ['*da', 'N'],
  ])('sends the first name %s as a prefix: %s', (claimantFirstName, wildCardFstName) =>
    expect(toSearchPayload({ ...complete, claimantFirstName })).toMatchObject({
      claimantFirstName,
      wildCardFstName,
    }),
  );
});
