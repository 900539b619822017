import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, makeSession, makeUser } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import type { SentRoster } from './queries';
import { ReturnedRosters } from './ReturnedRosters';

const session = makeSession({ user: makeUser({ typeCd: 'ROAD', grpInfoId: 1010 }) });

const roster = (logId: number, fileName: string, part: Partial<SentRoster> = {}): SentRoster => ({
  logId,
  fileName,
  grpName: 'Edgewater',
  sourceId: 201,
  sourceGroupId: 1,
  updateType: 'full',
  uploadDt: '2026-07-01T15:00:00Z',
  uploadedByUserName: 'road.demo',
  files: [],
  ...part,
});

const returned = { state: 'RETURNED' as const, at: '2026-07-02T15:00:00Z', reason: 'Wrong group' };

test('shows the returned rosters that the server selects', async () => {
  const calls = fakeServer({
    'POST /roster/uploadLogs/page': {
      body: {
        count: 2,
        rows: [
          roster(4, 'Whole.csv', { sourceGroupId: 2, receiving: returned }),
          roster(3, 'Part.csv', { updateType: 'delta', receiving: returned }),
        ],
      },
    },
  });
  renderScreens({ '/': ReturnedRosters }, session);
  await screen.findByText(/returned Whole\.csv on 07\/02\/2026: Wrong group/);
  expect(screen.getAllByText(/^The network returned/)).toHaveLength(2);
  expect(calls.map(({ body }) => body)).toEqual([
    { groupId: 1010, table: { page: 0, pageSize: 10, filters: { correction: 'needed' } } },
  ]);
});
