import { ConfirmDialog } from '@/ui/Dialog';
import { parseDate } from '@/ui/dates';
import { capitalize } from '@/ui/text';
import { describeMatches } from './audience';
import type { Draft } from './draft';
import { defaultName, describeSendTime, type Notification, type Values } from './notification';
import { useAudienceCount } from './queries';

/** An action that the administrator confirms first. */
export type Action =
  | { kind: 'edit' | 'delete' | 'unpublish'; row: Notification }
  | { kind: 'draft'; values: Values }
  | { kind: 'everyone'; sent: Draft };

interface Props {
  action: Action;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ConfirmAction({ action, busy, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      open
      title={questions[action.kind]}
      confirmLabel="CONTINUE"
      verb={verbs[action.kind]}
      cancelLabel="CANCEL"
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        <strong>{formatName(action)}</strong>
      </p>
      {action.kind === 'everyone' && <Everyone draft={action.sent} />}
    </ConfirmDialog>
  );
}

const formatName = (action: Action) =>
  action.kind === 'draft'
    ? defaultName
    : action.kind === 'everyone'
      ? action.sent.values.name || defaultName
      : action.row.name;

/** The number of users, and when it's sent. */
function Everyone({ draft: { audience, values } }: { draft: Draft }) {
  const { data } = useAudienceCount(audience);
  return (
    <p>
      {data && `${capitalize(describeMatches(data.count))}. `}
      {`It will be sent ${describeSendTime(parseDate(values.sendDt) ?? '')}.`}
    </p>
  );
}

const verbs: Record<Action['kind'], string> = {
  draft: 'create',
  everyone: 'send',
  edit: 'edit',
  unpublish: 'un-publish',
  delete: 'delete',
};

const questions: Record<Action['kind'], string> = {
  draft: 'The form is blank. CREATE NOTIFICATION will save an empty draft. Do you want to continue?',
  everyone: 'This notification will go to every user. Do you want to continue?',
  edit: 'EDIT will discard your unsaved changes on the form. Do you want to continue?',
  delete: 'DELETE will remove this notification. Do you want to continue?',
  unpublish: 'UN-PUBLISH will recall this notification from its recipients. Do you want to continue?',
};
