import { createLink } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/navigation';
import { Button, LinkButton } from '@/ui/Button';
import { counted } from '@/ui/counted';
import { nameOf } from './columns';

const ButtonToRoute = createLink(LinkButton);
const most = 500;

/** Users marked on the pages of a list, for what is done with many at once; nothing where that is not there. */
export function useChosen(rows: readonly UserRow[]) {
  const { can, mirroredUser } = useSession();
  const [chosen, setChosen] = useState<ReadonlyMap<string, UserRow> | null>(null);
  if (!can('users.many') || mirroredUser) return {};
  if (!chosen)
    return {
      toolbar: rows.length > 0 && (
        <Button size="small" onClick={() => setChosen(new Map())}>
          Mark several
        </Button>
      ),
    };
  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...rows.map((row) => [String(row.id), row] as const)]);
    setChosen(new Map([...ids].map((id) => [id, known.get(id)] as const).filter(isKnown)));
  };
  return {
    selection: { selected: new Set(chosen.keys()), onChange: choose, label: nameOf },
    toolbar: <Chosen users={[...chosen.values()]} onNone={() => setChosen(null)} />,
  };
}

const isKnown = (entry: readonly [string, UserRow | undefined]): entry is readonly [string, UserRow] =>
  entry[1] !== undefined;

function Chosen({ users, onNone }: { users: UserRow[]; onNone: () => void }) {
  const text = `Change TINs of ${counted(users.length, 'user')}`;
  return (
    <>
      {users.length === 0 || users.length > most ? (
        <Button size="small" disabled title={`Mark 1 to ${most} users`}>
          {text}
        </Button>
      ) : (
        <ButtonToRoute
          size="small"
          to="/work/users/tins"
          state={{
            chosen: users.map((user) => ({
              userNm: user.userNm,
              name: nameOf(user),
              groupId: user.grpInfoId,
            })),
          }}
        >
          {text}
        </ButtonToRoute>
      )}
      <Button size="small" variant="quiet" onClick={onNone}>
        Mark none
      </Button>
    </>
  );
}
