import { Chip } from '@/ui/Chip';
import { formatMoment } from '@/ui/dates';

/** Shows network staff whether anyone in the office has opened this. */
export const FirstOpenedBy = ({ seen }: { seen?: { by: string; at: string } }) =>
  seen ? (
    <Chip kind="success">
      First opened by {seen.by} on {formatMoment(seen.at)}
    </Chip>
  ) : (
    <Chip kind="neutral">Not opened by the office yet</Chip>
  );
