import { Outlet } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeServer, makeSession } from '@/api/testing';
import ClientListPage from '@/features/clients/ClientListPage';
import DemographicSearchPage from '@/features/directory/DemographicSearchPage';
import ManageTinsPage from '@/features/tins/ManageTinsPage';
import { useOtherTabChanges } from '@/shared/changes';
import { renderScreens } from '@/shared/testing';

const record = (ftin: string) => ({ ftin, addedDate: '2026-01-02T15:00:00Z', lastUpdatedUserName: '' });

function Shell() {
  useOtherTabChanges();
  return <Outlet />;
}

/** Three screens of one signed-in person, with a server that can remove TINs. */
function open() {
  let tins = ['111111111', '222222222', '333333333'];
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('clientListAgreement=Y');
  const calls = fakeServer({
    'GET /ftin/userFtins/prad.demo': () => ({ body: tins.map((ftin) => ({ ftin })) }),
    'GET /ftin/groupFtins/7': () => ({ body: tins.map(record) }),
    'POST /ftin/groupFtins/7/holders': { body: [] },
    'DELETE /ftin/groupFtins/7/111111111': () => {
      tins = tins.filter((tin) => tin !== '111111111');
      return { body: 'success' };
    },
  });
  const screens = {
    '/': () => <h1>Home</h1>,
    '/ClientList': ClientListPage,
    '/DemographicSearch': DemographicSearchPage,
    '/ManageTins': ManageTinsPage,
  };
  const session = makeSession({ permissions: ['tins.manage'] });
  const { history } = renderScreens(screens, session, { frame: Shell });
  return {
    calls,
    go: (path: string) => act(() => history.push(path)),
    remove: (tin: string) => (tins = tins.filter((each) => each !== tin)),
  };
}

async function offered(label: RegExp) {
  const list = await screen.findByRole('combobox', { name: label });
  if (list.getAttribute('aria-expanded') !== 'true') await userEvent.click(list);
  return screen
    .queryAllByRole('option', { hidden: true })
    .map(({ textContent }) => textContent)
    .filter((text) => /^\d{9}$/.test(text));
}

it('no screen offers a removed TIN', async () => {
  const { go } = open();
  const user = userEvent.setup();
  go('/ClientList');
  expect(await offered(/^Tax ID/)).toEqual(['111111111', '222222222', '333333333']);
  go('/DemographicSearch');
  expect(await offered(/^Select Tax ID/)).toEqual(['111111111', '222222222', '333333333']);

  go('/ManageTins');
  await user.click(await screen.findByRole('checkbox', { name: 'Select 111111111' }));
  await user.click(screen.getByRole('button', { name: /remove/i }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'OK' }));
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Select 111111111' })).toBeNull());

  go('/ClientList');
  expect(await offered(/^Tax ID/)).toEqual(['222222222', '333333333']);
  go('/DemographicSearch');
  expect(await offered(/^Select Tax ID/)).toEqual(['222222222', '333333333']);
});

it('a TIN removed in another tab disappears from the screen that offers it', async () => {
  const { go, remove } = open();
  go('/ClientList');
  expect(await offered(/^Tax ID/)).toEqual(['111111111', '222222222', '333333333']);
  remove('111111111');
  const otherTab = new BroadcastChannel('wcpp');
  otherTab.postMessage({ type: 'changed', subjects: ['tins'] });
  await waitFor(async () => expect(await offered(/^Tax ID/)).toEqual(['222222222', '333333333']));
  otherTab.close();
});

it('a change is sent to the other tabs', async () => {
  const { go } = open();
  const otherTab = new BroadcastChannel('wcpp');
  const heard = vi.fn();
  otherTab.onmessage = ({ data }) => heard(data);
  const user = userEvent.setup();
  go('/ManageTins');
  await user.click(await screen.findByRole('checkbox', { name: 'Select 111111111' }));
  await user.click(screen.getByRole('button', { name: /remove/i }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'OK' }));
  await waitFor(() => expect(heard).toHaveBeenCalledWith({ type: 'changed', subjects: ['tins'] }));
  otherTab.close();
});
