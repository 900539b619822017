import { randomInt } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { accounts, test as base, expect, getPortalUrl, openSession, password } from './portal';

/** An account for one test. */
export interface Person {
  id: number;
  userNm: string;
  userFirstName: string;
  userLastName: string;
  emailAddr: string;
  grpInfoId: number | null;
}

/** A group for one test: its administrator, and functions that add to it. */
export interface Office {
  admin: Person;
  tin: string;
  /** Creates a user in the group, registered by default. */
  add: (typeCd: 'PRAD' | 'PRUS', registered?: boolean) => Promise<Person>;
}

const sourceId = 201;

interface People {
  /** A system administrator's session, separate from the page's. */
  isad: { request: APIRequestContext; headers: { Authorization: string } };
  /** Creates an account of any type. */
  create: (
    part: Record<string, unknown> & { userFtins?: { ftin: string }[] },
    registered?: boolean,
  ) => Promise<Person>;
  office: Office;
}

export const test = base.extend<People, { isadToken: string }>({
  // One for all tests of a worker, because checking a password is slow.
  isadToken: [
    async ({ playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: getPortalUrl() });
      await use(await openSession(request, accounts.ISAD));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  isad: async ({ playwright, baseURL, isadToken }, use) => {
    const request = await playwright.request.newContext({ baseURL });
    await use({ request, headers: { Authorization: `Bearer ${isadToken}` } });
    await request.dispose();
  },

  create: async ({ isad: { request, headers } }, use) => {
    await use(async (part, registered = true) => {
      const userLastName = randomName();
      const response = await request.put('/api/users/createUser', {
        headers,
        data: {
          userFirstName: 'Pia',
          userLastName,
          emailAddr: `${userLastName.toLowerCase()}@example.com`,
          phoneNum: '2165550100',
          affiliationCd: 'OFC_STAFF',
          jobTitle: 'Biller',
          companyNm: 'Lakeside',
          // A new roster group needs a source.
          selectedRosterSources: [{ sourceId, sourceName: '' }],
          sharedFtins: part.userFtins?.map(({ ftin }) => ftin),
          ...part,
        },
      });
      expect(response.status(), await response.text()).toBe(200);
      const person: Person = await response.json();
      if (part.typeCd === 'ROAD')
        await request.post('/api/roster/user/group/removeSource', {
          headers,
          params: { groupId: person.grpInfoId ?? 0, sourceId },
        });
      if (registered) await register(request, person);
      return person;
    });
  },

  office: async ({ create }, use) => {
    const tin = `97${randomInt(1_000_000, 9_999_999)}`;
    const admin = await create({ typeCd: 'PRAD', userFtins: [{ ftin: tin }] });
    await use({
      admin,
      tin,
      add: (typeCd, registered) =>
        create({ typeCd, grpInfoId: admin.grpInfoId, userFtins: [{ ftin: tin }] }, registered),
    });
  },
});

/** Sets the first password with the link in the newest registration email. */
export async function register(request: APIRequestContext, { emailAddr }: Person) {
  const link = findLink(await readEmail(emailAddr, 'Finish setting up your account'));
  const token = new URL(link).searchParams.get('token');
  const answer = await request.post('/api/public/registration/complete', {
    data: { token, newPassword: password },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

export const randomName = () =>
  `Q${Array.from({ length: 9 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`;

/** Requests an account for the office's TIN, as a visitor with access to the email address does. */
export async function requestAccount(
  request: APIRequestContext,
  emailAddress: string,
  firstName: string,
  lastName: string,
  ftin: string,
) {
  const post = async (path: string, data: object) => {
    const response = await request.post(`/api/public/registration/${path}`, { data });
    expect(response.status()).toBe(200);
  };
  await post('startRequestAccount', { emailAddress });
  const mail = await readEmail(emailAddress, 'Your account request');
  await post('completeRequestAccount', {
    token: new URL(findLink(mail)).searchParams.get('token'),
    authenticationCode: /Authentication Code: +(\S+)/.exec(mail)?.[1],
    affiliation: 'BILLING_CO',
    firstName,
    lastName,
    phoneNumber: '2165550100',
    jobTitle: 'Office Manager',
    companyName: 'Lakeside',
    providerList: [{ ftin, providerName: 'Lakeside Orthopedics' }],
  });
}
