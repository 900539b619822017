import type { ReactNode, SubmitEventHandler } from 'react';
import { Button } from '../Button';

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
