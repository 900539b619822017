import { lazy, Suspense, useState } from 'react';
import { useSession } from '@/api/session';
import { formatStillOpen, isStillOpen, useCanWork, usePeople } from '@/shared/billWork';
import { errorMessage } from '@/shared/errorMessage';
import { getNextMonday, offersMonday } from '@/shared/nextMonday';
import { type Action, ActionMenu } from '@/ui/ActionMenu';
import { Button } from '@/ui/Button';
import { addDays, formatDate, today } from '@/ui/dates';
import { onFirstClick } from '@/ui/onFirstClick';
import { toast } from '@/ui/Toasts';
import styles from './answer.module.css';
import { useBillWork, useSetWork, type Work, type WorkChange } from './work';

const FollowUpDialog = lazy(() => import('./FollowUpDialog'));

/** The group's work on the bill. Staff and users who mirror don't see it. */
export function WorkActions({ id }: { id: string }) {
  return useCanWork() ? <Shown id={id} /> : null;
}

function Shown({ id }: { id: string }) {
  const { actingUser } = useSession();
  const { data, isError } = useBillWork(id);
  const { data: people = [] } = usePeople();
  const { mutateAsync, isPending } = useSetWork(id);
  const [choosesDay, setChoosesDay] = useState(false);
  if (isError) return null;
  const work = data?.work;

  const findName = (userName: string) =>
    people.find((person) => person.userName === userName)?.name ?? userName;
  const set = async (change: WorkChange, done: string, undo?: WorkChange) => {
    try {
      const outcome = await mutateAsync(change);
      if (outcome && isStillOpen(change.marked, outcome)) toast.error(formatStillOpen(1, 'This bill'));
      else if (outcome?.outcome === 'saved')
        toast.success(done, undo && { label: 'Undo', run: () => void set(undo, 'Change undone') });
      else toast.error(describeRefusal(outcome?.outcome, findName(outcome?.work.updatedBy ?? '')));
    } catch (error) {
      toast.error(errorMessage(error, "Error: Couldn't update the bill. Try again."));
    }
  };
  const isDone = work?.marked === 'done';
  const me = people.find(({ userName }) => userName === actingUser.userNm);

  // A day that has passed can't be set again.
  const oldDay = work?.followUpOn ?? '';
  const undoFollowUp = oldDay && oldDay < today() ? undefined : { followUpOn: oldDay };
  // Bills can't be assigned to an inactive user again.
  const assignee = work?.assignedTo?.userName ?? '';
  const undoAssignment =
    assignee && !people.some(({ userName }) => userName === assignee) ? undefined : { assignTo: assignee };
  const undoDone: WorkChange =
    work?.marked === 'parked' && work.until && work.until > today()
      ? { marked: 'parked', until: work.until }
      : { marked: 'open' };
  const setFollowUp = (on: string) =>
    void set({ followUpOn: on }, `Follow-up set for ${formatDate(on)}`, undoFollowUp);
  const followUp = (on: string, label: string): Action => ({
    label: `${label} (${formatDate(on)})`,
    onSelect: () => setFollowUp(on),
  });
  const assign = ({ userName, name }: { userName: string; name: string }, label = name): Action => ({
    label,
    onSelect: () => void set({ assignTo: userName }, `Assigned to ${name}`, undoAssignment),
  });
  return (
    <div className={styles.work} data-loading={work ? undefined : ''}>
      <Button
        variant={isDone ? 'secondary' : 'primary'}
        busy={isPending}
        onClick={onFirstClick(
          () =>
            void (isDone
              ? set({ marked: 'open' }, 'Bill reopened')
              : set({ marked: 'done' }, 'Bill marked as done', undoDone)),
        )}
      >
        {isDone ? 'Reopen' : 'Done'}
      </Button>
      <Menu
        label="Follow up"
        actions={[
          followUp(addDays(today(), 1), 'Tomorrow'),
          ...(offersMonday(today()) ? [followUp(getNextMonday(today()), 'Monday')] : []),
          followUp(addDays(today(), 7), 'In 7 days'),
          followUp(addDays(today(), 30), 'In 30 days'),
          { label: 'Other date...', onSelect: () => setChoosesDay(true) },
          ...(work?.followUpOn
            ? [
                {
                  label: 'Clear date',
                  onSelect: () => void set({ followUpOn: '' }, 'Follow-up date cleared', undoFollowUp),
                },
              ]
            : []),
        ]}
      />
      <Menu
        label="Assign"
        actions={[
          ...(me ? [assign(me, 'Me')] : []),
          ...people.filter((person) => person !== me).map((person) => assign(person)),
          ...(work?.assignedTo
            ? [
                {
                  label: 'Unassign',
                  onSelect: () => void set({ assignTo: '' }, 'Unassigned', undoAssignment),
                },
              ]
            : []),
        ]}
      />
      {work && <p className={styles.small}>{describeWork(work)}</p>}
      <Suspense>
        {choosesDay && work && (
          <FollowUpDialog
            day={work.followUpOn ?? ''}
            onSave={(day) => {
              setChoosesDay(false);
              setFollowUp(day);
            }}
            onClose={() => setChoosesDay(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

function Menu({ label, actions }: { label: string; actions: readonly Action[] }) {
  const [open, setOpen] = useState(false);
  return (
    <ActionMenu open={open} onOpenChange={setOpen} actions={actions}>
      <Button>{label}</Button>
    </ActionMenu>
  );
}

const describeWork = ({ marked, until, followUpOn, assignedTo }: Work) =>
  [
    marked === 'done' && 'Done',
    marked === 'parked' && `Snoozed until ${formatDate(until)}`,
    assignedTo && `Assigned to ${assignedTo.name}`,
    followUpOn && `Follow up on ${formatDate(followUpOn)}`,
  ]
    .filter(Boolean)
    .join(' · ');

function describeRefusal(outcome: string | undefined, name: string) {
  switch (outcome) {
    case 'stale':
      return `${name} just changed this bill. Check the change, then try again.`;
    case 'unseen':
      return "This person doesn't have access to the bill's Tax ID.";
    default:
      return 'This bill is no longer available.';
  }
}
