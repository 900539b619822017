import { describe, expect, it } from 'vitest';
import { type Criteria, criteriaSchema, noCriteria } from './criteria';

const problems = (part: Partial<Criteria>) =>
  criteriaSchema
    .safeParse({ ...noCriteria, ...part })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('a search for users', () => {
  it.each<Partial<Criteria>>([
    { userName: 'abc' },
    { userName: 'x'.repeat(14) },
    { emailAddress: 'a' },
    { emailAddress: '*abc' },
    { emailAddress: 'x'.repeat(120) },
    { name: "O'Brien" },
    { name: ', Éa' },
    { ftin: '1' },
    { ftin: '123456789' },
    { groupId: '7' },
    { groupId: '123456789', userTypeCD: 'PRAD' },
  ])('accepts %o', (part) => expect(problems(part)).toEqual([]));

  it.each<[Partial<Criteria>, string]>([
    [{}, 'userName: Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID'],
    [
      { userTypeCD: 'PRAD' },
      'userName: Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID',
    ],
    [
      { userName: '   ' },
      'userName: Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID',
    ],
    [{ userName: ' ab ' }, 'userName: Error: Enter a minimum of 3 characters in username field'],
    [{ emailAddress: '*ab' }, 'emailAddress: Error: Enter at least 3 characters after the *'],
    [{ emailAddress: '*ab*' }, 'emailAddress: Error: Enter at least 3 characters after the *'],
    [{ name: "O'" }, 'name: Error: Enter at least 2 letters of the first or last name'],
    [{ name: 'A-B Smith' }, 'name: Error: Enter at least 2 letters of the first or last name'],
    [{ groupId: '12a' }, 'groupId: Error: Enter numeric only for Group ID field'],
    [{ groupId: '-1' }, 'groupId: Error: Enter numeric only for Group ID field'],
  ])('rejects %o', (part, problem) => expect(problems(part)).toEqual([problem]));

  it.each<[keyof Criteria, number]>([
    ['userName', 14],
    ['emailAddress', 120],
    ['ftin', 9],
    ['groupId', 9],
  ])('rejects %s of more than %i characters', (field, most) =>
    expect(problems({ [field]: '1'.repeat(most + 1) })).toHaveLength(1),
  );

  it('is sent trimmed', () =>
    expect(criteriaSchema.parse({ ...noCriteria, userName: '  areed ' }).userName).toBe('areed'));
});
