import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, type Ref, useId, useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { UserRow } from '@/shared/accounts';
import type { useSearchState } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { DataTable } from '@/ui/table/DataTable';
import { formatName, getCandidateColumns } from './columns';
import {
  type Criteria,
  criteriaSchema,
  getCriterion,
  kinds,
  noCriteria,
  splitNames,
  statuses,
} from './criteria';
import { formatRecipientCount } from './notification';
import styles from './notifications.module.css';
import { useCandidates } from './queries';

type Done = 'added' | 'removed' | 'excluded' | 'included again';

/** The texts for adding users to a list. */
export interface Adding {
  button: string;
  done: Done;
  header: string;
  mark: string;
}

interface Props {
  searching: ReturnType<typeof useSearchState<Criteria>>;
  heading: Ref<HTMLHeadingElement>;
  chosen: ReadonlySet<number>;
  /** Where found users are added. */
  adding: Adding;
  /** Returns how many of them are new. */
  onAdd: (users: readonly UserRow[]) => number;
  onClose: () => void;
}

/** Finds users by one criterion, to add or exclude them. */
export function RecipientSearch({
  searching: { search, start, clear, table, setTable },
  heading,
  chosen,
  adding,
  onAdd,
  onClose,
}: Props) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [message, setMessage] = useState<ReactNode>(null);
  const found = useCandidates(search);
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    shouldFocusError: false,
    defaultValues: search?.criteria ?? noCriteria,
  });
  const { control, clearErrors, handleSubmit, reset } = form;
  const only = getCriterion(useWatch({ control }));
  const states = useId();
  const getFieldProps = (name: keyof Criteria) => ({
    control,
    name,
    kind: kinds[name],
    disabled: only !== undefined && only !== name,
    autoComplete: 'off',
    // The first field shows the error for an empty form.
    onChanged: () => name !== 'emailAddress' && clearErrors('emailAddress'),
  });

  const { data: users, isError, isFetching } = found;
  const rows = useMemo(() => (users ?? []).map((user) => ({ id: user.id, user })), [users]);
  const columns = useMemo(() => getCandidateColumns(chosen, adding), [chosen, adding]);
  const unknown = users && search ? findUnknownNames(search.criteria.userNames, users) : [];
  const clearSelection = () => {
    setSelected(new Set());
    setMessage(null);
  };
  const clearResults = () => {
    clearSelection();
    clear();
  };

  return (
    <>
      <form
        className="card"
        noValidate
        onSubmit={handleSubmit((criteria) => {
          clearSelection();
          start(criteria);
        }, clearResults)}
      >
        <div className={styles.form}>
          <h2 ref={heading} tabIndex={-1}>
            Search recipients
          </h2>
          <FormBanner form={form} />
          <div className="field-grid">
            <TextField
              {...getFieldProps('emailAddress')}
              label="Email Address"
              hint="Use a leading * for a partial email search."
            />
            <TextField {...getFieldProps('ftin')} label="Tax ID Number (TIN)" inputMode="numeric" />
            <TextField {...getFieldProps('groupId')} label="Group ID" inputMode="numeric" />
            <TextField
              {...getFieldProps('status')}
              label="Status"
              list={states}
              hint="Account status, such as Active or Locked"
            />
            <TextField
              {...getFieldProps('userNames')}
              label="Usernames (comma separated)"
              hint="Example: areed, mstone, or the first few characters"
            />
          </div>
          <datalist id={states}>
            {statuses.map(({ code, name }) => (
              <option key={code} value={name} />
            ))}
          </datalist>
        </div>
        <div className={styles.buttons}>
          <Button type="submit" variant="primary" busy={isFetching}>
            SEARCH RECIPIENTS
          </Button>
          <Button
            onClick={() => {
              reset(noCriteria);
              clearResults();
            }}
          >
            RESET
          </Button>
          <Button onClick={onClose}>CLOSE</Button>
        </div>
      </form>
      {search && (
        <DataTable
          title="Users Found"
          columns={columns}
          rows={rows}
          rowId={({ id }) => String(id)}
          controlled={{ state: table, onChange: setTable }}
          status={isError ? 'failed' : isFetching ? 'loading' : 'ready'}
          onRetry={() => void found.refetch()}
          empty="There are no users available for the criteria entered. Please revise your search criteria."
          selection={{
            selected,
            onChange: setSelected,
            label: formatName,
            disabled: ({ id }) => chosen.has(id),
            allLabel: 'SELECT ALL',
          }}
          toolbar={
            rows.length > 0 && (
              <Button
                variant="primary"
                onClick={() => {
                  const count = onAdd((users ?? []).filter(({ id }) => selected.has(String(id))));
                  setMessage(<Outcome key={Date.now()} done={adding.done} count={count} />);
                  setSelected(new Set());
                }}
              >
                {adding.button}
              </Button>
            )
          }
          notice={
            (message || unknown.length > 0) && (
              <div className={styles.notices}>
                {unknown.length > 0 && <Banner kind="info">{`Not found: ${unknown.join(', ')}.`}</Banner>}
                {message}
              </div>
            )
          }
        />
      )}
    </>
  );
}

// The server treats a name with at least as many characters as the start of names, too.
const minPrefix = 3;

/** Returns a list's names that match no user, ignoring case. */
function findUnknownNames(list: string, users: readonly UserRow[]): string[] {
  const known = users.map(({ userNm }) => userNm.toLowerCase());
  const isKnown = (name: string) =>
    known.some((found) => found === name || (name.length >= minPrefix && found.startsWith(name)));
  return users.length > 0 ? splitNames(list).filter((name) => !isKnown(name.toLowerCase())) : [];
}

/** The result of adding or removing, shown in the table where it happened. */
export const Outcome = ({ done, count }: { done: Done; count: number }) =>
  count > 0 ? (
    <Banner kind="success">{`${formatRecipientCount(count)} ${done}.`}</Banner>
  ) : (
    <Banner kind="info">Select recipients in the table first.</Banner>
  );
