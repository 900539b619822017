import type { Session, User } from './types';

export const userOf = (part: Partial<User> = {}): User => ({
  id: 1,
  userNm: 'prad.demo',
  userFirstName: 'Paula',
  userLastName: 'Reyes',
  userMidName: '',
  emailAddr: 'paula@example.com',
  phoneNum: '2125550100',
  typeCd: 'PRAD',
  typeDesc: 'Provider Admin',
  statusCd: 'ACTIV',
  statusDesc: 'Active',
  grpInfoId: 7,
  appVersion: '2.3.35',
  jobTitle: '',
  companyNm: '',
  companyUrl: '',
  affiliationCd: '',
  affiliationDesc: '',
  feeSchedRqstsCnt: 0,
  feeSchedRqsts: [],
  ...part,
});

export const sessionOf = (part: Partial<Session> = {}): Session => ({
  username: 'prad.demo',
  token: 'token-1',
  user: userOf(),
  routes: ['home'],
  menu: [],
  permissions: [],
  idleMinutes: 30,
  ...part,
});
