import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type HistoryState,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Call, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import type { UserRow } from '@/shared/accounts';
import type { PortalUserGroup } from '@/shared/groups';
import { makeUserRow, renderScreen } from '@/shared/testing';
import { type NewUser, noUser } from './newUser';
import { moveRequestToState } from './requestLink';

/** The server's responses by request, and the requests it received. */
export const server = {
  replies: {} as Replies,
  calls: [] as Call[],
  sent: (call: string) =>
    server.calls.filter((made) => made.call === call) as {
      query?: string;
      body: Record<string, unknown> | null;
    }[],
};

export const types = [
  ['PRAD', 'Provider Admin'],
  ['PRUS', 'Provider User'],
  ['NNUS', 'Non-Network User'],
  ['IRAD', 'Internal Read-Only Admin'],
  ['ISAD', 'Internal System Admin'],
  ['ROAD', 'Roster Admin'],
  ['ROUS', 'Roster User'],
].map(([userTypeCd = '', userTypeDesc = '']) => ({ userTypeCd, userTypeDesc }));

export const makeTin = (ftin: string) => ({
  ftin,
  addedDate: '2026-01-05T15:00:00Z',
  lastUpdatedUserName: '',
});

const makeGroup = (part: Partial<PortalUserGroup>): PortalUserGroup => ({
  groupInfoId: 7,
  groupName: 'Lakeside Clinic',
  groupTypeCd: 'PRV',
  statusCd: 'ACTIV',
  createdDate: '2026-01-05T15:00:00Z',
  groupRosterSources: [],
  ...part,
});
export const groups = [
  makeGroup({}),
  makeGroup({ groupInfoId: 8, groupName: 'Valley Clinic' }),
  makeGroup({ groupInfoId: 1010, groupName: 'Lakes Rosters', groupTypeCd: 'ROS' }),
];

/** Starts a test with a server that has the account types and a group's TINs. */
export function startServer() {
  server.replies = {
    'PUT /users/getUserTypes': { body: types },
    'GET /ftin/groupFtins/7': { body: [makeTin('222222222'), makeTin('111111111')] },
    'GET /ftin/userFtins/prad.demo': { body: [makeTin('222222222'), makeTin('111111111')] },
    'PUT /users/createUser': { body: makeRow() },
    'POST /admin/groupList': (body) => {
      const { portalUserGroupId } = body as { portalUserGroupId?: string };
      return { body: groups.filter(({ groupInfoId }) => String(groupInfoId) === portalUserGroupId) };
    },
    'PUT /users/saveDraftUser': { body: makeRow({ statusCd: 'DRAFT' }) },
  };
  server.calls = fakeServer(server.replies);
}

const manages = ['users.manage', 'users.types', 'tins.list'];
export const prad = makeSession({ permissions: manages });
export const isad = makeSession({
  user: makeUser({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  permissions: [
    ...manages,
    'users.draft',
    'tins.add',
    'accountRequests.read',
    'accountRequests.decline',
    'groups.search',
  ],
});
export const irad = makeSession({
  user: makeUser({ id: 8, userNm: 'irad.demo', typeCd: 'IRAD', grpInfoId: null }),
});
export const mirroring = { ...isad, permissions: manages, mirroredUser: makeUser() };

/** Opens a screen as the signed-in app does. Other screens show their path. */
export async function show(
  path: string,
  Screen: RouteComponent,
  session: Session,
  { address = path, state = {} }: { address?: string; state?: HistoryState } = {},
) {
  const root = createRootRoute({ component: Outlet });
  const here = createRoute({
    getParentRoute: () => root,
    path,
    component: Screen,
    beforeLoad: moveRequestToState,
  });
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => <p>Elsewhere</p>,
  });
  const history = createMemoryHistory({ initialEntries: ['/before'] });
  history.push(address, state as never);
  const router = createRouter({ routeTree: root.addChildren([here, elsewhere]), history });
  renderScreen(router, session);
  await screen.findAllByText(/./, { selector: 'h1, p' });
  return {
    at: () => history.location.pathname,
    state: () => history.location.state,
    search: () => history.location.search,
    visitAgain: () => act(() => history.push(path, {} as never)),
  };
}

export const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label.replace(/[()]/g, '\\$&')}\\*?$`));
export const asked = (label: string) =>
  screen.queryByLabelText(new RegExp(`^${label.replace(/[()]/g, '\\$&')}\\*?$`)) !== null;
export const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
export const press = (name: string) => userEvent.click(button(name));
export const message = async () => (await screen.findByRole('group', { name: 'Message' })).textContent ?? '';
export const listed = async () =>
  within(await screen.findByRole('group', { name: 'Message' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

/** In one step, because typing is slow in a large form. */
export const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

/** Fills in the fields that all types need. */
export async function fillPerson(typeCd: string) {
  await userEvent.selectOptions(await screen.findByLabelText(/^Account Type/), typeCd);
  fill('First Name', 'Ada');
  fill('Last Name', 'Lovelace');
  fill('Phone Number', '(216) 555-0100');
  fill('Email Address', 'ada@example.com');
}

export async function fillWork(affiliated = true) {
  if (affiliated) await userEvent.selectOptions(field('Affiliation'), 'OFC_STAFF');
  fill('Job Title', 'Biller');
  fill('Company Name', 'Lakeside');
}

export const makeNewUser = (part: Partial<NewUser> = {}): NewUser => ({
  ...noUser,
  typeCd: 'PRAD',
  userFirstName: 'Ada',
  userLastName: 'Lovelace',
  phoneNum: '(216) 555-0100',
  emailAddr: 'ada@example.com',
  affiliationCd: 'OFC_STAFF',
  jobTitle: 'Biller',
  companyNm: 'Lakeside',
  ...part,
});

/** The saved user as the server returns it. */
export const makeRow = (part: Partial<UserRow> = {}): UserRow =>
  makeUserRow({
    id: 31,
    userNm: 'alovelace',
    userFirstName: 'Ada',
    userLastName: 'Lovelace',
    userMidName: 'K',
    emailAddr: 'ada@example.com',
    typeCd: 'ROAD',
    typeDesc: 'Roster Admin',
    statusCd: 'NEW',
    statusDesc: 'New',
    affiliationCd: '',
    mgrUserInfoId: 9,
    ...part,
  });
