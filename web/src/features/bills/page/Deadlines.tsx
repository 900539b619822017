import { useId, useState } from 'react';
import { conditionNames, describeBasis, describeUnit, formatPeriod, kindNames } from '@/shared/deadlines';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import styles from './bill.module.css';
import { type Deadline, type Interest, type Deadlines as Told, useDeadlines } from './queries';

/** The payer's and the office's deadlines, by confirmed rules. Empty for a finished bill. */
export function Deadlines({ id, desk = false }: { id: string; desk?: boolean }) {
  const { data, isError, refetch } = useDeadlines(id, desk);
  if (data?.answer === 'nothing') return null;
  return (
    <section className="card" aria-labelledby="deadlines">
      <h2 id="deadlines" className={styles.heading}>
        Deadlines
      </h2>
      {data ? <Shown told={data} /> : isError ? <Failed onRetry={() => void refetch()} /> : <Loading />}
    </section>
  );
}

function Shown({ told }: { told: Told }) {
  if (told.answer !== 'counted') return <p className={styles.none}>{explainMissing(told)}</p>;
  return (
    <>
      <ul className={styles.times}>
        {told.deadlines.map((deadline) => (
          <li key={`${deadline.kind} ${deadline.condition} ${deadline.on}`}>
            <Time deadline={deadline} state={told.state} />
          </li>
        ))}
        {told.interest.map((interest) => (
          <li key={`${interest.condition} ${interest.on}`}>
            <p>{formatInterest(interest, told)}</p>
            <Explanation deadline={interest} />
          </li>
        ))}
      </ul>
      <p className={styles.note}>For reference only. This isn't legal advice.</p>
    </>
  );
}

const explainMissing = ({ answer, state, line }: Told) => {
  switch (answer) {
    case 'assumed':
      return (
        <>
          <Chip kind="warning">?</Chip> No state on file. We assumed {state} from an address, so no deadline
          is calculated.
        </>
      );
    case 'noState':
      return "No state of jurisdiction is on file, so we can't calculate deadlines.";
    case 'noLine':
      return "The bill doesn't say whether it's workers' compensation or auto, so we can't calculate deadlines.";
    case 'noRule':
      return `No deadline rules on file for ${state}${line === 'AUTO' ? ' (auto)' : ''}.`;
    default:
      return `The rules for ${state} don't set a deadline for this bill right now.`;
  }
};

/** One deadline: its date, its rule and the days left. */
function Time({ deadline, state }: { deadline: Deadline; state: string }) {
  const { kind, condition, on, from, citation } = deadline;
  return (
    <>
      <p>
        <strong>{kindNames[kind]}</strong>
        {condition && ` (${conditionNames[condition]})`}: {from.about && 'about '}
        <strong>{formatDate(on)}</strong> ({formatPeriod(deadline)} from {formatDate(from.on)}; {state},{' '}
        {citation}). <Chip kind={getTone(deadline)}>{formatTimeLeft(deadline)}</Chip>
      </p>
      <Explanation deadline={deadline} />
    </>
  );
}

const days = (count: number) => pluralize(count, 'day');

function formatTimeLeft({ kind, daysLeft, from: { about } }: Deadline) {
  const roughly = about ? 'about ' : '';
  if (kind === 'FOLLOW_UP_FROM') return daysLeft > 0 ? `in ${roughly}${days(daysLeft)}` : 'open now';
  if (daysLeft < 0) return `passed ${roughly}${days(-daysLeft)} ago`;
  return daysLeft === 0 ? 'due today' : `${roughly}${days(daysLeft)} left`;
}

const soon = 7;

const getTone = ({ kind, daysLeft }: Deadline) =>
  kind === 'FOLLOW_UP_FROM' || daysLeft > soon ? 'neutral' : daysLeft < 0 ? 'error' : 'warning';

function formatInterest(
  { on, until, rate, citation, condition, interest, from }: Interest,
  { state, today }: Told,
) {
  const span = `from ${from.about ? 'about ' : ''}${formatDate(on)}${until === today ? '' : ` to ${formatDate(until)}`}`;
  const under = `${span} (${state}, ${citation}${condition ? `; ${conditionNames[condition]}` : ''})`;
  return interest === null
    ? `Interest may be due ${under}. No rate is on file. The portal doesn't claim interest for you.`
    : `Interest may be due: ${rate}% per month ${under}, about ${formatMoney(interest)}. The portal doesn't claim interest for you.`;
}

/** A button that explains how the deadline was calculated. */
function Explanation({ deadline }: { deadline: Deadline }) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const { kind, condition, text, url, citation, from, reviewedBy, reviewedOn } = deadline;
  return (
    <>
      <Button
        variant="link"
        size="small"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        How is this calculated?
        <span className="visually-hidden">
          {' '}
          {[kindNames[kind], condition && conditionNames[condition]].filter(Boolean).join(', ')}
        </span>
      </Button>
      <div id={panel} hidden={!open} className={styles.how}>
        <p>
          {describeBasis(deadline, from)} {describeUnit(deadline)}
        </p>
        {kind === 'INTEREST' && <p>Simple daily interest, based on 30-day months.</p>}
        <p>
          {text}{' '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            {citation}
          </a>
        </p>
        <p>
          Reviewed by {reviewedBy} on {formatDate(reviewedOn)}.
        </p>
      </div>
    </>
  );
}
