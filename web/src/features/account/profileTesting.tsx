import type { RouteComponent } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import { makeSession, makeUser } from '@/api/testing';
import type { Session } from '@/api/types';
import * as paths from '@/shared/paths';
import { renderScreens } from '@/shared/testing';
import type { Details } from './profile';

/** Shows a screen as the signed-in app does. Other paths show their name. */
export const show = (Screen: RouteComponent, session: Session = makeSession()) =>
  renderScreens(
    {
      '/': Screen,
      [paths.changePassword]: () => <h1>Changing</h1>,
      [paths.userProfile]: () => <h1>Profile</h1>,
    },
    session,
  );

export const mirroring = makeSession({
  username: 'isad.demo',
  user: makeUser({
    id: 9,
    userNm: 'isad.demo',
    userFirstName: 'Olivia',
    userLastName: 'Stone',
    typeCd: 'ISAD',
  }),
  mirroredUser: makeUser(),
});

/** The problems in the form's banner. */
export const listed = async () =>
  within(await screen.findByRole('group', { name: 'Message' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

export const field = (label: string | RegExp) =>
  screen.getByLabelText<HTMLInputElement>(typeof label === 'string' ? new RegExp(`^${label}\\*?$`) : label);

export const makeDetails = (part: Partial<Details> = {}): Details => ({
  id: 1,
  userNm: 'prad.demo',
  userFirstName: 'Paula',
  userLastName: 'Reyes',
  userMidName: 'T',
  emailAddr: 'paula@example.com',
  phoneNum: '2125550100',
  employeeId: null,
  typeCd: 'PRAD',
  typeDesc: 'Provider Admin',
  statusCd: 'ACTIV',
  statusDesc: 'Active',
  internalStaffFlag: false,
  affiliationCd: 'OFC_STAFF',
  affiliationDesc: '',
  jobTitle: 'Billing Manager',
  companyNm: 'Lakeside',
  companyUrl: null,
  grpInfoId: 7,
  ...part,
});
