import { createLink, type HistoryState } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import type { ChosenUser, UserRow } from '@/shared/accounts';
import { useHistoryState, useInitialState, useSetHistoryState } from '@/shared/historyState';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { pluralize } from '@/ui/pluralize';
import { formatName } from './columns';

const ButtonToRoute = createLink(LinkButton);
const maxUsers = 500;

/**
 * Users selected across a list's pages for bulk actions; empty where there are none. The history
 * state stores them for the way back, which identifies the list by its own state.
 */
export function useSelectedUsers(
  rows: readonly UserRow[],
  list: Pick<HistoryState, 'admin' | 'groupId' | 'list' | 'searchInfo'>,
) {
  const setHistoryState = useSetHistoryState();
  const session = useSession();
  const owner = getOwner(session);
  const { __TSR_index: listAt } = useHistoryState();
  const { marked } = useInitialState();
  const [chosen, setChosen] = useState<ChosenUser[] | null>(marked?.users ?? null);
  if (!session.can('users.many') || session.mirroredUser) return {};
  const storeSelection = (users: ChosenUser[] | null) => {
    setChosen(users);
    void setHistoryState((before) => ({ ...before, marked: users ? { owner, users } : undefined }));
  };
  if (!chosen)
    return {
      toolbar: rows.length > 0 && (
        <Button size="small" onClick={() => storeSelection([])}>
          Select multiple
        </Button>
      ),
    };
  const choose = (ids: ReadonlySet<string>) => {
    const known = [
      ...chosen,
      ...rows.map((row) => ({
        id: row.id,
        userNm: row.userNm,
        name: formatName(row),
        groupId: row.grpInfoId,
      })),
    ];
    const users = new Map(known.map((user) => [String(user.id), user] as const));
    storeSelection([...users].flatMap(([id, user]) => (ids.has(id) ? [user] : [])));
  };
  return {
    selection: {
      selected: new Set(chosen.map(({ id }) => String(id))),
      onChange: choose,
      label: formatName,
    },
    toolbar: (
      <SelectionActions
        users={chosen}
        state={{ ...list, marked: { owner, users: chosen }, listAt }}
        onClear={() => storeSelection(null)}
      />
    ),
    notice: chosen.length > maxUsers && (
      <Banner kind="warning">
        <p>{`You can change TINs for up to ${maxUsers} users at once. Select fewer.`}</p>
      </Banner>
    ),
  };
}

interface SelectionProps {
  users: ChosenUser[];
  state: HistoryState;
  onClear: () => void;
}

function SelectionActions({ users, state, onClear }: SelectionProps) {
  const text = `Change TINs for ${pluralize(users.length, 'user')}`;
  return (
    <>
      {users.length === 0 || users.length > maxUsers ? (
        <Button size="small" disabled>
          {text}
        </Button>
      ) : (
        <ButtonToRoute size="small" to={paths.bulkTins} state={{ ...state, chosen: users }}>
          {text}
        </ButtonToRoute>
      )}
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </>
  );
}
