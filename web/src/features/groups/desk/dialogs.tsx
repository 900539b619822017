import { zodResolver } from '@hookform/resolvers/zod';
import { type Control, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import { needsReauthentication, Problem } from '@/api/client';
import { EditDialog } from '@/shared/EditDialog';
import { formatGroup, type PortalUserGroup, useGroups } from '@/shared/groups';
import { useProviderPage } from '@/shared/providers';
import { findTinProblem, tinKind } from '@/shared/validation';
import { ConfirmDialog } from '@/ui/Dialog';
import { boundedText, normalizedText } from '@/ui/form/boundedText';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { formatCount, formatTin } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { createTableState } from '@/ui/table/state';
import { capitalize } from '@/ui/text';
import styles from './groups.module.css';
import { useAssignTin, useGroupUse, useNameGroup, useSetGroupStatus } from './queries';

interface Props {
  group: PortalUserGroup;
  onClose: () => void;
}

const nameKind = line(128);

const nameSchema = z.object({
  name: boundedText(nameKind).check(z.refine((name) => name !== '', { error: 'Error: Enter a name' })),
});

/** Sets a group's name for staff. */
export function NameDialog({ group, onClose }: Props) {
  const form = useForm({
    resolver: zodResolver(nameSchema),
    shouldFocusError: false,
    defaultValues: { name: group.groupName },
  });
  const { mutateAsync: rename } = useNameGroup(group.groupInfoId);

  async function save({ name }: { name: string }, version?: string) {
    await rename({ name, version });
    return `Group ${group.groupInfoId} renamed ${name}`;
  }

  return (
    <EditDialog
      form={form}
      title={`Rename group ${group.groupInfoId}`}
      version={group.nameVersion}
      save={save}
      failed="Error: Couldn't save the name. Try again."
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label="Group name"
        required
        kind={nameKind}
        autoComplete="off"
        hint="Group imports won't overwrite this name."
      />
    </EditDialog>
  );
}

const tinSchema = z.object({
  ftin: normalizedText(tinKind).check(
    z.superRefine((typed, context) => {
      const message = findTinProblem(typed);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  ),
});

/** The messages for the server's codes on a TIN. */
const refusedTins: Record<string, string> = {
  TIN_EXISTS_INTGRP: "The group already has this TIN, or it's pending review",
  FTIN_RESTRICTED_FOR_REGISTRATION: "This TIN can't be assigned",
};

/**
 * Assigns a TIN to a provider group. A group created without one can't find bills, so it can't
 * prove anything.
 */
export function TinDialog({ group, onClose }: Props) {
  const form = useForm({
    resolver: zodResolver(tinSchema),
    shouldFocusError: false,
    defaultValues: { ftin: '' },
  });
  const { mutateAsync: give } = useAssignTin(group.groupInfoId);

  async function save({ ftin }: { ftin: string }) {
    try {
      await give(ftin);
    } catch (error) {
      const message = error instanceof Problem && refusedTins[error.code];
      throw message
        ? new Problem(400, error.code, message, [{ path: 'ftin', code: error.code, message }])
        : error;
    }
    return `${formatTin(ftin)} assigned to ${formatGroup(group)}`;
  }

  return (
    <EditDialog
      form={form}
      title={`Assign a Tax ID to ${formatGroup(group)}`}
      action="Assign"
      save={save}
      failed="Error: Couldn't assign the Tax ID. Try again."
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="ftin"
        label="Tax ID Number (TIN)"
        required
        kind={tinKind}
        inputMode="numeric"
        autoComplete="off"
        hint="The group's users can find its bills right away. We'll email its administrators and any other groups with this TIN."
      />
      <TinOwner control={form.control} />
    </EditDialog>
  );
}

const byName = createTableState({ sort: { id: 'name', desc: false } });

/** The owner of a typed TIN: a wrong digit would open another office's bills, or none. */
function TinOwner({ control }: { control: Control<{ ftin: string }> }) {
  const typed = tinKind.normalize(useWatch({ control, name: 'ftin' }));
  const ftin = findTinProblem(typed) === undefined ? typed : '';
  const groups = useGroups(ftin ? { taxIdNumber: ftin } : null);
  const { data: providers } = useProviderPage(ftin || undefined, byName);
  if (!ftin || !groups.data || !providers) return null;
  const { count, rows } = providers;
  const name = rows[0]?.prvName;
  return (
    <p role="status">
      {count === 0
        ? 'No provider in the directory bills under it. Check the number. '
        : `${name}${count > 1 ? ` and ${pluralize(count - 1, 'other provider')}` : ''} ${count > 1 ? 'bill' : 'bills'} under it. `}
      {groups.data.length === 0
        ? 'No other group has it.'
        : `Groups that have it: ${groups.data.map(formatGroup).join('; ')}.`}
    </p>
  );
}

/** Deactivates a group, after showing the effects, or reactivates it. */
export function StatusDialog({ group, onClose }: Props) {
  const ends = group.statusCd !== 'INACT';
  const use = useGroupUse(group.groupInfoId);
  const { mutate, isPending } = useSetGroupStatus(group.groupInfoId);
  const confirm = () =>
    mutate(ends ? 'INACT' : 'ACTIV', {
      onSuccess: () => {
        toast.success(`Group ${group.groupInfoId} is ${ends ? 'inactive' : 'active again'}`);
        onClose();
      },
      onError: (error) => {
        toast.error(needsReauthentication(error) ? error.message : "Couldn't update the group. Try again.");
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      title={ends ? 'Make this group inactive?' : 'Make this group active?'}
      confirmLabel={ends ? 'Make inactive' : 'Make active'}
      cancelLabel="Cancel"
      busy={isPending}
      confirmDisabled={!use.data}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        <strong>{capitalize(formatGroup(group))}</strong>
      </p>
      {use.data ? (
        <ul className={styles.effects}>
          {(ends ? listEndEffects : listReturnEffects)(use.data).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : use.isError ? (
        <Failed onRetry={() => void use.refetch()} />
      ) : (
        <Loading />
      )}
    </ConfirmDialog>
  );
}

type GroupUse = NonNullable<ReturnType<typeof useGroupUse>['data']>;

/** Leaves out effects with a zero count. */
const filterEffects = (effects: readonly [number, string][]) =>
  effects.flatMap(([n, text]) => (n > 0 ? text : []));

const listEndEffects = ({ users, maySignIn, registering, signedIn, mailed }: GroupUse) => [
  ...filterEffects([
    [
      maySignIn,
      `${pluralize(maySignIn, 'user', 'users')} of ${formatCount(users)} won't be able to sign in.`,
    ],
    [signedIn, `${pluralize(signedIn, 'user is', 'users are')} signed in and will be signed out.`],
    [registering, `${pluralize(registering, 'registration link')} will stop working.`],
    [mailed, `We'll stop sending bill updates to ${pluralize(mailed, 'email address', 'email addresses')}.`],
  ]),
  'No data is deleted. Everything is restored when you make the group active.',
];

const listReturnEffects = ({ users, maySignIn, registering, mailed }: GroupUse) => {
  const effects = filterEffects([
    [
      maySignIn,
      `${pluralize(maySignIn, 'user', 'users')} of ${formatCount(users)} will be able to sign in again.`,
    ],
    [registering, `${pluralize(registering, 'registration link')} will work again, unless expired.`],
    [
      mailed,
      `We'll send bill updates to ${pluralize(mailed, 'email address', 'email addresses')} again, including any missed updates.`,
    ],
  ]);
  return effects.length > 0 ? effects : ["This doesn't affect any users right now."];
};
