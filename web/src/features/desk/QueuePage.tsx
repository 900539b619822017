import { type ReactNode, useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import * as paths from '@/shared/paths';
import { ConfirmDialog } from '@/ui/Dialog';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { type Step, useQueueAction } from './queries';

/** The layout of a work queue. */
export function QueuePage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { can } = useSession();
  return (
    <div className="page">
      <Breadcrumbs name={title} list={{ name: 'Queues', to: paths.deskQueues }} />
      <header>
        <h1>{title}</h1>
        <p className="page-lead">{lead}</p>
      </header>
      {can('queues.manage') ? children : <NotPermitted />}
    </div>
  );
}

/** The confirmation before an action that can't be undone. */
interface Confirmation {
  step: Step;
  id: number;
  done: string;
  title: string;
  about: string;
  label: string;
}

/** Runs an action on one item of a queue and shows the result. */
export function useQueueActions() {
  const { mutate, isPending, variables } = useQueueAction();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const runStep = (step: Step, id: number, done: string) =>
    mutate(
      { step, id },
      {
        onSuccess: () => toast.success(done),
        onError: (error) => toast.error(`Error: ${toProblem(error).message}`),
        onSettled: () => setConfirmation(null),
      },
    );
  return {
    runStep,
    confirm: setConfirmation,
    busy: (step: Step, id: number) => isPending && variables.step === step && variables.id === id,
    dialog: confirmation && (
      <ConfirmDialog
        open
        title={confirmation.title}
        confirmLabel={confirmation.label}
        destructive
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() => runStep(confirmation.step, confirmation.id, confirmation.done)}
        onCancel={() => setConfirmation(null)}
      >
        <p>{confirmation.about}</p>
      </ConfirmDialog>
    ),
  };
}
