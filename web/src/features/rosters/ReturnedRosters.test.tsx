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

test('a returned roster is shown until the group sends another one', async () => {
  fakeServer({
    'POST /roster/uploadLogs/page': {
      body: {
        count: 8,
        rows: [
          roster(8, 'Again.csv', { receiving: { state: 'NEW' } }),
          roster(7, 'Solved.csv', { receiving: returned }),
          roster(6, 'Part.csv', { sourceGroupId: 2, updateType: 'delta', receiving: { state: 'NEW' } }),
          roster(5, 'Solved-part.csv', { sourceGroupId: 2, updateType: 'delta', receiving: returned }),
          roster(4, 'Whole.csv', { sourceGroupId: 2, receiving: returned }),
          roster(3, 'Elsewhere.csv', { sourceGroupId: 4, receiving: returned }),
          roster(2, 'Newest.csv', { sourceGroupId: 3, receiving: returned }),
          roster(1, 'Earlier.csv', { sourceGroupId: 3, receiving: returned }),
        ],
      },
    },
  });
  renderScreens({ '/': ReturnedRosters }, session);
  await screen.findByText(/returned Whole\.csv on 07\/02\/2026/);
  expect(screen.getAllByText(/^The network returned/).map((line) => line.textContent?.split(' ')[3])).toEqual(
    ['Whole.csv', 'Elsewhere.csv', 'Newest.csv'],
  );
});
