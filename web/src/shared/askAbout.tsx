import { createLink } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { LinkButton } from '@/ui/Button';
import { useInitialState } from './historyState';
import { getOwner } from './owner';
import * as paths from './paths';

/** A bill to ask the network about. */
interface AskedBill {
  /** Its page ID. */
  id: string;
  number: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The bills of a new question, and the session that selected them. */
    asked?: { owner: string; bills: AskedBill[] };
  }
}

/** The bills that the new question is about. */
export function useAskedBills(): AskedBill[] {
  const { asked } = useInitialState();
  const owner = getOwner(useSession());
  return asked?.owner === owner ? asked.bills : [];
}

const ButtonToRoute = createLink(LinkButton);

/** Opens a new question about bills. Staff and users who mirror can't ask. */
export function AskLink({ bills, className }: { bills: AskedBill[]; className?: string }) {
  const session = useSession();
  if (!session.can('cases.own') || session.mirroredUser) return null;
  return (
    <p className={className}>
      <ButtonToRoute
        size="small"
        to={paths.askNetwork}
        state={(state) => ({ ...state, asked: { owner: getOwner(session), bills } })}
      >
        {bills.length === 1 ? 'Ask about this bill' : 'Ask about these bills'}
      </ButtonToRoute>
    </p>
  );
}
