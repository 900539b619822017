import { type ReactNode, useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import * as paths from '@/shared/paths';
import { ConfirmDialog } from '@/ui/Dialog';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { type QueueAction, type Step, useQueueAction } from './queries';

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
interface Confirmation extends QueueAction {
  title: string;
  about: string;
  label: string;
}

/** Runs an action on one item of a queue and shows the result. */
export function useQueueActions() {
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const { mutate, isPending, variables } = useQueueAction(({ step, id, done }, error) => {
    if (error) toast.error(`Error: ${toProblem(error).message}`);
    else toast.success(done);
    setConfirmation((open) => (open?.step === step && open.id === id ? null : open));
  });
  const runStep = (step: Step, id: number, done: string) => mutate({ step, id, done });
  const busy = (step: Step, id: number) => isPending && variables.step === step && variables.id === id;
  return {
    runStep,
    confirm: setConfirmation,
    busy,
    dialog: confirmation && (
      <ConfirmDialog
        open
        title={confirmation.title}
        confirmLabel={confirmation.label}
        destructive
        cancelLabel="Cancel"
        busy={busy(confirmation.step, confirmation.id)}
        onConfirm={() => runStep(confirmation.step, confirmation.id, confirmation.done)}
        onCancel={() => setConfirmation(null)}
      >
        <p>{confirmation.about}</p>
      </ConfirmDialog>
    ),
  };
}
