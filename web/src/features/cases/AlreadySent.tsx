import { Link, type LinkProps } from '@tanstack/react-router';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';

/** Returns the number of the question that an earlier request with the same key stored, or an empty text. */
export const getSentNumber = (error: unknown) =>
  toProblem(error).fields.find(({ code }) => code === 'SENT')?.value ?? '';

/** Links the question that was stored before the user changed its text and sent it again. */
export const AlreadySent = ({ as, number, label, onNew }: AlreadySentProps) => (
  <Banner kind="warning">
    <p>
      This was already sent as <Link {...as}>{number}</Link>, with other details.
    </p>
    <div className="button-row">
      <Button onClick={onNew}>{label}</Button>
    </div>
  </Banner>
);

interface AlreadySentProps {
  as: LinkProps;
  number: string;
  /** Sends the changed text with a new key. */
  label: string;
  onNew: () => void;
}
