import type { ReactNode, SubmitEventHandler } from 'react';
import { Button } from '../Button';

/** What a screen gives the form that it searches by. */
export interface SearchFormProps<Criteria> {
  /** The search that the history kept. */
  kept: Criteria | null;
  searching: boolean;
  /** A submit that fails its check clears the results of the search before. */
  onInvalid: () => void;
  onSearch: (criteria: Criteria) => void;
  onReset: () => void;
}

interface Props {
  searching: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** Empties the form and what was found by it; without it there is no such button. */
  onReset?: () => void;
  searchLabel?: string;
  resetLabel?: string;
  /** What is searched by. */
  children: ReactNode;
}

/** The form above what a screen finds. */
export function SearchCard({
  searching,
  onSubmit,
  onReset,
  searchLabel = 'Search',
  resetLabel = 'Reset',
  children,
}: Props) {
  return (
    <form className="card" noValidate onSubmit={onSubmit}>
      {children}
      <div className="button-row card-body">
        <Button type="submit" variant="primary" busy={searching}>
          {searchLabel}
        </Button>
        {onReset && <Button onClick={onReset}>{resetLabel}</Button>}
      </div>
    </form>
  );
}
