import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { SessionContext } from '@/api/session';
import { fakeServer, makeSession } from '@/api/testing';
import { useAssignTin } from '@/features/groups/desk/queries';
import { useDelete } from '@/features/notifications/queries';
import { useSetRosterStatus } from '@/features/rosters/queries';
import { useRemoveTins } from '@/features/tins/queries';
import { useDecide } from '@/features/tins/sharing';
import { useSaveUser } from '@/features/users/adding/queries';
import { useChange } from '@/features/users/queries';
import { queuesKey } from '@/shared/changes';
import { useDeclineRequest } from '@/shared/DeclineRequest';
import { PortalQueryClient } from '@/shared/PortalQueryClient';

const changes: Record<string, () => () => Promise<unknown>> = {
  'PUT /users/createUser': () => {
    const { create } = useSaveUser();
    return () => create({} as never);
  },
  'POST /accountRequests/7/decline': () => {
    const { mutateAsync } = useDeclineRequest(7);
    return () => mutateAsync('');
  },
  'PUT /desk/rosters/7': () => {
    const { mutateAsync } = useSetRosterStatus(7);
    return () => mutateAsync({} as never);
  },
  'POST /ftin/sharings/7/decision': () => {
    const { mutateAsync } = useDecide('7');
    return () => mutateAsync('approve');
  },
  'DELETE /desk/queues/drafts/7': () => {
    const { mutateAsync } = useChange();
    return () => mutateAsync({ change: 'Delete Draft', user: { id: 7 } as never });
  },
  'DELETE /ftin/groupFtins/7/111111111': () => {
    const { mutateAsync } = useRemoveTins(7, 'isad');
    return () => mutateAsync(['111111111']);
  },
  'POST /ftin/groupFtins/7/111111111': () => {
    const { mutateAsync } = useAssignTin(7);
    return () => mutateAsync('111111111');
  },
  'DELETE /notifications/delete/7': () => {
    const { mutateAsync } = useDelete();
    return () => mutateAsync({ wcp_notification_id: 7 } as never);
  },
};

test.each(Object.entries(changes))('%s refreshes the queue counts', async (call, useCase) => {
  fakeServer({ [call]: { status: 204 } } as never);
  const client = new PortalQueryClient({});
  const counts = [queuesKey, 'counts'];
  client.setQueryData(counts, []);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SessionContext value={makeSession({})}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </SessionContext>
  );
  const { result } = renderHook(useCase, { wrapper });
  await act(() => result.current());
  expect(client.getQueryState(counts)?.isInvalidated).toBe(true);
});
