import { type ComponentProps, memo } from 'react';
import { useSession } from '@/api/session';
import { formatAssignee, useCanWork, usePeople } from '@/shared/billWork';
import { ages } from '@/shared/openBillSummary';
import { Button } from '@/ui/Button';
import { cx } from '@/ui/cx';
import { fadingRow, markEdges } from '@/ui/fadingRow';
import { ChevronDownIcon, CloseIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { type Criteria, describeChosen, isPayerLate, noFilters } from './criteria';
import { FilterPanel, type Preset } from './FilterPanel';
import { chipNames, workFilters } from './filters';
import styles from './openbills.module.css';
import { usePayers } from './queries';

interface Props {
  tins: readonly string[];
  criteria: Criteria;
  /** The criteria after a reset. */
  initialCriteria: Criteria;
  onFilter: (criteria: Criteria) => void;
}

type Name = keyof Criteria;

const agePresets: readonly Preset[] = ages.map(({ label, least, most }) => ({
  label,
  criteria: { ageFrom: String(least), ageTo: String(most ?? '') },
}));

/** The filters as chips. Each opens its fields and applies immediately. */
export const FilterBar = memo(function FilterBar({ tins, criteria, initialCriteria, onFilter }: Props) {
  const canWork = useCanWork();
  const describe = useDescription(criteria);
  const isAvailable = (name: Name) =>
    (canWork || !workFilters.has(name)) && (name !== 'tin' || tins.length > 1 || criteria.tin !== '');
  const more = chipNames.more.filter(isAvailable);
  const remove = (names: readonly Name[]) =>
    onFilter({ ...criteria, ...Object.fromEntries(names.map((name) => [name, noFilters[name]])) });
  const panel = { tins, criteria, onFilter };
  // The strip above shows a single state, and the payer's overdue bills.
  const hasStates = criteria.states.length > 1 && !isPayerLate(criteria);
  return (
    <ul ref={markEdges} className={cx(styles.filters, fadingRow)} aria-label="Filters">
      {chipNames.main
        .filter(({ names }) => names.some(isAvailable))
        .map(({ label, names }) => (
          <FilterChip key={label} label={label} value={describe(names)} onRemove={() => remove(names)}>
            <FieldsOf label={label} names={names} {...panel} />
          </FilterChip>
        ))}
      <FilterChip label="More filters" value="">
        <FilterPanel names={more} {...panel} />
      </FilterChip>
      {[...(hasStates ? (['states'] as const) : []), ...more].map((name) => {
        const value = describe([name]);
        return (
          value && (
            <li key={name} className={styles.filter} data-on>
              <span className={styles.text}>{value}</span>
              <RemoveButton label={value} onRemove={() => remove([name])} />
            </li>
          )
        );
      })}
      {JSON.stringify(criteria) !== JSON.stringify(initialCriteria) && (
        <li>
          <Button variant="link" size="small" onClick={() => onFilter(initialCriteria)}>
            Reset filters
          </Button>
        </li>
      )}
    </ul>
  );
});

/** Returns a function that describes the chosen values of filters; empty without any. */
function useDescription(criteria: Criteria) {
  const { actingUser } = useSession();
  const { data: people } = usePeople();
  const formatUser = (userName: string) =>
    userName === actingUser.userNm ? 'you' : formatAssignee(people, userName);
  return (names: readonly Name[]) => describeChosen(criteria, names, formatUser);
}

interface ChipProps {
  label: string;
  /** Describes the chosen values; empty without any. */
  value: string;
  onRemove?: () => void;
  children: ComponentProps<typeof Popover>['children'];
}

const FilterChip = ({ label, value, onRemove, children }: ChipProps) => (
  <li className={styles.filter} data-on={value !== '' || undefined}>
    <Popover
      button={
        <button
          type="button"
          className={styles.text}
          aria-label={value ? `${value}, change ${label.toLowerCase()}` : undefined}
        >
          {value || label}
          <ChevronDownIcon width="1rem" height="1rem" />
        </button>
      }
    >
      {children}
    </Popover>
    {value && onRemove && <RemoveButton label={value} onRemove={onRemove} />}
  </li>
);

const RemoveButton = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <button type="button" className={styles.remove} aria-label={`Remove filter: ${label}`} onClick={onRemove}>
    <CloseIcon width="0.875rem" height="0.875rem" />
  </button>
);

/** A chip's fields, with its presets. */
function FieldsOf({ label, ...panel }: ComponentProps<typeof FilterPanel> & { label: string }) {
  if (label === 'Payer') return <PayerFields {...panel} />;
  return <FilterPanel {...panel} presets={label === 'Age' ? agePresets : undefined} />;
}

function PayerFields(panel: ComponentProps<typeof FilterPanel>) {
  const { data: payers = [] } = usePayers();
  return (
    <FilterPanel
      {...panel}
      presets={payers.map(({ name }) => ({ label: name, criteria: { payer: name } }))}
    />
  );
}
