import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { markCreated, rememberDraft, restoreNewest } from './addedUser';
import type {} from './historyState';
import { makeUserRow } from './testing';

const typed = {
  typeCd: 'ROAD',
  userFirstName: 'Ada',
  userLastName: 'Lovelace',
  emailAddr: 'ada@example.com',
  phoneNum: '2165550100',
};
const none = { groupRosterSources: [] };
const one = { groupRosterSources: [{ sourceId: 3, sourceName: 'Hub' }] };
const form = '/AddUser';
const sources = '/ManageRosterSourcesForUserGroup';

/** The history entries after NEXT: the form, and the roster sources, which is current. */
function visits(state: object) {
  const root = createRootRoute();
  const history = createMemoryHistory({ initialEntries: [form] });
  history.replace(form, { ...state } as never);
  history.push(sources, { ...state } as never);
  const router = createRouter({
    routeTree: root.addChildren(
      [form, sources].map((path) =>
        createRoute({ getParentRoute: () => root, path, beforeLoad: restoreNewest }),
      ),
    ),
    history,
  });
  const shown = async (index: number) => {
    history.go(index);
    await router.load();
    return router.state.location;
  };
  return { here: () => shown(0), back: () => shown(-1), forward: () => shown(1), history };
}
const saved = (draftVersion: string) => makeUserRow({ id: 31, draftVersion });

it('Back and Forward continue with the latest saved draft, from either screen', async () => {
  const { back, forward } = visits({ timestamp: 1, formData: typed, groupInfo: none });
  rememberDraft({ timestamp: 1 }, saved('first'), typed, one);
  const first = {
    mode: 'draftUser',
    user: { id: 31 },
    formData: { ...typed, id: 31, draftVersion: 'first' },
  };
  expect((await back()).state).toMatchObject({ ...first, groupInfo: one });
  rememberDraft({ timestamp: 1 }, saved('second'), { ...typed, userFirstName: 'Bea' }, one);
  const { pathname, state } = await forward();
  expect(pathname).toBe(sources);
  expect(state).toMatchObject({ formData: { userFirstName: 'Bea', draftVersion: 'second' }, groupInfo: one });
});

it('unsaved selections stay in their history entry', async () => {
  const state = { timestamp: 2, formData: { ...typed, id: 31, draftVersion: 'first' }, groupInfo: one };
  const { here } = visits(state);
  rememberDraft({ timestamp: 2 }, saved('first'), typed, none);
  expect((await here()).state.groupInfo).toEqual(one);
});

it('after a reload, the entry that saved the draft updates the others', async () => {
  const state = { timestamp: 3, formData: typed, groupInfo: none };
  const draft = { ...state, formData: { ...typed, id: 31, draftVersion: 'first' }, groupInfo: one };
  const { back, here, history } = visits(state);
  history.replace(sources, draft as never);
  await here();
  expect((await back()).state).toMatchObject({ formData: { id: 31 }, groupInfo: one });
});

it('no entry continues a created user', async () => {
  const { back, forward } = visits({ timestamp: 4, formData: typed, groupInfo: none });
  markCreated({ timestamp: 4 }, makeUserRow());
  for (const go of [back, forward]) {
    const { pathname, state } = await go();
    expect([pathname, state.message]).toEqual([form, 'Anna Reed was added. You can now add another user.']);
    expect(state).not.toHaveProperty('formData');
  }
});

it('different users stay separate', async () => {
  const { back } = visits({ timestamp: 5, formData: typed });
  rememberDraft({ timestamp: 6 }, saved('first'), typed, one);
  rememberDraft({}, saved('first'), typed, one);
  expect((await back()).state.formData).toEqual(typed);
});
